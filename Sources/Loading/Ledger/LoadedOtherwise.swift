/// An earlier load of the same bytes, with another `--app-id` or `--observed-at`.
struct LoadedOtherwise {
  let sourceFileID: Int
  let loadID: Int
  let path: String
  let appID: String?
  /// As text, UTC.
  let observedAt: String?

  /// The error that refuses to load the same bytes with other options.
  ///
  /// - Parameter options: the options of the refused load.
  func refusal(under options: LoadOptions) -> LoadError {
    let given = [
      appID.map { "--app-id \($0)" } ?? "no --app-id",
      observedAt.map { "--observed-at \($0)" } ?? "no --observed-at",
    ].joined(separator: " and ")
    let now =
      options.isAppIDSetting
      ? " Now --app-id \(options.appID ?? "") comes from the database's setting: to load the file under it, "
        + "undo \(sourceFileID) first." : ""
    return LoadError(
      .fileFailed,
      "its bytes are loaded already, with other options: as \(path) (file \(sourceFileID) of load "
        + "\(loadID)), with \(given).\(now) With the same options nothing is left to do; --reload-as "
        + "loads the lines again, in addition to the stored ones", code: .sameBytesOtherOptions,
      detail: ["source_file_id": String(sourceFileID), "load_id": String(loadID), "path": path])
  }
}
