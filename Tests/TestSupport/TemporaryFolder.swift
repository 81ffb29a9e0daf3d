internal import Foundation

/// A folder that is removed with its content at the end of the test that made it.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    let made = FileManager.default.temporaryDirectory
      .appendingPathComponent("ingest-test-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    path = made.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, creates the folders in its name, and returns its path.
  @discardableResult
  package func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let file = URL(fileURLWithPath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

  /// Writes lines, each with its line break.
  @discardableResult
  package func write(_ name: String, lines: [String]) throws -> String {
    try write(name, lines.map { $0 + "\n" }.joined().utf8)
  }
}
