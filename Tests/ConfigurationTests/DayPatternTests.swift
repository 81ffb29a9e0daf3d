import Testing

@testable import Configuration

/// Paths with placeholders for a day.
struct DayPatternTests {
  @Test(arguments: [
    ("in/receipt-%Y-%m-%d*.jsonl", "in/receipt-2026-01-31*.jsonl"), ("%Y%m%d", "20260131"),
    ("%d.%m.%Y/%d", "31.01.2026/31"), ("100%%/x", "100%/x"), ("%%Y", "%Y"), ("", ""),
    ("영수증-%m", "영수증-01"),
  ])
  func `placeholders are replaced`(text: String, path: String) throws {
    let pattern = try DayPattern(text)
    #expect(pattern.path(on: "2026-01-31") == path)
    #expect(pattern.hasDay == (pattern.path(on: "2025-12-30") != path))
  }

  @Test(arguments: ["%y", "%", "a%H", "%M", "%F"])
  func `another letter is an error`(text: String) {
    let error = #expect(throws: ConfigurationError.self) { try DayPattern(text) }
    #expect(error?.kind == .usage && error?.description.hasPrefix("\(text): only %Y") == true)
  }
}
