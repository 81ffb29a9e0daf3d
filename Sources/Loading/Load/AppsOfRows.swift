internal import Glibc
internal import Postgres
internal import RecordPipeline

/// The applications of accepted rows by file, with the times of their first and newest event.
///
/// The ledger keeps them, so that a report finds the horizon of an application without the rows. A
/// row without a time of its own names its application but is no event, and neither is one later than
/// the start of its run: the client's clock is fast, and could hide that the feed has stopped.
struct AppsOfRows {
  /// The first and the newest event, in microseconds since 2000-01-01 UTC; nil without an event.
  struct Events {
    var first: Int64?
    var newest: Int64?

    mutating func add(_ time: Int64) {
      guard let first, let newest else {
        first = time
        newest = time
        return
      }
      if time < first { self.first = time }
      if time > newest { self.newest = time }
    }
  }

  private struct Key: Hashable {
    let file: Int64
    let app: [UInt8]
  }

  /// The ids of the columns in a row, as the stream's entry in the registry names them.
  private let appColumn: Int
  private let timeColumn: Int
  /// -1: every row has a time of its own.
  private let timeSourceColumn: Int
  private let fileColumn: Int
  /// The start of the run, in microseconds since 2000-01-01 UTC.
  private let startOfRun: Int64
  private var places: [Key: Int] = [:]
  private var found: [(key: Key, events: Events)] = []

  /// The entries that are collected before they are sent, so that memory stays bounded.
  private static let limit = 10_000

  /// - Parameter file: one of the files; all are of one run.
  /// - Throws: `LoadError` when the registry does not name the time of the stream's rows.
  init(of stream: RecordStream, in file: Int64?, on connection: Connection) throws {
    let registered = try connection.row(
      of: TimeColumns.self,
      """
      select s.time_column, s.time_source_column,
          (extract(epoch from f.as_of - timestamptz '2000-01-01 00:00:00+00') * 1000000)::bigint
            as start_of_run
        from ingest.stream s, ingest.source_file f
        where s.stream = $1 and f.source_file_id = $2
      """,
      [.text(stream.name), .optional(file.map { Int($0) })])
    let names = stream.allColumns.map(\.name)
    func place(of name: String?) -> Int? { name.flatMap { names.firstIndex(of: $0) } }
    guard let registered, let app = place(of: "app_id"),
      let time = place(of: registered.timeColumn), let file = place(of: "source_file_id")
    else {
      throw LoadError(
        .defect, "ingest.stream names no time of the rows of \(stream.name)", endsRun: true)
    }
    appColumn = app
    timeColumn = time
    timeSourceColumn = place(of: registered.timeSourceColumn) ?? -1
    fileColumn = file
    startOfRun = registered.startOfRun
  }

  private struct TimeColumns: Decodable {
    let timeColumn: String?
    let timeSourceColumn: String?
    let startOfRun: Int64
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
    let index = entry(of: app, in: file)
    if hasOwnTime, let time, time <= startOfRun { found[index].events.add(time) }
    return field
  }

  private static let loadStart = Array("load_start".utf8)

  /// The place of an entry.
  ///
  /// The newest entries are tried first, because neighboring rows mostly belong to a few applications.
  private mutating func entry(of app: UnsafeRawBufferPointer, in file: Int64) -> Int {
    var recent = found.count - 1
    while recent >= 0, recent >= found.count - Self.triedEntries {
      if found[recent].key.file == file, found[recent].key.app.count == app.count,
        found[recent].key.app.withUnsafeBytes({ Self.isEqual($0, app) })
      {
        return recent
      }
      recent -= 1
    }
    let key = Key(file: file, app: Array(app))
    if let known = places[key] { return known }
    places[key] = found.count
    found.append((key, Events()))
    return found.count - 1
  }

  private static let triedEntries = 4

  /// True for equal bytes of two buffers of one length.
  private static func isEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer)
    -> Bool
  {
    guard let left = one.baseAddress, let right = other.baseAddress else { return one.isEmpty }
    return memcmp(left, right, one.count) == 0
  }

  /// Records the entries in the ledger, and forgets them; the transaction has opened the files.
  mutating func record(on connection: Connection) throws {
    if found.isEmpty { return }
    func milliseconds(_ time: (Events) -> Int64?) -> Parameter {
      .integers(found.map { time($0.events).map { Int($0 / 1000) } })
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
