package import Foundation
package import RecordPipeline

/// What a run did, file by file: the summary on the screen, and `load --report FILE`.
///
/// The JSON names are a promise to whoever reads the report by program.
package struct RunReport: Codable, Sendable, Equatable {
  package var exitCode: Int32
  /// NULL when the run ended before it had written anything.
  package var loadID: Int?
  /// True when nothing of it was kept; nil for a run that meant it.
  package var isDryRun: Bool?
  package var files: [FileReport]

  enum CodingKeys: String, CodingKey {
    case exitCode = "exit_code"
    case loadID = "load_id"
    case isDryRun = "dry_run"
    case files
  }

  package init(
    exitCode: Int32 = 0, loadID: Int? = nil, isDryRun: Bool? = nil, files: [FileReport] = []
  ) {
    self.exitCode = exitCode
    self.loadID = loadID
    self.isDryRun = isDryRun
    self.files = files
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(exitCode, forKey: .exitCode)
    try container.encode(loadID, forKey: .loadID)
    try container.encodeIfPresent(isDryRun, forKey: .isDryRun)
    try container.encode(files, forKey: .files)
  }

  /// The report as JSON, keys in a fixed order, ending in a line break.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let json = String(decoding: try encoder.encode(self), as: UTF8.self)
    return Data((printableJSON(json) + "\n").utf8)
  }
}

/// One file of a run.
///
/// Counts are 0 unless it was loaded.
package struct FileReport: Codable, Sendable, Equatable {
  package enum Status: String, Codable, Sendable {
    case loaded
    case alreadyLoaded = "already_loaded"
    case failed
  }

  package var path: String
  package var stream: String?
  /// 64 hexadecimal digits; nil when the file could not be read to its end.
  package var sha256: String?
  package var status: Status
  package var lines = 0
  package var inserted = 0
  package var filled = 0
  package var duplicates = 0
  package var conflicts = 0
  package var rejected = 0
  package var suppressed = 0
  package var blank = 0
  package var error: String?

  package init(path: String, stream: String?, status: Status, error: String? = nil) {
    self.path = path
    self.stream = stream
    self.status = status
    self.error = error
  }

  package func encode(to encoder: any Encoder) throws {
    // Every key is always there: null says "none", an absent key says nothing.
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(path, forKey: .path)
    try container.encode(stream, forKey: .stream)
    try container.encode(sha256, forKey: .sha256)
    try container.encode(status, forKey: .status)
    try container.encode(lines, forKey: .lines)
    try container.encode(inserted, forKey: .inserted)
    try container.encode(filled, forKey: .filled)
    try container.encode(duplicates, forKey: .duplicates)
    try container.encode(conflicts, forKey: .conflicts)
    try container.encode(rejected, forKey: .rejected)
    try container.encode(suppressed, forKey: .suppressed)
    try container.encode(blank, forKey: .blank)
    try container.encode(error, forKey: .error)
  }
}

extension FileReport {
  package init(_ failure: FailedInput) {
    self.init(
      path: failure.path, stream: failure.stream, status: .failed, error: failure.reason)
  }
}
