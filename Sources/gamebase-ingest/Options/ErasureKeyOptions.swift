internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline

/// Where the key is by which erased users are recognized.
struct ErasureKeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The key by which erased users are recognized; \(ErasureKeyFile.environmentVariable) if unset.",
      discussion: "Needed once a user has been erased.", valueName: "path"))
  var keyFile: String?

  /// The key, read from its file; nil when none is named.
  func key() throws -> ErasureKey? {
    let environment = ProcessInfo.processInfo.environment[ErasureKeyFile.environmentVariable]
    guard let path = keyFile ?? environment, !path.isEmpty else { return nil }
    do throws(LoadError) { return try ErasureKeyFile(path).read() } catch {
      throw Terminal.failure(error)
    }
  }
}
