internal import ArgumentParser
internal import Loading
internal import RecordPipeline

extension MaxAge: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}

/// Checks the streams of `--max-age`.
///
/// - Throws: `ValidationError` when one is no stream.
func checkStreams(of maxAges: [MaxAge]) throws {
  for age in maxAges {
    guard let stream = age.stream, StreamCatalog.stream(named: stream) == nil else { continue }
    let names = StreamCatalog.all.map(\.name).joined(separator: ", ")
    throw ValidationError("--max-age: \(stream) is no stream; the streams are \(names).")
  }
}
