import Testing

@testable import Loading

/// The figures of a run for Prometheus.
struct MetricsTextTests {
  @Test func `each figure has its type, its labels and its value`() {
    var file = FileReport(path: "r", stream: "receipt", status: .loaded)
    file.lines = 10
    file.rejected = 2
    var report = RunReport(exitCode: 3)
    report.files = [file]
    report.durationSeconds = 1.25
    report.night = NightReport(Night(target: #"k"r\"#))
    let feed = FeedHealth(
      appID: "a\r\n\"\u{301}b", stream: "receipt", verdict: "late", reason: "", hoursBehindNow: 30.5
    )
    let text = MetricsText(report, feeds: [feed], lastSuccess: nil, finishedAt: 1_769_817_600).text
    let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    let target = #"target="k\"r\\""#
    #expect(samples.contains("gamebase_ingest_run_exit_code{\(target)} 3"))
    #expect(samples.contains("gamebase_ingest_run_duration_seconds{\(target)} 1.25"))
    #expect(samples.contains("gamebase_ingest_last_success_timestamp_seconds{\(target)} 0"))
    #expect(samples.contains(#"gamebase_ingest_run_lines{\#(target),stream="receipt"} 10"#))
    #expect(samples.contains(#"gamebase_ingest_run_rejected_lines{\#(target),stream="receipt"} 2"#))
    #expect(
      samples.contains(
        #"gamebase_ingest_feed_ok{\#(target),app_id="a\#u{d}\n\"\#u{301}b",stream="receipt"} 0"#))
    #expect(
      samples.contains(
        #"gamebase_ingest_feed_hours_behind{\#(target),app_id="a\#u{d}\n\"\#u{301}b",stream="receipt"} 30.5"#
      ))
    // A feed without an event has no such sample, and a figure without a sample no type.
    #expect(!text.contains("max_hours") && !text.contains("run_cause"))
    let types = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
    #expect(Set(types).count == types.count)
    #expect(text.hasSuffix("\n"))
  }
}
