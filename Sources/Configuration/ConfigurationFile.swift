internal import Glibc
internal import TOMLKit

/// A configuration file as it stands: its path and its tables.
package struct ConfigurationFile: Sendable {
  package let path: String
  /// The top-level tables and values.
  let entries: [String: ConfigurationValue]

  /// The name of the file that is looked for in the current folder.
  package static let name = "gamebase-ingest.toml"
  /// The file that is used if the current folder has none.
  package static let systemPath = "/etc/gamebase-ingest/gamebase-ingest.toml"

  /// The most bytes of a file.
  private static let largestSize = 1 << 20

  /// Finds the file that no option names; nil: there is none.
  package static func search() -> String? {
    [name, systemPath].first { access($0, F_OK) == 0 }
  }

  /// Reads a file.
  ///
  /// - Throws: `ConfigurationError` when it cannot be read or is no TOML.
  package init(path: String) throws(ConfigurationError) {
    func failure(_ reason: String) -> ConfigurationError {
      ConfigurationError(.file, "the configuration file \(path) \(reason)")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      throw failure("cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw failure("is no regular file")
    }
    var bytes = [UInt8](repeating: 0, count: Self.largestSize + 1)
    var length = 0
    while length < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress.map { $0 + length }, $0.count - length)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw failure("cannot be read: \(String(cString: strerror(errno)))")
      }
      if count == 0 { break }
      length += count
    }
    guard length <= Self.largestSize else { throw failure("is larger than 1 MiB") }
    let text = bytes[..<length]
    // The parser takes a text that ends with a NUL, so one within the file would hide its rest.
    guard !text.contains(0), let text = String(validating: text, as: UTF8.self) else {
      throw failure("is no text in UTF-8")
    }
    try self.init(path: path, text: text)
  }

  /// - Parameter text: without a NUL.
  init(path: String, text: String) throws(ConfigurationError) {
    self.path = path
    do {
      let table = try TOMLTable(string: text)
      entries = withExtendedLifetime(table) { ConfigurationValue.entries(table) }
    } catch let error as TOMLParseError {
      throw ConfigurationError(
        .file,
        "the configuration file \(path) has an error in line \(error.source.begin.line), column "
          + "\(error.source.begin.column): \(error.description)")
    } catch {
      throw ConfigurationError(.file, "the configuration file \(path) cannot be read: \(error)")
    }
  }
}
