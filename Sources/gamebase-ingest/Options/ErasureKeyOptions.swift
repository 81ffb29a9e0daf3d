internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline

/// The option for the key that recognizes erased users.
struct ErasureKeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file of the key that recognizes erased users; \(ErasureKeyFile.environmentVariable) if unset.",
      discussion: "Required once a user has been erased.", valueName: "path"))
  var keyFile: String?

  /// Reads the key from its file; nil when neither the option nor the environment names a file.
  ///
  /// - Throws: `CommandFailure` when the file cannot be read or holds no key.
  func key() throws -> ErasureKey? {
    let environment = ProcessInfo.processInfo.environment[ErasureKeyFile.environmentVariable]
    guard let path = keyFile ?? environment, !path.isEmpty else { return nil }
    do throws(LoadError) { return try ErasureKeyFile(path).read() } catch {
      throw Terminal.failure(error)
    }
  }
}
