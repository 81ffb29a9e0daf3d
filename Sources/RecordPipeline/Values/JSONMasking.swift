internal import CSimdjson

/// Finds every secret in a JSON text, also in its names and strings at any depth, and in JSON that a
/// string holds.
struct JSONMasking {
  /// The form of the digest of a secret that the loader would refuse.
  enum RefusedForm {
    /// A JSON string, for text that is never replayed.
    case string
    /// A JSON array of that string, which a replay refuses as the load refused the secret.
    case array
  }

  /// The form of the digest of a secret that is not a string, or that the loader refuses.
  let refusedForm: RefusedForm
  /// The limit in bytes above which the loader refuses a secret.
  var textLimit = Int.max

  /// How many levels of strings within strings are read.
  ///
  /// Each level costs a pass over its text. A text below the last level is masked as a whole if it
  /// may hold a secret.
  static let stringLevels = 8

  func masked(json text: ByteSlice) -> [UInt8]? {
    masked(text, Secrets.mayBeNamed(in: text) ? edits(inJSON: text, level: 0) : [])
  }

  func masked(stringBody body: ByteSlice) -> [UInt8]? {
    masked(body, edits(inStringBody: body, level: 1))
  }

  func masked(text: ByteSlice) -> [UInt8]? {
    guard Secrets.mayBeNamed(in: text) else { return nil }
    return masked(text, edits(in: UnescapedString(text: text), level: 1))
  }

  private func masked(_ text: ByteSlice, _ edits: [Edit]) -> [UInt8]? {
    edits.isEmpty ? nil : text.applying(edits)
  }

  // MARK: - JSON

  /// - Parameter level: the number of strings around the text.
  private func edits(inJSON text: ByteSlice, level: Int) -> [Edit] {
    var edits: [Edit] = []
    var cursor = MaskingCursor(text)
    while !cursor.isAtEnd {
      guard cursor.isAt("\"") else {
        cursor.position += 1
        continue
      }
      let start = cursor.position
      let string = cursor.skipString()
      if cursor.isAt(":"), Secrets.isWritten(string) {
        cursor.position += 1
        cursor.skipWhiteSpace()
        if let edit = editOfValue(&cursor) { edits.append(edit) }
      } else {
        edits += self.edits(inStringBody: string, level: level + 1).map { $0.moved(by: start + 1) }
      }
    }
    return edits
  }

  /// The replacement of a secret's value; moves past the value.
  private func editOfValue(_ cursor: inout MaskingCursor) -> Edit? {
    let start = cursor.position
    if cursor.isAt("\"") {
      cursor.position = cursor.endOfString(from: start)
      let body = cursor.slice(start + 1, cursor.position - 1)
      // Only a text that is not JSON has an escape that is cut short.
      guard body.hasWholeEscapes else {
        return Edit(range: start..<cursor.position, bytes: digest(ofRefused: body))
      }
      var arena = TextArena()
      let secret = arena.unescape(body)
      guard !secret.bytes.isEmpty, Secrets.digest(writtenAs: secret.bytes) == nil else {
        return nil
      }
      let isRefused = secret.replacementCount > 0 || secret.bytes.count > textLimit
      if refusedForm == .array, isRefused {
        return Edit(range: start..<cursor.position, bytes: digest(ofRefused: secret.bytes))
      }
      return Edit(
        range: start + 1..<cursor.position - 1, bytes: Secrets.writtenDigest(of: secret.bytes))
    }
    if let (written, length) = cursor.refusedDigest {
      cursor.position += length
      return refusedForm == .array
        ? nil : Edit(range: start..<cursor.position, bytes: digest(ofRefused: written))
    }
    cursor.skipValue()
    let value = cursor.slice(start, cursor.position)
    if value == "null" || value.isEmpty { return nil }
    return Edit(range: start..<cursor.position, bytes: digest(ofRefused: value))
  }

  private func digest(ofRefused secret: ByteSlice) -> [UInt8] {
    Secrets.writtenDigest(of: secret, quotedAsArray: refusedForm == .array)
  }

  // MARK: - Strings

  private func edits(inStringBody body: ByteSlice, level: Int) -> [Edit] {
    guard Secrets.mayBeNamed(in: body) else { return [] }
    guard body.hasWholeEscapes else {
      var names = BareNameMasking(body, isValid: false)
      return names.edits()
    }
    let text = UnescapedString(body: body)
    return edits(in: text, level: level).map { text.escaped($0) }
  }

