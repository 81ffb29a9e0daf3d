/// The 64-bit number of a transaction, which never wraps around.
package struct TransactionNumber: Sendable, Equatable {
  private let value: UInt64

  package init(_ value: UInt64) { self.value = value }

  /// - Parameter text: an `xid8` as PostgreSQL prints it.
  init?(_ text: String?) {
    guard let value = text.flatMap({ UInt64($0) }) else { return nil }
    self.value = value
  }

  /// True when a snapshot with this oldest transaction still sees the rows that `self` has deleted.
  ///
  /// - Parameter oldest: an `xid`, the lower 32 bits of a number; an `xid` precedes the 2^31 that follow
  ///   it, modulo 2^32.
  package func isHeld(by oldest: UInt32) -> Bool {
    Int32(bitPattern: UInt32(truncatingIfNeeded: value) &- oldest) >= 0
  }
}
