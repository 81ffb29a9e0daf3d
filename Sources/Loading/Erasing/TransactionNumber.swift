/// The 64-bit number of a transaction (`xid8`), which never wraps around.
package struct TransactionNumber: Sendable, Equatable {
  private let value: UInt64

  package init(_ value: UInt64) { self.value = value }

  /// True when a snapshot can still see the rows that this transaction has deleted.
  ///
  /// - Parameter oldest: the oldest transaction that the snapshot sees as running. It is an `xid`,
  ///   the lower 32 bits of a number; modulo 2^32, an `xid` precedes the 2^31 numbers after it.
  package func isHeld(by oldest: UInt32) -> Bool {
    Int32(bitPattern: UInt32(truncatingIfNeeded: value) &- oldest) >= 0
  }
}
