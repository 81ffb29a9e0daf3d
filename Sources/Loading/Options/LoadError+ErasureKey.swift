extension LoadError {
  private static let howToGiveKey =
    "give it by --key-file or \(ErasureKeyFile.environmentVariable); without it lines of erased users "
    + "cannot be recognized, so nothing was done"

  static let erasureKeyMissing = LoadError(
    .configuration,
    "users were erased from this database, and the key to recognize them is needed: \(howToGiveKey)",
    endsRun: true)

  static let erasureKeyWrong = LoadError(
    .configuration, "the key differs from the key of earlier erasures: \(howToGiveKey)",
    endsRun: true)

  static let erasureKeyRowLost = LoadError(
    .configuration,
    "users were erased from this database, but ingest.erasure_key is empty, so the key cannot be checked: "
      + "restore its row from a backup of the database; nothing was done", endsRun: true)
}
