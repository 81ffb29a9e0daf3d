/// The ledger's answer to the question whether a file's bytes were loaded before.
enum EarlierLoad {
  case none
  /// The bytes were loaded with the same options, so there is nothing to do.
  case same
  /// The bytes were loaded in the same stream, but with another `--app-id` or `--observed-at`.
  case otherwise(LoadedOtherwise)

  /// True when the bytes are new, or were loaded with other options and `--reload-as` is given.
  func allowsLoad(_ options: LoadOptions) -> Bool {
    switch self {
    case .none: true
    case .same: false
    case .otherwise: options.reloadsUnderNewOptions
    }
  }
}
