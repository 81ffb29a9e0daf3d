/// Tells lines of erased users from others, for one stream.
///
/// Only made when there are erased users: the way of a line is the same as ever without them.
struct Suppression {
  private let erased: ErasedUsers
  private let reader: LineOwnerReader
  private let search: NameSearch

  /// Whose a line is.
  enum Owner {
    case erased, notErased
    /// The line cannot be read, or has no user or two.
    case unknown
  }

  /// - Parameter erased: nil: nobody was erased.
  init?(_ erased: ErasedUsers?, in stream: RecordStream) {
    guard let erased, let reader = LineOwnerReader(stream) else { return nil }
    self.erased = erased
    self.reader = reader
    search = NameSearch(erased)
  }

  func owner(of line: inout DecodedLine) -> Owner {
    guard let user = reader.user(of: &line) else { return .unknown }
    return erased.contain(user.buffer, of: reader.app(of: &line)) ? .erased : .notErased
  }

  /// True when something in a line whose owner is unknown is the id of an erased user.
  func isErasedUserNamed(in line: ByteSlice) -> Bool { search.findsErasedUser(in: line) }
}
