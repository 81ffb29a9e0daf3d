import Foundation
import TestSupport
import Testing

/// The command `report`: the figures, the page, and what the data must not do to it.
@Suite(.serialized, .needsServer, .ownDatabase) struct ReportCommandTests {
  private let fixture: CommandFixture

  /// Ends an element and an attribute, changes the reading direction, and is long.
  private static let hostile =
    "</td></script><script>stolen=1</script>\u{202E}\u{200F}\"\u{301} onload='x' "
    + String(repeating: "long", count: 34)
  /// The beginning of the same text in the page.
  private static let shown =
    "&lt;/td&gt;&lt;/script&gt;&lt;script&gt;stolen=1&lt;/script&gt;\\u{202e}\\u{200f}&quot;\u{301}"

  init() throws {
    fixture = try CommandFixture()
    try fixture.folder.write("item.jsonl", lines: [Self.item])
    try fixture.folder.write(
      "receipt.jsonl", lines: Self.receipts + [#"{"userId":"secretUser","price":"x"}"#])
    let load = try fixture.run([
      "load", "--app-id", "game-1", "\(fixture.folder.path)/item.jsonl",
      "\(fixture.folder.path)/receipt.jsonl",
    ])
    try #require(load.exitCode == 3, "\(load.errors)")
  }

  private static func quoted(_ text: String) -> String {
    let data = try? JSONEncoder().encode(text)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  private static let item =
    #"{"gamebaseProductId":"vip","marketItemId":"vip","itemSeq":1,"price":9.99,"currency":"USD","#
    + #""productType":"AUTO_RENEWABLE","itemName":\#(quoted(hostile)),"isActive":true,"#
    + #""storeCode":"GG","eventTime":1751328000000,\#(quoted("f\(hostile)")):1}"#

  /// A trial, its renewal, and a purchase each of thirty days.
  private static let receipts =
    [
      subscription("t1", price: "0", at: 0, days: 7, original: "t1"),
      subscription("t2", price: "9.99", at: 7, days: 30, original: "t1"),
    ]
    + (0..<30).map { day in
      #"{"userId":"secretUser\#(day % 12)","paymentSeq":"p\#(day)","price":1.5,"currency":"USD","#
        + #""purchaseTime":\#(start + day * 86_400_000),"isTestPurchase":false}"#
    }

  private static let start = 1_751_328_000_000

  private static func subscription(
    _ number: String, price: String, at day: Int, days: Int, original: String
  ) -> String {
    let bought = start + day * 86_400_000
    return #"{"userId":"secretUser0","paymentSeq":"\#(number)","price":\#(price),"#
      + #""currency":"USD","gamebaseProductId":"vip","productType":"AUTO_RENEWABLE","#
      + #""paymentId":"\#(number)","originalPaymentId":"\#(original)","storeCode":"GG","#
      + #""purchaseTime":\#(bought),"expiryTime":\#(bought + days * 86_400_000),"#
      + #""isTestPurchase":false}"#
  }

  private func page(_ arguments: [String] = []) throws -> String {
    let path = "\(fixture.folder.path)/page.html"
    let result = try fixture.run(["report", "--html", path] + arguments)
    try #require(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.isEmpty)
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test func `the terminal shows verdicts and the main figures`() throws {
    let result = try fixture.run(["report"])
    #expect(result.exitCode == 0, "\(result.errors)")
    for part in [
      "days of the zone UTC", "no base currency", "receipt  late",
      "Revenue, last complete week", "Payers, last complete week             7",
    ] { #expect(result.output.contains(part), "\(part) is not in \(result.output)") }
    #expect(!result.output.contains("secretUser"))
  }

  @Test func `the file has the mode 0640 and is replaced as a whole`() throws {
    let path = "\(fixture.folder.path)/page.html"
    try fixture.folder.write("page.html", lines: ["old"])
    chmod(path, 0o666)
    // A reader who has the old page open keeps it whole.
    let opened = "\(fixture.folder.path)/opened.html"
    try FileManager.default.linkItem(atPath: path, toPath: opened)
    #expect(try page().contains("<!doctype html>"))
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o640)
    #expect(try String(contentsOfFile: opened, encoding: .utf8) == "old\n")
    let files = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
    #expect(!files.contains { $0.contains(".part-") })

    let missing = try fixture.run(["report", "--html", "/nonexistent/page.html"])
    #expect(missing.exitCode == 74)
    #expect(missing.errors.contains("cannot write the page /nonexistent/page.html"))
  }

  @Test func `an unknown application is a usage error that names the known ones`() throws {
    let result = try fixture.run(["report", "--app-id", "game-2"])
    #expect(result.exitCode == 64)
    #expect(result.errors.contains("game-2; the reports have game-1"))
    #expect(try fixture.run(["report", "--app-id", "game-1"]).exitCode == 0)
  }

  @Test func `a standard output can take the page`() throws {
    let result = try fixture.run(["report", "--html", "-"])
    #expect(result.exitCode == 0)
    #expect(result.output.hasPrefix("<!doctype html>"))
  }
}
