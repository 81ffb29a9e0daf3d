internal import Foundation
internal import Loading

/// The destination of `report --html`: a file, or standard output for `-`.
struct PageDestination {
  private let path: String

  private var isStandardOutput: Bool { path == "-" }

  init(_ path: String) { self.path = path }

  /// Checks before the queries whether the page can be written.
  ///
  /// - Throws: `CommandFailure` with exit code 74 when it cannot be written.
  func check() throws {
    guard !isStandardOutput else { return }
    try reportingFailures { try OutputFile(path, mode: 0o640).check() }
  }

  /// Writes the page; a file is replaced only when the page is complete.
  ///
  /// - Throws: `CommandFailure` with exit code 74 when it cannot be written.
  func write(_ html: String) throws {
    if isStandardOutput { return try Terminal.output(html) }
    try reportingFailures {
      try OutputFile(path, mode: 0o640).write { try $0.write(contentsOf: Data(html.utf8)) }
    }
    Terminal.note("wrote \(printable(path))")
  }

  private func reportingFailures(_ body: () throws -> Void) throws {
    do { try body() } catch {
      throw Terminal.failure(
        .outputFailed,
        "cannot write the page \(path): \(error as? OutputFile.Failure ?? OutputFile.Failure(error)); "
          + "an existing page is unchanged")
    }
  }
}
