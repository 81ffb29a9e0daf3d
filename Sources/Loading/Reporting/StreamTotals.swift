/// The sums over the files of one stream in a run; bytes and lines count loaded files only.
package struct StreamTotals: Encodable, Sendable, Equatable {
  /// nil: the files whose stream is not known.
  package let stream: String?
  package private(set) var files = 0
  package private(set) var loaded = 0
  package private(set) var alreadyLoaded = 0
  package private(set) var failed = 0
  package private(set) var bytes = 0
  package private(set) var lines = 0
  package private(set) var inserted = 0
  package private(set) var filled = 0
  package private(set) var duplicates = 0
  package private(set) var conflicts = 0
  package private(set) var rejected = 0
  package private(set) var suppressed = 0
  package private(set) var blank = 0

  private enum CodingKeys: String, CodingKey {
    case stream, files, loaded
    case alreadyLoaded = "already_loaded"
    case failed, bytes, lines, inserted, filled, duplicates, conflicts, rejected, suppressed, blank
  }

  init(stream: String?) { self.stream = stream }

  mutating func add(_ file: FileReport) {
    files += 1
    switch file.status {
    case .loaded: loaded += 1
    case .alreadyLoaded: alreadyLoaded += 1
    case .failed: failed += 1
    }
    bytes += file.bytes
    lines += file.lines
    inserted += file.inserted
    filled += file.filled
    duplicates += file.duplicates
    conflicts += file.conflicts
    rejected += file.rejected
    suppressed += file.suppressed
    blank += file.blank
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(stream, forKey: .stream)
    for (key, count) in [
      (CodingKeys.files, files), (.loaded, loaded), (.alreadyLoaded, alreadyLoaded),
      (.failed, failed), (.bytes, bytes), (.lines, lines), (.inserted, inserted),
      (.filled, filled), (.duplicates, duplicates), (.conflicts, conflicts),
      (.rejected, rejected), (.suppressed, suppressed), (.blank, blank),
    ] { try container.encode(count, forKey: key) }
  }
}
