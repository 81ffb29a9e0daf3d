internal import RecordPipeline

/// Values looked up for one file that the next file reuses: constants of the database, and values whose
/// change is detected.
final class SessionCache {
  private var rowDigestKey: RowDigest.Key?
  private var erasures: (state: [String?], users: ErasedUsers?)?

  /// The key of this database's row digests.
  func rowDigestKey(_ ledger: Ledger) throws -> RowDigest.Key {
    if let rowDigestKey { return rowDigestKey }
    let key = try ledger.rowDigestKey()
    rowDigestKey = key
    return key
  }

  /// The erased users, whose lines are suppressed; nil when no user was ever erased.
  ///
  /// The caller holds the stream's lock, under which the answer stays valid until the commit.
  /// - Throws: as `Ledger.erasedUsers`.
  func erasedUsers(_ ledger: Ledger, key: ErasureKey?) throws -> ErasedUsers? {
    let state = try ledger.stateOfErasures()
    if let erasures, erasures.state == state { return erasures.users }
    let users = try ledger.erasedUsers(key: key)
    erasures = (state, users)
    return users
  }
}
