internal import ArgumentParser
internal import RecordPipeline

/// Checks the value of `--stream`.
///
/// - Parameter name: nil: the option is not given.
/// - Throws: `ValidationError` when no stream has that name.
func checkStream(_ name: String?) throws {
  guard let name, StreamCatalog.stream(named: name) == nil else { return }
  let names = StreamCatalog.all.map(\.name).joined(separator: ", ")
  throw ValidationError("--stream must be one of \(names).")
}
