package import Postgres

/// The part of a run's report that only `run` has.
package struct NightReport: Encodable, Sendable, Equatable {
  /// The target of the configuration file; nil: none.
  package var target: String?
  /// The days whose files were expected, such as `2026-01-31`.
  package var days: [String] = []
  /// The causes of verdicts other than `ok`: verdicts, and the kinds of failures; see `Health.causes`.
  package private(set) var causes: [String] = []
  /// The feeds after the refresh; empty when the run ended before.
  package private(set) var health: [FeedHealth] = []
  /// The findings of earlier runs in files that this one found loaded.
  package private(set) var earlierFindings: [EarlierFinding] = []

  /// Not a member of the report, whose `health` counts them.
  private var failures: [OpenFailure] = []

  package init(_ night: Night) {
    target = night.target
    days = night.days
  }

  /// Judges the feeds, and looks for what earlier runs found in the same files.
  ///
  /// - Parameters:
  ///   - appID: the application whose feeds are judged; nil: all.
  ///   - connection: in a transaction.
  /// - Returns: the exit code of both.
  mutating func judge(
    _ files: [FileReport], of appID: String?, on connection: Connection
  ) throws -> ExitCode {
    let found = try Health(of: appID, on: connection)
    (health, failures, causes) = (found.feeds, found.failures, found.causes)
    earlierFindings = try EarlierFinding.all(of: files, on: connection)
    return (earlierFindings.isEmpty ? ExitCode.success : .loadedWithFindings)
      .joined(with: found.isOK ? .success : .incomplete)
  }

  private enum CodingKeys: CodingKey { case target, days, causes, health, earlierFindings }

  /// The most feeds, failures and lines that a message lists.
  private static let named = 3
  private static let lines = 20

  /// The feeds that cannot be trusted, one line for all with the same reason.
  package var healthLines: [String] {
    let feeds = health.filter { !$0.isOK }
    var groups = Dictionary(grouping: feeds) { [$0.verdict, $0.reason] }
    let lines = feeds.compactMap { feed -> String? in
      guard let group = groups.removeValue(forKey: [feed.verdict, feed.reason]) else { return nil }
      // An entry without an application repeats the verdict of the stream's feeds.
      let streams = Set(group.filter { $0.appID != nil }.map(\.stream))
      let names = group.filter { $0.appID != nil || !streams.contains($0.stream) }.map { feed in
        (feed.stream ?? "unknown stream") + (feed.appID.map { $0.isEmpty ? "" : " of \($0)" } ?? "")
      }
      return "\(feed.verdict): \(listed(names, atMost: Self.named)): \(feed.reason)"
    }
    let more = lines.count - Self.lines
    return lines.prefix(Self.lines) + (more > 0 ? ["and \(more) more, in report.health"] : [])
  }

  /// The reason why the reports cannot be trusted, with the next step; nil: they can.
  package var conclusion: String? {
    guard let first = health.first(where: { !$0.isOK }) else { return nil }
    guard !failures.isEmpty else {
      return "the reports cannot be trusted: \(first.reason) See gamebase-ingest status"
    }
    let step =
      failures.allSatisfy { $0.kind == "missing" }
      ? "Run again when the files are there" : "Load the right files"
    let named = listed(failures.map { "\($0.kind) \($0.path)" }, atMost: Self.named)
    return "the reports cannot be trusted: \(named). \(step), or dismiss what needs nothing; see "
      + "gamebase-ingest status and failures dismiss"
  }
}

/// A file that an earlier run loaded with refused lines or conflicts, and that a run found again.
///
/// A second run of a night loads nothing, so its own outcome would hide what the first one found.
package struct EarlierFinding: Codable, Sendable, Equatable {
  /// The run that loaded the file.
  package let loadID: Int
  package let path: String
  package let stream: String
  package let lines: Int
  /// Refused lines that no replay has resolved.
  package let rejected: Int
  /// Lines with a conflict that is not accepted, also of records within them.
  package let conflicts: Int

  /// The files that a run has found loaded already, with a refused line or a conflict that nobody has
  /// resolved.
  package static func all(
    of files: [FileReport], on connection: Connection
  ) throws -> [EarlierFinding] {
    let known = files.filter { $0.status == .alreadyLoaded }
    guard !known.isEmpty else { return [] }
    return try connection.rows(
      of: EarlierFinding.self,
      """
      select f.load_id, f.path, f.stream, f.line_count as lines, f.rejected_count as rejected,
          c.line_count as conflicts
        from (select distinct * from unnest($1::text[], $2::text[]) k (stream, sha256)) k
        join ingest.source_file f
          on f.stream = k.stream and f.sha256 = decode(k.sha256, 'hex') and f.undone_at is null
        cross join lateral (
          select count(distinct (x.stream, x.line_number)) as line_count
            from ingest.conflict x
            where x.source_file_id = f.source_file_id and x.acceptance_id is null
        ) c
        where f.rejected_count > 0 or c.line_count > 0
        order by f.load_id, f.source_file_id
      """,
      [.texts(known.map { $0.stream ?? "" }), .texts(known.map { $0.sha256 ?? "" })])
  }
}
