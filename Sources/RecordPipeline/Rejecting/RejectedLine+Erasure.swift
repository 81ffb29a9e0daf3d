extension RejectedLine {
  /// True when the line belongs to an erased user.
  ///
  /// If the owner is unknown, it is true when the stored part of the line contains the id of an
  /// erased user.
  package func mayBelong(to erased: ErasedUsers) -> Bool {
    if let owner {
      return owner.user.withUnsafeBufferPointer { erased.contain($0, of: owner.app) }
    }
    return raw.withUnsafeBufferPointer { raw in
      guard let start = raw.baseAddress else { return false }
      return NameSearch(erased).findsErasedUser(in: ByteSlice(start: start, count: raw.count))
    }
  }
}
