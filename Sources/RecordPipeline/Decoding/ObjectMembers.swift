/// The members of a JSON object, equal in any order of members with the same bytes.
///
/// The merge compares stored objects in the same way (`staging.comparable`).
struct ObjectMembers: Equatable {
  private let members: [[[UInt8]]]

  /// - Parameter text: `LineDecoder.padding` readable bytes must follow it.
  /// - Returns: nil when the text is not one object.
  init?(of text: ByteSlice) {
    var members: [[[UInt8]]] = []
    var arena = TextArena()
    do throws(Rejection) {
      try ObjectParser().forEachMember(of: text, maxDepth: Limits.anyNesting) {
        member throws(Rejection) in
        let name = arena.unescape(member.key).bytes
        let value = member.value
        members.append([Array(name.buffer), [value.kind.rawValue], Array(value.text.buffer)])
      }
    } catch {
      return nil
    }
    self.members = members.sorted { left, right in
      left.lazy.joined(separator: [0]).lexicographicallyPrecedes(right.lazy.joined(separator: [0]))
    }
  }

  /// True when two texts are the same, or objects of the same members.
  static func areSame(_ left: ByteSlice, _ right: ByteSlice) -> Bool {
    if left == right { return true }
    guard let members = ObjectMembers(of: left) else { return false }
    return members == ObjectMembers(of: right)
  }
}
