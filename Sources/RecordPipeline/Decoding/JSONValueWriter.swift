/// Writes one JSON value as `ExtraWriter` writes the value of a member.
struct JSONValueWriter {
  private var object = ExtraWriter()

  /// True when an escape was replaced.
  var isRepaired: Bool { object.isRepaired }

  /// - Returns: the value as JSON, valid as long as the strings of the line.
  mutating func text(of value: RawValue, in arena: inout TextArena) -> KeptText {
    object.append(ObjectMember(unnamed: value))
    // The object so far is the value after an empty name.
    return object.bytes.withUnsafeBufferPointer { bytes in
      KeptText(
        masked: arena.copy(UnsafeBufferPointer(rebasing: bytes["{\"\":".utf8.count...])))
    }
  }
}
