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
  private var reading = PlayerReading()
  private var sums: PlayerSums
  /// The players whose figures cannot be computed.
  private let setAside = RowBufferBox()

  /// The bytes of counts that are collected before they are copied.
  private static let sumBytes = 16 * 1024 * 1024

  /// The players after which the progress is noted.
  private static let notedPlayers = 64

  /// - Parameter count: the touched players.
  init(
    _ purpose: Purpose, count: Int, on connection: Connection, progress: RefreshProgress
  ) throws {
    self.connection = connection
    self.count = count
    self.progress = progress
    self.purpose = purpose
    fold = PlayerFold(calendar: try Self.calendar(on: connection), texts: reading.texts)
    sums = PlayerSums(
      texts: reading.texts,
      steps: try connection.rows(
        of: Int32.self, "select day_n from rollup.cohort_step order by day_n"),
      twelfths: Dictionary(
        uniqueKeysWithValues: try connection.rows(
          of: Factor.self, "select length_in_days as days, twelfths from rollup.mrr_factor"
        ).map { ($0.days, $0.twelfths) }))
  }

  /// Brings the rows of the touched players up to date.
  ///
  /// - Returns: the players that are set aside, because their figures cannot be computed.
  mutating func run() throws -> [SetAsidePlayer] {
    var writer = PlayerRowWriter(texts: reading.texts, on: connection)
    if purpose == .rebuild {
      // Enough to hash all players: the server would write all facts to disk otherwise.
      try connection.query(
        """
        select set_config('work_mem', greatest(setting::integer, 65536) || 'kB', true)
          from pg_catalog.pg_settings where name = 'work_mem'
        """)
    }
    try readAll(into: &writer)
    try writer.flush()
    try flushSums()
    guard purpose != .erasure else { return [] }
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
      if writer.byteCount > PlayerRowWriter.flushBytes || sums.counts.byteCount > Self.sumBytes {
        try cursor.settle()
        try writer.flush()
        try flushSums()
      }
    }
    if hasPlayer { try finishPlayer(&writer, beside: &cursor) }
  }

  private mutating func finishPlayer(
    _ writer: inout PlayerRowWriter, beside cursor: inout BinaryCursor
  ) throws {
    done += 1
    if done % Self.notedPlayers == 0 { progress.enter(.players(done: done, of: count)) }
    let owner = PlayerRowWriter.Owner(app: reading.app, user: reading.user)
    // The reports have what this fold makes of the rows that they know.
    let before = reading.isSetAside ? PlayerRows() : fold.rows(of: reading.known)
    guard purpose != .erasure else {
      let change = PlayerChange(from: before, to: PlayerRows())
      sums.add(change, app: owner.app)
      return try writer.writePayments(change, of: owner, beside: &cursor)
    }
    let current = reading.current
    let change = PlayerChange(
      from: before, to: rows(of: current, owner), hasOtherRates: reading.hasOtherRates)
    try writer.write(change, reading.changedParts(current), of: owner, beside: &cursor)
    sums.add(change, app: owner.app)
    // A rebuild takes them from the purchases of all players.
    if purpose == .refresh { try writer.writePayments(change, of: owner, beside: &cursor) }
  }

  /// No rows for a player whose figures cannot be computed; that player is set aside.
  private func rows(of history: PlayerHistory, _ owner: PlayerRowWriter.Owner) -> PlayerRows {
    do throws(PlayerFault) {
      if FaultPoint.failsFigures(of: owner.user) { throw .planted }
      let rows = fold.rows(of: history)
      try rows.check()
      return rows
    } catch {
      setAside.add(3) {
        $0.text(owner.app)
        $0.text(stored: owner.user[...])
        $0.text(error.rawValue)
      }
      return PlayerRows()
    }
  }

  private mutating func flushSums() throws {
    for sum in Sum.allCases {
      let (table, key) = sum.declaration
      let buffer = RowBufferBox()
      for (numbers, counts) in sums.counts[sum].rows {
        buffer.add(1 + key.count + counts.count) {
          $0.text(stored: sums.counts.text(numbers[0]))
          for (place, column) in key.enumerated() { write(numbers[place + 1], column, &$0) }
          for count in counts { $0.numeric(count) }
        }
      }
      try buffer.flush(to: "change_\(table)", on: connection)
    }
    sums.removeAll()
  }

  private func write(_ number: Int32, _ column: Sum.Column, _ buffer: inout RowBuffer) {
    switch column {
    case .text: buffer.text(stored: sums.counts.text(number))
    case .day: buffer.integer(number)
    case .integer: buffer.integer(number == SumCounts.null ? nil : number)
    case .flag: buffer.boolean(number != 0)
    case .name(let names): buffer.text(names[Int(number)])
    }
  }

  private static func calendar(on connection: Connection) throws -> CalendarDays {
    let days = try connection.rows(
      of: CalendarDay.self,
      """
      select c.period_start - date '2000-01-01' as number,
          (extract(epoch from c.starts_at - timestamptz '2000-01-01 00:00 UTC') * 1000000)::bigint
            as starts_at
        from (
          select *, row_number() over days = 1
              or starts_at - lag(starts_at) over days
                <> (period_start - lag(period_start) over days) * interval '24 hours' as is_other
            from rollup.calendar_period
            where period = 'day'
            window days as (order by period_start)
        ) c
        where c.is_other
        order by c.period_start
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

  private struct Factor: Decodable {
    let days: Int32
    let twelfths: Int32
  }
}
