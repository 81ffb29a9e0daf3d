internal import SHA256

/// The small files beside a data file that tell what its writer wrote: its digest, or its number of
/// lines.
///
/// A copy that broke off between two lines cannot be seen in the data. A sidecar shows it.
package struct Sidecars {
  /// The SHA-256 of the stored bytes, as `sha256sum` writes it.
  static let digestSuffix = ".sha256"
  /// The number of lines that are not blank, of the decoded bytes.
  static let countSuffix = ".count"

  /// The suffixes that a sidecar adds to the name of its file.
  package static let suffixes = [digestSuffix, countSuffix]

  /// The most bytes of a sidecar; a digest with a name of 4,096 bytes fits.
  private static let largestSize = 8192

  private let input: Input
  private let options: ReadOptions

  package init(of input: Input, options: ReadOptions) {
    self.input = input
    self.options = options
  }

  /// True when a file of this name would be a sidecar, and the file that it belongs to exists.
  static func isSidecar(_ path: String) -> Bool {
    for suffix in suffixes where path.hasSuffix(suffix) {
      return RecordPipeline.exists(String(path.dropLast(suffix.count)))
    }
    return false
  }

  /// True when the file has a sidecar.
  static func exist(beside input: Input) -> Bool {
    suffixes.contains { exists($0, beside: input) }
  }

  private static func exists(_ suffix: String, beside input: Input) -> Bool {
    input.object == nil && RecordPipeline.exists(input.path + suffix)
  }

  /// Compares the file with its sidecars; a file without one passes.
  ///
  /// The file is read once for each sidecar, and is then at its start again.
  ///
  /// - Parameters:
  ///   - file: a regular file, at its start.
  ///   - check: called before each read; an error that it throws ends the reading.
  /// - Throws: `ReadError` when a sidecar says something else, or cannot be read.
  package func check(_ file: InputFile, checking check: () throws -> Void = {}) throws {
    guard !file.isStreamed else { return }
    if let text = try text(of: Self.digestSuffix) {
      let expected = try digest(in: text)
      let (sha256, _) = try SHA256.digest(of: file, checking: check)
      try file.checkUnchanged()
      try file.rewind()
      guard sha256 == expected else {
        throw ReadError(
          .checksumMismatch,
          "does not have the SHA-256 that \(name(Self.digestSuffix)) tells; the file is incomplete, or "
            + "the sidecar is that of another version: get both again")
      }
    }
    if let text = try text(of: Self.countSuffix) {
      let expected = try count(in: text)
      let found = try NonBlankLines.count(in: DecodedSource(file), checking: check)
      try file.checkUnchanged()
      try file.rewind()
      guard found == expected else {
        throw ReadError(
          .lineCountMismatch,
          "has \(found) lines that are not blank, and \(name(Self.countSuffix)) tells \(expected); the "
            + "file is incomplete, or the sidecar is that of another version: get both again",
          detail: ["lines": String(found), "expected_lines": String(expected)])
      }
    }
  }

  /// The text of a sidecar; nil: there is none.
  private func text(of suffix: String) throws(ReadError) -> String? {
    guard Self.exists(suffix, beside: input) else { return nil }
    var options = options
    options.allowsPipes = false
    let sidecar = Input(path: input.path + suffix, stream: "", folder: input.folder)
    let file: InputFile
    do {
      file = try InputFile(sidecar, options: options)
    } catch {
      throw invalid(suffix, error.message)
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.largestSize + 1, alignment: 1)
    defer { buffer.deallocate() }
    var length = 0
    while length < buffer.count {
      let got = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[length...]))
      if got == 0 { break }
      length += got
    }
    guard length <= Self.largestSize,
      let text = String(validating: buffer[..<length], as: UTF8.self)
    else { throw invalid(suffix, "is no short text") }
    return text
  }

  /// The digest of a line as `sha256sum` writes it: 64 hexadecimal digits, and perhaps a name.
  private func digest(in text: String) throws(ReadError) -> [UInt8] {
    // A backslash stands before the digest of a file whose name has one.
    let word = text.utf8.drop { $0 == UInt8(ascii: "\\") }.prefix { !ByteSlice.isWhiteSpace($0) }
    guard let digest = bytes(ofHexadecimal: String(decoding: Array(word), as: UTF8.self)),
      digest.count == 32
    else { throw invalid(Self.digestSuffix, "does not begin with 64 hexadecimal digits") }
    return digest
  }

  private func count(in text: String) throws(ReadError) -> Int {
    let word = text.utf8.drop(while: ByteSlice.isWhiteSpace).prefix { !ByteSlice.isWhiteSpace($0) }
    let isNumber = word.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isNumber, let count = Int(String(decoding: word, as: UTF8.self)) else {
      throw invalid(Self.countSuffix, "does not begin with a number of lines")
    }
    return count
  }

  private func invalid(_ suffix: String, _ reason: String) -> ReadError {
    ReadError(
      .sidecarInvalid,
      "cannot be compared with its sidecar: \(name(suffix)) \(reason); get it again, or remove it")
  }

  /// The name of a sidecar, without its folder.
  private func name(_ suffix: String) -> String {
    (pathParts(input.path).last.map { String($0) } ?? input.path) + suffix
  }
}
