/// The user and the application that a line belongs to.
package struct LineOwner: Sendable, Equatable {
  /// Empty when the line has none and needs none.
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

  /// - Returns: nil when a user of the line, or of the record within it, breaks a rule or is missing,
  ///   and when the line and the record have different users.
  func owner(of line: inout DecodedLine) -> LineOwner? {
    let own: LineOwner
    do throws(Rejection) {
      let user = try readUser(of: &line)
      own = LineOwner(user: user.map { Array($0.bytes.buffer) } ?? [], app: app(of: &line))
    } catch { return nil }
    switch embeddedOwner(of: &line) {
    case .none: return own
    case .unreadable: return nil
    case .owner(let user, let app):
      if own.user.isEmpty { return LineOwner(user: user, app: app) }
      return own.user == user ? LineOwner(user: user, app: own.app == app ? app : nil) : nil
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

  /// - Parameter erased: nil when no user was erased.
  init?(_ erased: ErasedUsers?, in stream: RecordStream) {
    guard let erased, let reader = LineOwnerReader(stream) else { return nil }
    self.erased = erased
    self.reader = reader
  }

  /// True when the user of the line, or of the record within it, was erased.
  func isOfErasedUser(_ line: inout DecodedLine) -> Bool {
    if let user = reader.user(of: &line),
      erased.contain(user.bytes.buffer, of: reader.app(of: &line))
    {
      return true
    }
    guard case .owner(let user, let app) = reader.embeddedOwner(of: &line) else { return false }
    return user.withUnsafeBufferPointer { erased.contain($0, of: app) }
  }
}
