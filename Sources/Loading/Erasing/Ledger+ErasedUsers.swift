internal import Postgres
internal import RecordPipeline

extension Ledger {
  /// The users whose lines leave nothing; nil when nobody was ever erased.
  ///
  /// Behind the lock of the stream, where it stays true until the commit: an erasure takes that lock.
  /// - Throws: `LoadError` with exit code 78 when there are some and the key is missing or another.
  func erasedUsers(key: ErasureKey?) throws -> ErasedUsers? {
    let result = try connection.query(
      """
      select e.user_hmac, e.app_id, k.check_value
        from ingest.erased_user e cross join ingest.erasure_key k
      """, binaryResult: true)
    guard result.rowCount > 0 else { return nil }
    guard let key else { throw LoadError.erasureKeyMissing }
    guard result.bytes(row: 0, column: 2) == key.checkValue else {
      throw LoadError.erasureKeyWrong
    }
    return ErasedUsers(
      (0..<result.rowCount).compactMap { row in
        result.bytes(row: row, column: 0).map { ($0, result.bytes(row: row, column: 1)) }
      }, key: key)
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
}
