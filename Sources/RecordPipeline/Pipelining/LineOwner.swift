/// The user and the application that a line belongs to.
package struct LineOwner: Sendable, Equatable {
  package let user: [UInt8]
  /// Empty when neither the line nor a default gives one; nil when the line gives two different
  /// applications or an invalid one.
  package let app: [UInt8]?
}

/// Reads the owner of a decoded line, even if other fields of the line are invalid.
struct LineOwnerReader {
  private let userField: FieldSlots
  private let isUserOptional: Bool
  private let appField: FieldSlots?
  private let embeddedOwner: EmbeddedOwner.Reader?

  /// - Returns: nil when the stream has no user field.
  init?(_ stream: RecordStream) {
    if let field = stream.field(of: UserID.self) {
      (userField, isUserOptional) = (field, false)
    } else if let field = stream.field(of: OptionalUserID.self)
      ?? stream.field(of: UnstoredUserID.self)
    {
      (userField, isUserOptional) = (field, true)
    } else {
      return nil
    }
    appField = stream.field(of: AppID.self)
    embeddedOwner = stream.embeddedOwner
  }

  /// - Returns: nil when the line has no valid user, or two different ones; also when the record
  ///   within the line has another owner, or none that can be read.
  func owner(of line: inout DecodedLine) -> LineOwner? {
    let embedded = embeddedOwner(of: &line)
    return owner(of: &line, with: embedded)
  }

  func owner(of line: inout DecodedLine, with embedded: EmbeddedOwner) -> LineOwner? {
    let user: KeptText?
    do throws(Rejection) { user = try readUser(of: &line) } catch { return nil }
    let owner = user.map { LineOwner(user: Array($0.bytes.buffer), app: app(of: &line)) }
    switch embedded {
    case .none: return owner
    case .unreadable: return nil
    case .owner(let user, let app):
      let embedded = LineOwner(user: user, app: app)
      return owner == nil || owner == embedded ? embedded : nil
    }
  }

  /// The owner of the record within the line.
  func embeddedOwner(of line: inout DecodedLine) -> EmbeddedOwner {
    embeddedOwner?(&line) ?? .none
  }

  /// - Returns: nil when the line has no valid user, or two different ones.
  func user(of line: inout DecodedLine) -> KeptText? { try? readUser(of: &line) }

  @inline(__always)
  private func readUser(of line: inout DecodedLine) throws(Rejection) -> KeptText? {
    isUserOptional
      ? try line.value(userField, OptionalUserID.normalize)
      : try line.required(userField, UserID.normalize)
  }

  /// - Returns: nil when the line has two different applications, or an invalid one.
  func app(of line: inout DecodedLine) -> [UInt8]? {
    do throws(Rejection) {
      let given = try appField.flatMap { field throws(Rejection) in
        try line.value(field, AppID.normalize)
      }
      return given.map { Array($0.bytes.buffer) } ?? Array(line.rules.appID.utf8)
    } catch {
      return nil
    }
  }
}

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
