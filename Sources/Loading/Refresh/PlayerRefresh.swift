internal import PlayerHistory
internal import Postgres
internal import RecordPipeline

/// The part of a refresh that belongs to single players.
///
/// It reads the rows of the touched players from a cursor, folds those of one player after another,
/// and copies the changed rows back, a part of both at a time. Memory is needed for two parts of the
/// cursor, for the rows of one player, and for some megabytes of results.
struct PlayerRefresh {
  private let connection: Connection
  private let isFull: Bool
  private let count: Int
  private let progress: RefreshProgress
  private var done = 0
  private let fold: PlayerFold
  private let calendar: CalendarDays
  private var reading = PlayerReading()
  private var levels = LevelCounts()
  private var apps: [String] = []
  private var numbers: [String: Int] = [:]
  /// The players whose figures cannot be computed.
  private let setAside = RowBufferBox()

  /// The counts of levels that are collected before they are copied.
  private static let flushCounts = 200_000

  /// The players after which the progress is noted.
  private static let notedPlayers = 64

  /// - Parameters:
  ///   - isFull: true if all players are touched, and the reports take no part.
  ///   - count: the touched players.
  init(isFull: Bool, count: Int, on connection: Connection, progress: RefreshProgress) throws {
    self.connection = connection
    self.count = count
    self.progress = progress
    self.isFull = isFull
    calendar = try Self.calendar(on: connection)
    fold = PlayerFold(calendar: calendar, texts: reading.texts)
  }

  /// Brings the rows of the touched players up to date.
  ///
  /// - Returns: the players that are set aside, because their figures cannot be computed.
  mutating func run() throws -> [SetAsidePlayer] {
    var writer = PlayerRowWriter(texts: reading.texts, on: connection)
    if isFull {
      // Enough to hash all players: the server would write all facts to disk otherwise.
      try connection.query(
        """
        select set_config('work_mem', greatest(setting::integer, 65536) || 'kB', true)
          from pg_catalog.pg_settings where name = 'work_mem'
        """)
    }
    try readAll(into: &writer)
    try writer.flush()
    try flushLevels()
    try setAside.flush(to: "new_set_aside", on: connection)
    return try connection.rows(
      of: SetAsidePlayer.self,
      """
      select player_number as number, attempt_count as attempts, error from rollup.apply_players()
      """)
  }

  // MARK: - Implementation

  private mutating func readAll(into writer: inout PlayerRowWriter) throws {
    progress.enter(.players(done: done, of: count))
    try connection.query("select rollup.open_player_rows()")
    var cursor = BinaryCursor(opened: "player_rows", on: connection)
    var hasPlayer = false
    while let part = try cursor.next() {
      for row in 0..<part.rowCount {
        let reader = PlayerRowReader(part: part, row: row)
        if !hasPlayer || reader.number != reading.number {
          if hasPlayer { try finishPlayer(&writer, beside: &cursor) }
          reading.begin(number: reader.number)
          hasPlayer = true
        }
        try reading.read(reader)
      }
      if writer.byteCount > PlayerRowWriter.flushBytes || levels.count > Self.flushCounts {
        try cursor.settle()
        try writer.flush()
        try flushLevels()
      }
    }
    if hasPlayer { try finishPlayer(&writer, beside: &cursor) }
  }

  private mutating func finishPlayer(
    _ writer: inout PlayerRowWriter, beside cursor: inout BinaryCursor
  ) throws {
    done += 1
    if done % Self.notedPlayers == 0 { progress.enter(.players(done: done, of: count)) }
    let current = reading.current
    let owner = PlayerRowWriter.Owner(app: reading.app, user: reading.user)
    // The reports have what this fold makes of the rows that they know.
    let before =
      reading.isSetAside
      ? PlayerRows() : PlayerRows(of: fold.figures(of: reading.known), calendar: calendar)
    var after = PlayerRows()
    do throws(PlayerFault) {
      if FaultPoint.failsFigures(of: reading.user) { throw .planted }
      let figures = fold.figures(of: current)
      try figures.check()
      after = PlayerRows(of: figures, calendar: calendar)
    } catch {
      setAside.add(3) {
        $0.text(reading.app)
        $0.text(stored: reading.user[...])
        $0.text(error.reason)
      }
    }
    try writer.write(after, insteadOf: before, of: owner, beside: &cursor)
    let parts = reading.changedParts(current)
    try writer.writeHistory(
      gone: parts.gone, first: parts.first, new: parts.new, of: owner, beside: &cursor)
    levels.count(after.player, instead: before.player, app: number(of: reading.app))
  }

  private mutating func number(of app: String) -> Int {
    if let known = numbers[app] { return known }
    numbers[app] = apps.count
    apps.append(app)
    return apps.count - 1
  }

  private mutating func flushLevels() throws {
    let times = RowBufferBox()
    for (duration, count) in levels.durations where count != 0 {
      times.add(5) {
        $0.text(apps[duration.app])
        $0.integer(duration.level)
        $0.text(duration.kind == .firstObserved ? "first_observed" : "previous_level")
        $0.integer(duration.bucket)
        $0.bigint(count)
      }
    }
    try times.flush(to: "new_level_time", on: connection)
    levels.removeAll()
  }

  private static func calendar(on connection: Connection) throws -> CalendarDays {
    let days = try connection.rows(
      of: CalendarDay.self,
      """
      select c.period_start - date '2000-01-01' as number,
          (extract(epoch from c.starts_at - timestamptz '2000-01-01 00:00 UTC') * 1000000)::bigint
            as starts_at
        from rollup.calendar_period c where c.period = 'day' order by c.period_start
      """)
    guard !days.isEmpty else {
      throw LoadError(.defect, "refreshing the reports: the calendar has no day", endsRun: true)
    }
    return CalendarDays(
      days: days.map { Day(number: $0.number) },
      starts: days.map { Instant(microseconds: $0.startsAt) })
  }

  private struct CalendarDay: Decodable {
    /// Days since 2000.
    let number: Int32
    /// Microseconds since 2000 UTC.
    let startsAt: Int64
  }
}
