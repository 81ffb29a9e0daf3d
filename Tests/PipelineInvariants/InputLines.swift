/// The lines of a file, split independently of the reader: at 0x0A, without one carriage return
/// before it, and without a byte-order mark at the start of the file.
struct InputLines {
  struct Line {
    let bytes: ArraySlice<UInt8>
    let hasLineFeed: Bool
    /// The position of its first byte in the file.
    var byteOffset: Int { bytes.startIndex }

    var isBlank: Bool { bytes.allSatisfy { [0x20, 0x09, 0x0D].contains($0) } }
  }

  let lines: [Line]

  init(_ input: [UInt8]) {
    var rest = input[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    var pieces = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
    // The bytes after the last newline are a line, unless there are none.
    if pieces.last?.isEmpty == true { pieces.removeLast() }
    lines = pieces.map { piece in
      Line(
        bytes: piece.last == 0x0D ? piece.dropLast() : piece,
        hasLineFeed: piece.endIndex < input.endIndex)
    }
  }
}
