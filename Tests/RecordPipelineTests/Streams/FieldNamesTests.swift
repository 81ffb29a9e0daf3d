import Testing

@testable import RecordPipeline

struct FieldNamesTests {
  private func slot(_ name: String, in names: RecordStream) -> Int? {
    Array(name.utf8).withSlice { names.slot(of: $0, among: names.inLine | names.inData) }
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `every field name of a stream has its own slot`(stream: String) throws {
    let names = try #require(StreamCatalog.stream(named: stream))
    for (index, name) in names.names.enumerated() {
      #expect(slot(name, in: names) == index)
      for other in [
        name.uppercased(), name + " ", " " + name, name + "\0", String(name.dropLast()),
      ] {
        #expect(slot(other, in: names) == names.names.firstIndex(of: other), "\(other)")
      }
    }
    #expect(slot("", in: names) == nil)
    #expect(Set(names.names).count == names.names.count)
  }

  /// A stream of fields, each with some spellings.
  ///
  /// Names are never freed, because a stream lives as long as the process. Those of tests must stay reachable, or
  /// the leak check reports them.
  private static func stream(_ fields: StaticString...) -> RecordStream {
    RecordStream(
      name: "", recordNoun: "", table: "", fileNamePrefixes: [], key: [],
      values: fields.map { .optional(.identifier, $0, into: "c") })
  }
  private static let sixtyFour = stream(
    """
    name0 other0 name1 other1 name2 other2 name3 other3 name4 other4 name5 other5 name6 \
    other6 name7 other7 name8 other8 name9 other9 name10 other10 name11 other11 name12 \
    other12 name13 other13 name14 other14 name15 other15 name16 other16 name17 other17 \
    name18 other18 name19 other19 name20 other20 name21 other21 name22 other22 name23 \
    other23 name24 other24 name25 other25 name26 other26 name27 other27 name28 other28 \
    name29 other29 name30 other30 name31 other31
    """)
  private static let two = stream("caf\u{E9} K")
  private static let alike = stream(
    "ab abb abab ababab abababab", "firstEnd1lastEnd firstEnd-1-lastEnd firstEnd-2-lastEnd")

  @Test func `sixty-four names fit, and all of them are found`() {
    let names = Self.sixtyFour
    for index in 0..<32 {
      #expect(slot("name\(index)", in: names) == 2 * index)
      #expect(slot("other\(index)", in: names) == 2 * index + 1)
    }
    for index in 32..<10_000 { #expect(slot("name\(index)", in: names) == nil) }
  }

  @Test func `names with the same beginning and end are distinguished`() {
    let names = Self.alike
    for (index, name) in names.names.enumerated() { #expect(slot(name, in: names) == index) }
    for other in [
      "a", "abab ", "ababa", "abbb", "firstEnd2lastEnd", "firstEnd-3-lastEnd", "firstEnd--lastEnd",
      "firstEndlastEnd", "firstEnd-1-2-lastEnd", "aab", "ab\0", "\0\0",
    ] { #expect(slot(other, in: names) == nil, "\(other)") }
  }

  @Test func `names compare by bytes`() {
    let names = Self.two
    #expect(slot("caf\u{E9}", in: names) == 0)
    #expect(slot("cafe\u{301}", in: names) == nil)
    #expect(slot("\u{212A}", in: names) == nil)
  }
}
