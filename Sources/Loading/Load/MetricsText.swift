package import Postgres

/// The figures of a run for Prometheus, in the text format that the textfile collector of
/// node_exporter reads.
///
/// - Source: Prometheus documentation, "Exposition formats", text format 0.0.4.
package struct MetricsText {
  private var lines: [String] = []

  /// - Parameters:
  ///   - feeds: the health after the run.
  ///   - lastSuccess: as the function of that name returns it.
  ///   - finishedAt: the end of this run, in seconds since 1970.
  package init(
    _ report: RunReport, feeds: [FeedHealth], lastSuccess: Double?, finishedAt: Double
  ) {
    let run = report.night?.target.map { [("target", $0)] } ?? []
    add("run_exit_code", "Exit code of the last run.", [(run, Double(report.exitCode))])
    add("run_finished_timestamp_seconds", "End of the last run.", [(run, finishedAt)])
    add("run_duration_seconds", "Length of the last run.", [(run, report.durationSeconds ?? 0)])
    add(
      "last_success_timestamp_seconds", "End of the last run with exit code 0 or 3.",
      [(run, lastSuccess ?? 0)])
    let totals = report.totals
    func streams(_ value: (StreamTotals) -> Int) -> [([(String, String)], Double)] {
      totals.map { (run + [("stream", $0.stream ?? "")], Double(value($0))) }
    }
    add("run_files", "Files of the last run.", streams(\.files))
    add("run_lines", "Lines that the last run loaded.", streams(\.lines))
    add("run_rejected_lines", "Lines that the last run refused.", streams(\.rejected))
    add("run_conflicts", "Lines of the last run that contradict stored rows.", streams(\.conflicts))
    if let night = report.night, !night.health.isEmpty {
      add(
        "run_cause", "1 if it kept a feed from being ok after the last run, else 0.",
        Health.allCauses.map {
          (run + [("cause", $0)], night.causes.contains($0) ? 1 : 0)
        })
    }
    func all(_ value: (FeedHealth) -> Double?) -> [([(String, String)], Double)] {
      feeds.compactMap { feed in
        value(feed).map {
          // What belongs to no application would else have the labels of the empty one.
          (run + (feed.appID.map { [("app_id", $0)] } ?? []) + [("stream", feed.stream ?? "")], $0)
        }
      }
    }
    add("feed_ok", "1 if the reports of a feed can be trusted, else 0.", all { $0.isOK ? 1 : 0 })
    add("feed_hours_behind", "Hours from the newest event to now.", all(\.hoursBehindNow))
    add("feed_missing_days", "Open days without a line.", all { Double($0.missingDayCount) })
    add(
      "feed_implausible_days", "Open days with implausible figures.",
      all { Double($0.implausibleDayCount) })
    add("feed_open_conflicts", "Open conflicts.", all { Double($0.openConflictCount) })
    add("feed_open_failures", "Open failures of the stream.", all { Double($0.openFailureCount) })
    add("feed_pending_files", "Files missing in the reports.", all { Double($0.pendingFileCount) })
  }

  package var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func add(
    _ name: String, _ help: String, _ samples: [([(String, String)], Double)]
  ) {
    guard !samples.isEmpty else { return }
    let name = "gamebase_ingest_\(name)"
    lines.append("# HELP \(name) \(help)")
    lines.append("# TYPE \(name) gauge")
    for (labels, value) in samples {
      let list = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
      lines.append("\(name)\(list.isEmpty ? "" : "{\(list)}") \(Self.number(value))")
    }
  }

  private static func escaped(_ text: String) -> String {
    // By scalars, because a quotation mark and a mark behind it are one character.
    var escaped = ""
    for scalar in text.unicodeScalars {
      if scalar == "\\" || scalar == "\"" { escaped += "\\" }
      escaped += scalar == "\n" ? "\\n" : String(scalar)
    }
    return escaped
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }

  /// The end of the last success that an earlier text tells; nil: none.
  package static func lastSuccess(in text: String?) -> Double? {
    text?.split(separator: "\n").last { $0.hasPrefix("gamebase_ingest_last_success_timestamp_") }?
      .split(separator: " ").last.flatMap { Double($0) }
  }

  /// The end of the last run with exit code 0 or 3, in seconds since 1970; nil: there is none.
  ///
  /// - Parameter target: the target of the run; nil: of any run.
  package static func lastSuccess(of target: String?, on connection: Connection) throws -> Double? {
    try connection.onlyRow(
      of: Double?.self,
      """
      select extract(epoch from max(finished_at))::double precision from ingest.load
        where exit_code in (0, 3) and ($1::text is null or target = $1)
      """, [.text(target)])
  }
}
