package import Postgres

/// The part of a run's report that only `run` has.
package struct NightReport: Codable, Sendable, Equatable {
  /// The target of the configuration file; nil: none.
  package var target: String?
  /// The days whose files were expected, such as `2026-01-31`.
  package var days: [String] = []
  /// The figures that were judged before the first commit; empty with `--no-guard`.
  package var guards: [GuardFinding] = []
  /// The feeds after the refresh; empty when nothing was loaded because of a guard.
  package var health: [FeedHealth] = []
  /// The findings of earlier runs in files that this one found loaded.
  package var earlierFindings: [EarlierFinding] = []

  /// The paths of the files that have failed, or are missing, and were not loaded since.
  ///
  /// Not a member of the report, whose `health` counts them.
  package var openFailures: [String] = []

  package init(_ night: Night) {
    target = night.target
    days = night.days
  }

  enum CodingKeys: String, CodingKey {
    case target, days, guards, health
    case earlierFindings = "earlier_findings"
  }

  package func encode(to encoder: any Encoder) throws {
    // Every key is always written, with null for a missing value, so that programs can rely on it.
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(target, forKey: .target)
    try container.encode(days, forKey: .days)
    try container.encode(guards, forKey: .guards)
    try container.encode(health, forKey: .health)
    try container.encode(earlierFindings, forKey: .earlierFindings)
  }
}

extension NightReport {
  /// The feeds that cannot be trusted, one line for all with the same reason.
  package var healthLines: [String] {
    var lines: [(verdict: String, reason: String, feeds: [String])] = []
    for feed in health where !feed.isOK {
      // An entry without an application repeats the verdict of the stream's feeds.
      if feed.appID == nil,
        health.contains(where: { $0.appID != nil && $0.hasSameVerdict(as: feed) })
      {
        continue
      }
      let name =
        (feed.stream ?? "unknown stream") + (feed.appID.map { $0.isEmpty ? "" : " of \($0)" } ?? "")
      let place = lines.firstIndex { $0.verdict == feed.verdict && $0.reason == feed.reason }
      if let place {
        lines[place].feeds.append(name)
      } else {
        lines.append((feed.verdict, feed.reason, [name]))
      }
    }
    return lines.map { "\($0.verdict): \($0.feeds.joined(separator: ", ")): \($0.reason)" }
  }

  /// The reason why the reports cannot be trusted, with the next step.
  package var conclusion: String {
    let named = 3
    let paths = openFailures.sorted()
    guard let first = health.first(where: { !$0.isOK }) else { return "the reports can be trusted" }
    guard health.contains(where: \.hasFailures), !paths.isEmpty else {
      return "the reports cannot be trusted: \(first.reason) See gamebase-ingest status"
    }
    let others = paths.count > named ? " and \(paths.count - named) more" : ""
    return "the reports cannot be trusted: files are missing or have failed: "
      + paths.prefix(named).joined(separator: ", ") + others
      + ". Run their night again when they are there, or see gamebase-ingest failures dismiss"
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

  enum CodingKeys: String, CodingKey {
    case path, stream, lines, rejected, conflicts
    case loadID = "load_id"
  }

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
