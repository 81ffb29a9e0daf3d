internal import Postgres
internal import RecordPipeline

extension Ledger {
  /// The users whose lines leave nothing; nil when nobody was ever erased.
  ///
  /// Behind the lock of the stream, where it stays true until the commit: an erasure takes that lock.
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

  /// Something that another erasure, or another key, makes another.
  func stateOfErasures() throws -> [String?] {
    try connection.query(
      """
      select count(*), max(erased_at), count(user_filter), (select check_value from ingest.erasure_key)
        from ingest.erased_user
      """
    ).rows.first ?? []
  }

  /// Whether there are any, and the key is theirs.
  ///
  /// - Throws: `LoadError` with exit code 78 when there are some and the key is missing or another, or
  ///   the database has lost what tells whether it is.
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

extension LoadError {
  private static let howToGiveKey =
    "give it by --key-file or \(ErasureKeyFile.environmentVariable); without it a line of an erased "
    + "user cannot be told from others, so nothing was done"

  static let erasureKeyMissing = LoadError(
    .configuration,
    "users were erased from this database, and the key to recognize them is needed: \(howToGiveKey)",
    endsRun: true)

  static let erasureKeyWrong = LoadError(
    .configuration, "the key is not the one that users were erased with: \(howToGiveKey)",
    endsRun: true)

  static let erasureKeyRowLost = LoadError(
    .configuration,
    "users were erased from this database, but ingest.erasure_key has lost its row, by which the key "
      + "to recognize them is checked: restore that row from a backup of the database; nothing was "
      + "done", endsRun: true)
}
