/// Tells lines of erased users from others, for one stream.
///
/// Only made when there are erased users: the way of a line is the same as ever without them.
struct Suppression {
  private let erased: ErasedUsers
  private let reader: LineOwnerReader
  private let search: NameSearch

  /// Whose a line is.
  enum Owner {
    case erased, somebodyElse
    /// The line cannot be read, or has no user or two.
    case unknown
  }

  /// - Parameter erased: nil: nobody was erased.
  init?(_ erased: ErasedUsers?, in names: FieldNames) {
    guard let erased, let reader = LineOwnerReader(names) else { return nil }
    self.erased = erased
    self.reader = reader
    search = NameSearch(erased)
  }

  func owner(of line: inout DecodedLine) -> Owner {
    guard let user = reader.user(of: &line) else { return .unknown }
    return erased.contain(user.buffer, of: reader.app(of: &line)) ? .erased : .somebodyElse
  }

  /// True when something in a line whose owner is unknown is the id of an erased user.
  func isErasedUserNamed(in line: ByteSlice) -> Bool { search.findsErasedUser(in: line) }
}

extension ErasedUsers {
  /// True when a refused line is of an erased user, or could be and names one in what is kept of it.
  package func mayOwn(_ reject: RejectedLine) -> Bool {
    if let owner = reject.owner {
      return owner.user.withUnsafeBufferPointer { contain($0, of: owner.app) }
    }
    return reject.raw.withUnsafeBufferPointer { raw in
      guard let start = raw.baseAddress else { return false }
      return NameSearch(self).findsErasedUser(in: ByteSlice(start: start, count: raw.count))
    }
  }
}
