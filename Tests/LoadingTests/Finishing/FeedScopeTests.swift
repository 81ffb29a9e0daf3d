import RecordPipeline
import Testing

@testable import Loading

/// The part of the health that belongs to one application.
struct FeedScopeTests {
  @Test func `failures of other sources do not count, also beside own ones`() {
    func feed(_ app: String?, _ stream: String) -> FeedHealth {
      FeedHealth(
        appID: app, stream: stream, verdict: "failed", reason: "Files of the stream failed.",
        openFailureCount: 1)
    }
    let scope = FeedScope(appID: "jp", patterns: [PathPattern("/in/jp/*")])
    let feeds = ["jp", "kr", nil].flatMap { [feed($0, "level_up"), feed($0, "receipt")] }
    let own = OpenFailure(path: "/in/jp/level_up", stream: "level_up")
    let other = OpenFailure(path: "/in/kr/receipt", stream: "receipt")
    let health = scope.health(feeds: feeds, openFailures: [other, own])
    #expect(health.openFailures == ["/in/jp/level_up"])
    #expect(
      health.feeds.map { [$0.appID, $0.stream, $0.verdict, "\($0.openFailureCount)"] } == [
        ["jp", "level_up", "failed", "1"], ["jp", "receipt", "ok", "0"],
        [nil, "level_up", "failed", "1"],
      ])
    #expect(scope.health(feeds: feeds, openFailures: [other]).isOK)
    #expect(FeedScope(appID: nil).health(feeds: feeds, openFailures: [own]).feeds == feeds)
  }
}
