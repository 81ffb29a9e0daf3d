internal import Glibc
internal import TOMLKit

/// The files that hold configurations.
package enum ConfigurationFile {
  /// The name of the file that is looked for in the current folder.
  package static let name = "gamebase-ingest.toml"
  /// The file that is used if the current folder has none.
  package static let systemPath = "/etc/gamebase-ingest/gamebase-ingest.toml"

  /// The most bytes of a file, and of a line of it.
  ///
  /// The parser calls itself for each part of a name with dots, so a line bounds its stack.
  private static let largestSize = 1 << 20
  private static let longestLine = 4096

  /// Finds the file that no option names; nil: there is none.
  package static func search() -> String? {
    [name, systemPath].first { access($0, F_OK) == 0 }
  }

  /// Reads the configuration of a file.
  ///
  /// - Throws: `ConfigurationError` when the file cannot be read, is no TOML, has an unknown table, or a
  ///   value of the wrong kind.
  package static func read(_ path: String) throws(ConfigurationError) -> Configuration {
    try configuration(of: text(of: path), path: path)
  }

  static func configuration(
    of text: String, path: String
  ) throws(ConfigurationError) -> Configuration {
    do {
      return try TOMLDecoder(strictDecoding: true).decode(Configuration.self, from: text)
    } catch let error as TOMLParseError {
      throw failure(
        path,
        "has an error in line \(error.source.begin.line), column \(error.source.begin.column): "
          + error.description)
    } catch let error as UnexpectedKeysError {
      let places = error.keys.values.map { Self.place($0) }.sorted()
      throw ConfigurationError(
        .file,
        "\(path): \(places.joined(separator: ", ")) \(places.count == 1 ? "is no key" : "are no keys"); "
          + "the keys are defaults and targets, and of a source paths, stream and min-files")
    } catch let error as DecodingError {
      throw ConfigurationError(.file, "\(path): \(Self.sentence(error))")
    } catch {
      throw failure(path, "cannot be read: \(error)")
    }
  }

  private static func text(of path: String) throws(ConfigurationError) -> String {
    // Opening a pipe would wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0, let file = fdopen(descriptor, "r") else {
      throw failure(path, "cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw failure(path, "is no regular file")
    }
    var bytes = [UInt8](repeating: 0, count: largestSize + 1)
    let length = fread(&bytes, 1, bytes.count, file)
    guard ferror(file) == 0 else {
      throw failure(path, "cannot be read: \(String(cString: strerror(errno)))")
    }
    guard length <= largestSize else { throw failure(path, "is larger than 1 MiB") }
    let text = bytes[..<length]
    guard let text = String(validating: text, as: UTF8.self) else {
      throw failure(path, "is no text in UTF-8")
    }
    // The parser ends a text at a NUL, written as itself or as an escape.
    guard !text.utf8.contains(0), !text.contains("\\u0000"), !text.contains("\\U00000000") else {
      throw failure(path, "holds a NUL")
    }
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    if let number = lines.firstIndex(where: { $0.count > longestLine }) {
      throw failure(
        path, "has more than \(longestLine) bytes in line \(number + 1); break the line")
    }
    return text
  }

  private static func failure(_ path: String, _ reason: String) -> ConfigurationError {
    ConfigurationError(.file, "the configuration file \(path) \(reason)")
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.map { $0.intValue.map { String($0 + 1) } ?? $0.stringValue }.joined(separator: ".")
  }

  private static func sentence(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      // The decoder says so of a value of another kind, too, and then has the key in the path already.
      context.codingPath.last?.stringValue == key.stringValue
        ? "\(place(context.codingPath)) is missing, or of the wrong kind"
        : "\(place(context.codingPath + [key])) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(place(context.codingPath)) is of the wrong kind"
    case .dataCorrupted(let context):
      "\(place(context.codingPath)) \(context.debugDescription)"
    @unknown default: "\(error)"
    }
  }
}

/// A configuration that cannot be used; nothing was done.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable {
    /// The file cannot be read, or has an error.
    case file
    /// The command line or the environment names something that the file does not have.
    case usage
  }

  package let kind: Kind
  /// The event, its place, and the next step.
  package let description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
