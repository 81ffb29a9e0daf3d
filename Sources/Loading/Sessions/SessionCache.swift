internal import Postgres
internal import RecordPipeline

/// What one file has looked up and the next need not: it never changes, or says when it does.
final class LookUps {
  private var rowDigestKey: RowDigest.Key?
  private var erasures: (state: [String?], users: ErasedUsers?)?

  /// What this database's rows are digested under.
  func rowDigestKey(_ ledger: Ledger) throws -> RowDigest.Key {
    if let rowDigestKey { return rowDigestKey }
    let key = try ledger.rowDigestKey()
    rowDigestKey = key
    return key
  }

  /// The users whose lines leave nothing; nil when nobody was ever erased.
  ///
  /// Behind the lock of the stream, where it stays true until the commit.
  /// - Throws: as `Ledger.erasedUsers`.
  func erasedUsers(_ ledger: Ledger, key: ErasureKey?) throws -> ErasedUsers? {
    let state = try ledger.stateOfErasures()
    if let erasures, erasures.state == state { return erasures.users }
    let users = try ledger.erasedUsers(key: key)
    erasures = (state, users)
    return users
  }
}
