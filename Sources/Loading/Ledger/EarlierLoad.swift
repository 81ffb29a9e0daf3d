/// The ledger's answer on whether a file's bytes were loaded before.
enum EarlierLoad {
  case none
  /// The bytes were loaded with the same options, so there is nothing to do.
  case same
  /// The bytes were loaded in the same stream, but with another `--app-id` or `--observed-at`.
  case otherwise(LoadedOtherwise)

  /// False for bytes that are loaded already, and for bytes that were loaded with other options unless
  /// `--reload-as` is given.
  func allowsLoad(_ options: LoadOptions) -> Bool {
    switch self {
    case .none: true
    case .same: false
    case .otherwise: options.reloadsUnderNewOptions
    }
  }
}
