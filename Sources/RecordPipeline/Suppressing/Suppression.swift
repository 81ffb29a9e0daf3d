/// Recognizes the lines of erased users in one stream.
///
/// It exists only when there are erased users, so that loads without erasures pay nothing for it.
struct Suppression {
  private let erased: ErasedUsers
  private let reader: LineOwnerReader
  private let search: NameSearch

  /// The verdict on a line's owner.
  enum Owner {
    case erased, notErased
    /// The line cannot be decoded, or has no valid user, or two different ones; or the record
    /// within it has another user, or one that cannot be read.
    case unknown
  }

  /// - Parameter erased: nil when no user was erased.
  init?(_ erased: ErasedUsers?, in stream: RecordStream) {
    guard let erased, let reader = LineOwnerReader(stream) else { return nil }
    self.erased = erased
    self.reader = reader
    search = NameSearch(erased)
  }

  func owner(of line: inout DecodedLine) -> Owner {
    let user = reader.user(of: &line)
    if let user, erased.contain(user.bytes.buffer, of: reader.app(of: &line)) { return .erased }
    let embedded = reader.embeddedOwner(of: &line)
    switch embedded {
    case .none: return user == nil ? .unknown : .notErased
    case .unreadable: return .unknown
    case .owner(let user, let app):
      if user.withUnsafeBufferPointer({ erased.contain($0, of: app) }) { return .erased }
      return reader.owner(of: &line, with: embedded) == nil ? .unknown : .notErased
    }
  }

  /// True when a line with an unknown owner contains the id of an erased user.
  func isErasedUserNamed(in line: ByteSlice) -> Bool { search.findsErasedUser(in: line) }

  /// True when the masked copy of such a line contains an id that the search of the line does not reach.
  ///
  /// Masking a long token moves later bytes of the line into the part that a reject stores.
  func isErasedUserNamed(inCopy copy: [UInt8], ofLineWith byteCount: Int) -> Bool {
    guard byteCount > NameSearch.searchedBytes else { return false }
    return copy.withUnsafeBufferPointer { copy in
      guard let start = copy.baseAddress else { return false }
      return search.findsErasedUser(in: ByteSlice(start: start, count: copy.count))
    }
  }
}
