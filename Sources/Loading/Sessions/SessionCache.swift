internal import RecordPipeline

/// Keeps values that every file needs, so that each is read once and not for every file.
///
/// The key of the row digests never changes. The erased users are read again when they have
/// changed.
final class SessionCache {
  private var rowDigestKey: RowDigest.Key?
  private var erasures: (state: Ledger.ErasureState, users: ErasedUsers?)?

  /// The key of this database's row digests.
  func rowDigestKey(_ ledger: Ledger) throws -> RowDigest.Key {
    if let rowDigestKey { return rowDigestKey }
    let key = try ledger.rowDigestKey()
    rowDigestKey = key
    return key
  }

  /// The erased users, whose lines are suppressed; nil when no user was ever erased.
  ///
  /// The caller holds the stream's lock, which keeps users from being erased until the commit.
  ///
  /// - Throws: as `Ledger.erasedUsers`.
  func erasedUsers(_ ledger: Ledger, key: ErasureKey?) throws -> ErasedUsers? {
    let state = try ledger.stateOfErasures()
    if let erasures, erasures.state == state { return erasures.users }
    let users = try ledger.erasedUsers(key: key)
    erasures = (state, users)
    return users
  }
}
