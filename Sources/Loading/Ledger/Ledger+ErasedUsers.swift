internal import Postgres
internal import RecordPipeline

extension Ledger {
  /// The erased users, whose lines are suppressed; nil when no user was ever erased.
  ///
  /// The caller holds the stream's lock. An erasure takes that lock too, so the answer stays valid
  /// until the commit.
  ///
  /// - Throws: as `hasErasedUsers`.
  func erasedUsers(key: ErasureKey?) throws -> ErasedUsers? {
    guard try hasErasedUsers(key: key), let key else { return nil }
    let result = try connection.query(
      "select user_hmac, user_filter, app_id from ingest.erased_user", binaryResult: true)
    return ErasedUsers(
      (0..<result.rowCount).compactMap { row in
        result.bytes(row: row, column: 0).map { tombstone in
          ErasedUsers.User(
            tombstone: tombstone,
            filter: result.bytes(row: row, column: 1)?.reduce(0) { $0 << 8 | UInt64($1) },
            appID: result.bytes(row: row, column: 2))
        }
      }, key: key)
  }

  /// A value that changes with every erasure and every change of the key.
  func stateOfErasures() throws -> [String?] {
    try connection.query(
      """
      select count(*), max(erased_at), count(user_filter), (select check_value from ingest.erasure_key)
        from ingest.erased_user
      """
    ).rows.first ?? []
  }

  /// True when users were erased, after a check that the key is the one they were erased with.
  ///
  /// - Throws: `LoadError` with exit code 78 when users were erased and the key is missing or
  ///   wrong, or the database has lost the check value of the key.
  func hasErasedUsers(key: ErasureKey?) throws -> Bool {
    let result = try connection.query(
      """
      select (select check_value from ingest.erasure_key)
        where exists (select from ingest.erased_user)
      """, binaryResult: true)
    guard result.rowCount > 0 else { return false }
    guard let checkValue = result.bytes(row: 0, column: 0) else {
      throw LoadError.erasureKeyRowLost
    }
    guard let key else { throw LoadError.erasureKeyMissing }
    guard checkValue == key.checkValue else { throw LoadError.erasureKeyWrong }
    return true
  }
}
