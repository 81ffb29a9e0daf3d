/// The user and the application that a line belongs to.
package struct LineOwner: Sendable, Equatable {
  /// Empty when the line has none and needs none.
  package let user: [UInt8]
  /// Empty when neither the line nor a default gives one; nil when the line gives two different
  /// applications or an invalid one.
  package let app: [UInt8]?
}

extension DecodedLine {
  /// The application of the line or the default; nil when it is refused.
  var app: [UInt8]? {
    if isRefused(appField) { return nil }
    return facts.app.map { Array($0.bytes.buffer) } ?? Array(rules.appID.utf8)
  }
}
