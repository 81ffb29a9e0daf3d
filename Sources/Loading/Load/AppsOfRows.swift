internal import Glibc
internal import Postgres
internal import RecordPipeline

/// The applications of accepted rows by file, with the times of their first and newest event.
///
/// The ledger keeps them, so that a report finds the horizon of an application without the rows. A
/// row without a time of its own names its application but is no event, and neither is one later than
/// the start of its run: the client's clock is fast, and could hide that the feed has stopped.
struct AppsOfRows {
  private struct Key: Hashable {
    let file: Int64
    let app: [UInt8]
  }

  /// The first and the newest event, in microseconds since 2000-01-01 UTC; the first is the later one
  /// where there is none.
  private struct Events {
    var first = Int64.max
    var newest = Int64.min
  }

  /// The places of columns in a row; -1: the stream has none.
  private let appColumn: Int
  private let timeColumn: Int
  private let timeSourceColumn: Int
  private let fileColumn: Int
  /// The start of the run, in microseconds since 2000-01-01 UTC.
  private let startOfRun: Int64
  private var places: [Key: Int] = [:]
  private var found: [(key: Key, events: Events)] = []

  /// The entries that are collected before they are sent, so that memory stays bounded.
  private static let limit = 10_000

  /// - Parameter startOfRun: of the run of all files, in epoch milliseconds.
  init(of stream: RecordStream, startOfRun: Int64) {
    func place(of column: String?) -> Int {
      stream.allColumns.firstIndex { $0.name == column } ?? -1
    }
    appColumn = place(of: "app_id")
    timeColumn = place(of: stream.timeColumn)
    timeSourceColumn = place(of: stream.timeSourceColumn)
    fileColumn = place(of: "source_file_id")
    self.startOfRun = (startOfRun - TimeRule.earliestPossible) * 1000
  }

  /// Adds whole rows in PostgreSQL's binary COPY format.
  mutating func add(_ rows: UnsafeRawBufferPointer, on connection: Connection) throws {
    guard var row = rows.baseAddress else { return }
    let end = row + rows.count
    while row < end {
      row = addRow(row)
      if found.count == Self.limit { try record(on: connection) }
    }
  }

  /// Adds the row that begins at `row`.
  ///
  /// - Returns: the end of the row.
  @inline(__always)
  private mutating func addRow(_ row: UnsafeRawPointer) -> UnsafeRawPointer {
    let columnCount = Int(Int16(bigEndian: row.loadUnaligned(as: Int16.self)))
    var field = row + MemoryLayout<Int16>.size
    var app = UnsafeRawBufferPointer(start: nil, count: 0)
    var time: Int64?
    var file: Int64 = 0
    var hasOwnTime = true
    for column in 0..<columnCount {
      let length = Int(Int32(bigEndian: field.loadUnaligned(as: Int32.self)))
      field += MemoryLayout<Int32>.size
      if length < 0 { continue }
      if column == appColumn {
        app = UnsafeRawBufferPointer(start: field, count: length)
      } else if column == timeColumn {
        time = Int64(bigEndian: field.loadUnaligned(as: Int64.self))
      } else if column == fileColumn {
        file = Int64(bigEndian: field.loadUnaligned(as: Int64.self))
      } else if column == timeSourceColumn {
        hasOwnTime = !Self.loadStart.elementsEqual(
          UnsafeRawBufferPointer(start: field, count: length))
      }
      field += length
    }
    let entry = entry(of: app, in: file)
    if hasOwnTime, let time, time <= startOfRun {
      found[entry].events.first = min(found[entry].events.first, time)
      found[entry].events.newest = max(found[entry].events.newest, time)
    }
    return field
  }

  private static let loadStart = Array("load_start".utf8)

  /// The place of an entry.
  ///
  /// The newest entries are tried first, because neighboring rows mostly belong to a few applications.
  private mutating func entry(of app: UnsafeRawBufferPointer, in file: Int64) -> Int {
    let recent = found.indices.suffix(4).last {
      let key = found[$0].key
      guard key.file == file, key.app.count == app.count else { return false }
      return app.baseAddress.map { memcmp(key.app, $0, app.count) == 0 } ?? true
    }
    if let recent { return recent }
    let key = Key(file: file, app: Array(app))
    if let known = places[key] { return known }
    places[key] = found.count
    found.append((key, Events()))
    return found.count - 1
  }

  /// Records the entries in the ledger, and forgets them; the transaction has opened the files.
  mutating func record(on connection: Connection) throws {
    if found.isEmpty { return }
    func milliseconds(_ time: KeyPath<Events, Int64>) -> Parameter {
      .integers(
        found.map { _, events in
          events.first <= events.newest ? Int(events[keyPath: time] / 1000) : nil
        })
    }
    try connection.query(
      "select ingest.record_apps($1::bigint[], $2::text[], $3::bigint[], $4::bigint[])",
      [
        .integers(found.map { Int($0.key.file) }),
        .texts(found.map { String(decoding: $0.key.app, as: UTF8.self) }),
        milliseconds(\.first), milliseconds(\.newest),
      ])
    found.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }
}
