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
  private let appField: Spellings?

  /// - Returns: nil when the stream has no user field.
  init?(_ stream: RecordStream) {
    guard let userField = stream.field(of: UserID.self) else { return nil }
    self.userField = userField
    appField = stream.field(of: AppID.self)
  }

  /// - Returns: nil when the line has no valid user, or two different ones.
  func owner(of line: inout DecodedLine) -> LineOwner? {
    user(of: &line).map { LineOwner(user: Array($0.buffer), app: app(of: &line)) }
  }

  /// - Returns: nil when the line has no valid user, or two different ones.
  func user(of line: inout DecodedLine) -> ByteSlice? {
    try? line.required(userField, UserID.normalize)
  }

  /// - Returns: nil when the line has two different applications, or an invalid one.
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
