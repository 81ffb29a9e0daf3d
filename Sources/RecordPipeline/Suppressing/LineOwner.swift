/// The user whose line it is, and the application, as far as both can be read.
package struct LineOwner: Sendable, Equatable {
  package let user: [UInt8]
  /// Empty: none; nil: the line names two, or something that is no application.
  package let app: [UInt8]?
}

/// Reads the owner of a line that is one JSON object, whatever else is wrong with it.
struct LineOwnerReader {
  private let userField: Spellings
  private let appField: Spellings?

  /// - Returns: nil when the stream's lines have no user.
  init?(_ stream: RecordStream) {
    guard let userField = stream.field(of: UserID.self) else { return nil }
    self.userField = userField
    appField = stream.field(of: AppID.self)
  }

  /// - Returns: nil when the line has no user, or two.
  func owner(of line: inout DecodedLine) -> LineOwner? {
    user(of: &line).map { LineOwner(user: Array($0.buffer), app: app(of: &line)) }
  }

  /// - Returns: nil when the line has no user, or two.
  func user(of line: inout DecodedLine) -> ByteSlice? {
    try? line.required(userField, UserID.normalize)
  }

  /// - Returns: nil when the line has two, or something that is no application.
  func app(of line: inout DecodedLine) -> [UInt8]? {
    do throws(Rejection) {
      let given = try appField.flatMap { field throws(Rejection) in
        try line.value(field, AppID.normalize)
      }
      return given.map { Array($0.buffer) } ?? Array(line.rules.appID.utf8)
    } catch {
      return nil
    }
  }
}
