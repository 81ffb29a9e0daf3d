internal import Postgres
internal import RecordPipeline

extension Ledger {
  /// A value that changes with every erasure and every change of the key.
  struct ErasureState: Equatable, Decodable {
    fileprivate let users: Int
    private let newest: String?
    fileprivate let checkValue: [UInt8]?
  }

  func stateOfErasures() throws -> ErasureState {
    try connection.onlyRow(
      of: ErasureState.self,
      """
      select count(*) as users, max(erased_at) as newest,
          (select check_value from ingest.erasure_key) as check_value
        from ingest.erased_user
      """)
  }

  /// The erased users, whose lines are suppressed; nil when no user was ever erased.
  ///
  /// The caller holds the stream's lock. An erasure takes that lock too, so the answer stays valid
  /// until the commit.
  ///
  /// - Throws: `LoadError` with exit code 78 when users were erased and the key is missing or
  ///   wrong, or the database has lost the check value of the key.
  func erasedUsers(key: ErasureKey?) throws -> ErasedUsers? {
    let state = try stateOfErasures()
    guard state.users > 0 else { return nil }
    guard let checkValue = state.checkValue else {
      throw LoadError(
        .configuration,
        "users were erased from this database, but ingest.erasure_key is empty, so the key cannot be checked: "
          + "restore its row from a backup of the database; nothing was done")
    }
    let howToGive =
      "give it by --key-file or \(ErasureKeyFile.environmentVariable); without it lines of erased users "
      + "cannot be recognized, so nothing was done"
    guard let key else {
      throw LoadError(
        .configuration,
        "users were erased from this database, and the key to recognize them is needed: \(howToGive)"
      )
    }
    guard checkValue == key.checkValue else {
      throw LoadError(
        .configuration, "the key differs from the key of earlier erasures: \(howToGive)")
    }
    let tombstones = try connection.rows(
      of: Tombstone.self, "select user_hmac, app_id from ingest.erased_user")
    return ErasedUsers(
      tombstones.map { ($0.userHMAC, $0.appID.map { Array($0.utf8) }) }, key: key)
  }

  private struct Tombstone: Decodable {
    let userHMAC: [UInt8]
    let appID: String?
  }
}
