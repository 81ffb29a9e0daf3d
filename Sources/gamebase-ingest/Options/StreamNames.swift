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

/// Joins names for a sentence: `a, b or c`.
func alternatives(_ names: [String]) -> String { enumeration(names, with: "or") }

/// Joins names for a sentence, with a conjunction before the last one: `a, b and c`.
func enumeration(_ names: [String], with conjunction: String) -> String {
  guard names.count > 1, let last = names.last else { return names.joined() }
  return names.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
}
