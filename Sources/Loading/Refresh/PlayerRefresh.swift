internal import CProcess
internal import PlayerHistory
internal import Postgres
internal import RecordPipeline

/// The part of a refresh that belongs to single players.
///
/// It reads the rows of the touched players from a cursor, folds those of one player after another,
/// and copies the changed rows and counts back, a part of both at a time. Memory is needed for two
/// parts of the cursor, for the rows of one player, and for some megabytes of results.
struct PlayerRefresh {
  enum Purpose {
    case refresh
    /// All players are touched, and the reports take no part.
    case rebuild
    /// The user's rows are gone from all tables but the sums.
    case erasure
  }

  private let connection: Connection
  private let purpose: Purpose
  private let count: Int
  private let progress: RefreshProgress
  private var done = 0
  private let fold: PlayerFold
  private var reading = PlayerReading(texts: TextTable())
  private var sums: PlayerSums

  /// - Parameter count: the touched players.
  init(
    _ purpose: Purpose, count: Int, on connection: Connection, progress: RefreshProgress
  ) throws {
    // Arrays above this go back to the system when they end. Otherwise glibc keeps the places of freed ones, and a
    // player with 100,000 levels takes 20 MiB more.
    mallopt(M_MMAP_THRESHOLD, 4 * 1024 * 1024)
    (self.purpose, self.count) = (purpose, count)
    (self.connection, self.progress) = (connection, progress)
    let basis = Dictionary(
      grouping: try connection.rows(of: BasisRow.self, Self.basis), by: \.kind)
    guard let days = basis["day"] else {
      throw LoadError(.defect, "refreshing the reports: the calendar has no day", endsRun: true)
    }
    fold = PlayerFold(
      calendar: CalendarDays(
        days: days.map { Day(number: $0.number) },
        starts: days.map { Instant(microseconds: $0.value) }),
      texts: reading.texts)
    sums = PlayerSums(texts: reading.texts, steps: basis["step", default: []].map(\.number))
  }

  /// Copies what changes of the touched players, and of the counts of all.
  mutating func run() throws {
    if purpose == .rebuild {
      // Enough to hash all players: the server would write all facts to disk otherwise.
      try connection.query(
        """
        select set_config('work_mem', greatest(setting::integer, 65536) || 'kB', true)
          from pg_catalog.pg_settings where name = 'work_mem'
        """)
    }
    progress.enter(.players(done: done, of: count))
    try connection.query("select rollup.open_player_rows()")
    var writer = PlayerRowWriter(
      of: BinaryCursor(opened: "player_rows", on: connection), texts: reading.texts, on: connection)
    while let part = try writer.cursor.next() {
      for row in 0..<part.rowCount {
        let reader = PlayerRowReader(part: part, row: row)
        if reader.number != reading.number {
          try finishPlayer(&writer)
          reading.begin(number: reader.number)
        }
        try reading.read(reader)
      }
      if sums.byteCount > 16 * 1024 * 1024 { try flush(&writer) }
    }
    // The end of the refresh changes tables that an open cursor reads.
    try connection.execute("close player_rows")
    try finishPlayer(&writer)
    try flush(&writer)
  }

  // MARK: - Implementation

  private mutating func flush(_ writer: inout PlayerRowWriter) throws {
    try writer.flush(sums)
    sums.removeAll()
  }

  private mutating func finishPlayer(_ writer: inout PlayerRowWriter) throws {
    // None is read before the first row.
    guard reading.number > 0 else { return }
    done += 1
    progress.enter(.players(done: done, of: count))
    writer.owner = (reading.app, reading.user)
    let current = reading.current
    let change = PlayerChange(
      // The reports have what this fold makes of the rows that they know.
      from: reading.isSetAside ? PlayerRows() : fold.rows(of: reading.known),
      to: purpose == .erasure ? PlayerRows() : try rows(of: current, &writer))
    sums.add(change, app: reading.app)
    if purpose != .erasure { try writer.write(change, reading.changedParts(current)) }
    // A rebuild takes them from the purchases of all players.
    if purpose != .rebuild { try writer.writePayments(change) }
  }

  /// No rows for a player whose figures cannot be computed; that player is set aside.
  private func rows(
    of history: PlayerHistory, _ writer: inout PlayerRowWriter
  ) throws -> PlayerRows {
    do throws(PlayerFault) {
      if FaultPoint.failsFigures(of: reading.user) { throw .planted }
      let rows = fold.rows(of: history)
      try rows.check()
      return rows
    } catch {
      try writer.setAside(because: error)
      return PlayerRows()
    }
  }

  /// The query reads the basis of all figures: days of the calendar (since 2000) with their starts (in
  /// microseconds since 2000 UTC), and steps of cohorts in days.
  private static let basis = """
    select 'step' as kind, day_n as number, 0::bigint as value from rollup.cohort_step
    union all
    select 'day', c.period_start - date '2000-01-01',
        (extract(epoch from c.starts_at - timestamptz '2000-01-01 00:00 UTC') * 1000000)::bigint
      from (
        select *, row_number() over days = 1
            or starts_at - lag(starts_at) over days
              <> (period_start - lag(period_start) over days) * interval '24 hours' as is_other
          from rollup.calendar_period
          where period = 'day'
          window days as (order by period_start)
      ) c
      where c.is_other
    order by kind, number
    """

  private struct BasisRow: Decodable {
    let kind: String
    let number: Int32
    let value: Int64
  }
}
