/// A JSON array of strings and nothing else, kept as written.
///
/// Escapes of characters that PostgreSQL cannot store become U+FFFD, and the row is marked as
/// repaired.
enum TextList: IndependentKind {
  static let summary = "array of strings"
  static let columns = [Column(.json, isPrivate: true)]

  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> KeptText? {
    if raw.kind == .null { return nil }
    guard raw.kind == .array, holdsOnlyStrings(raw.text) else {
      throw ValueProblem(.wrongType, "it must be an array of strings")
    }
    guard raw.text.count <= line.rules.limits.textBytes else {
      throw ValueProblem(
        .textTooLong, "it has \(raw.text.count) bytes; the limit is \(line.rules.limits.textBytes)")
    }
    var json = JSONValueWriter()
    let text = json.text(of: raw, in: &line.arena)
    if json.isRepaired { line.isTextRepaired = true }
    return text
  }

  /// - Parameter array: valid JSON.
  private static func holdsOnlyStrings(_ array: ByteSlice) -> Bool {
    var index = 1
    while index < array.count - 1 {
      if array[index] == UInt8(ascii: "\"") {
        index += 1
        while array[index] != UInt8(ascii: "\"") {
          index += array[index] == UInt8(ascii: "\\") ? 2 : 1
        }
      } else if array[index] != UInt8(ascii: ","), !ByteSlice.isWhiteSpace(array[index]) {
        return false
      }
      index += 1
    }
    return true
  }
}
