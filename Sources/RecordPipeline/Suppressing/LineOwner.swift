/// The user and the application that a line belongs to.
package struct LineOwner: Sendable, Equatable {
  package let user: [UInt8]
  /// Empty when neither the line nor a default gives one; nil when the line gives two different
  /// applications or an invalid one.
  package let app: [UInt8]?
}

/// Reads the owner of a decoded line, even if other fields of the line are invalid.
struct LineOwnerReader {
  private let userField: Spellings
  private let isUserOptional: Bool
  private let appField: Spellings?
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
