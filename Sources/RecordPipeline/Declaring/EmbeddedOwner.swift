/// The owner of the record within a line.
enum EmbeddedOwner {
  typealias Reader = @Sendable (inout DecodedLine) -> EmbeddedOwner

  /// The line has no such record, or the record names no user of its own.
  case none
  /// The record, or its user, cannot be read.
  case unreadable
  /// `app` is nil when the record gives two different applications or an invalid one.
  case owner(user: [UInt8], app: [UInt8]?)
}
