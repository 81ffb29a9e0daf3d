/// The version of this program, as `--version` prints it and the ledger stores it.
enum Version { static let current = "1.0.0" }