  private func edits(in text: UnescapedString, level: Int) -> [Edit] {
    text.withText { bytes in
      guard Secrets.mayBeNamed(in: bytes) else { return [] }
      if level > Self.stringLevels {
        return [Edit(range: 0..<bytes.count, bytes: Secrets.writtenDigest(of: bytes))]
      }
      if text.isJSON { return edits(inJSON: bytes, level: level) }
      var names = BareNameMasking(bytes, isValid: true)
      return names.edits()
    }
  }
}

/// The text of a JSON string with its escapes resolved, in memory that the JSON parser can read, and
/// the place of each byte in the string.
final class UnescapedString {
  private let memory: UnsafeMutablePointer<UInt8>
  private let count: Int
  /// The escapes of the string, in order.
  private let escapes: [Escape]

  /// An escape in the string, and the text that it stands for.
  private struct Escape {
    let textStart, textEnd, bodyStart, bodyEnd: UInt32
  }

  /// - Parameter text: the text of a string whose escapes were resolved before.
  init(text: ByteSlice) {
    memory = .allocate(capacity: text.count + gbi_json_padding())
    memory.initialize(repeating: 0, count: text.count + gbi_json_padding())
    memory.update(from: text.start, count: text.count)
    count = text.count
    escapes = []
  }

  /// - Parameter body: the text between the quotes of a valid JSON string.
  init(body: ByteSlice) {
    let padding = gbi_json_padding()
    memory = .allocate(capacity: body.count + padding)
    memory.initialize(repeating: 0, count: body.count + padding)
    var escapes: [Escape] = []
    var (read, written) = (0, 0)
    while read < body.count {
      guard body[read] == UInt8(ascii: "\\") else {
        memory[written] = body[read]
        written += 1
        read += 1
        continue
      }
      let (bodyStart, textStart) = (read, written)
      if body[read + 1] == UInt8(ascii: "u") {
        let named = unicodeEscape(body, at: read)
        read += named.length
        written += encodeUTF8(named.isStorable ? named.scalar : 0xFFFD, memory + written)
      } else {
        memory[written] = simpleEscape(body[read + 1])
        written += 1
        read += 2
      }
      escapes.append(
        Escape(
          textStart: UInt32(textStart), textEnd: UInt32(written), bodyStart: UInt32(bodyStart),
          bodyEnd: UInt32(read)))
    }
    count = written
    self.escapes = escapes
  }

  deinit { memory.deallocate() }

  /// Calls a function with the text.
  func withText<Value>(_ use: (ByteSlice) -> Value) -> Value {
    defer { withExtendedLifetime(self) {} }
    return use(ByteSlice(start: UnsafePointer(memory), count: count))
  }

  /// True when the text is a JSON object, array or string.
  var isJSON: Bool {
    withText { text in
      let first = text.buffer.first { !ByteSlice.isWhiteSpace($0) }
      guard let first, "{[\"".utf8.contains(first), let parser = gbi_json_parser_create() else {
        return false
      }
      defer { gbi_json_parser_destroy(parser) }
      var status = gbi_json_begin(parser, text.start, text.count, Limits.anyNesting)
      while status == GBI_JSON_MEMBER { status = gbi_json_next(parser) }
      return status == GBI_JSON_END || status == GBI_JSON_NOT_AN_OBJECT
    }
  }

  /// The replacement in the string for a replacement in the text.
  func escaped(_ edit: Edit) -> Edit {
    Edit(
      range: place(of: edit.range.lowerBound)..<place(of: edit.range.upperBound),
      bytes: edit.bytes.flatMap { byte in
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
          ? [UInt8(ascii: "\\"), byte] : [byte]
      })
  }

  /// The offset in the string of a byte of the text, or of the escape that it comes from; of the end
  /// of the text, the length of the string.
  private func place(of byte: Int) -> Int {
    var (low, high) = (0, escapes.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(escapes[middle].textStart) <= byte { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return byte }
    let last = escapes[low - 1]
    return byte < Int(last.textEnd)
      ? Int(last.bodyStart) : Int(last.bodyEnd) + byte - Int(last.textEnd)
  }
}
