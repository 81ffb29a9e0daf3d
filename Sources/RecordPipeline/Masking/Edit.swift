/// A replacement of some bytes of a text.
struct Edit {
  let range: Range<Int>
  let bytes: [UInt8]

  func moved(by distance: Int) -> Edit {
    Edit(range: range.lowerBound + distance..<range.upperBound + distance, bytes: bytes)
  }
}

extension ByteSlice {
  /// A copy of the text with some bytes replaced.
  ///
  /// - Parameter edits: in the order of the text, without overlaps.
  func applying(_ edits: [Edit]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(count + 128)
    var position = 0
    for edit in edits {
      output.append(contentsOf: buffer[position..<edit.range.lowerBound])
      output.append(contentsOf: edit.bytes)
      position = edit.range.upperBound
    }
    output.append(contentsOf: buffer[position...])
    return output
  }
}
