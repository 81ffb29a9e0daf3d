import Testing

@testable import Loading

struct DefinitionOrderTests {
  private func order(_ texts: [String: String]) throws -> [String] {
    try DefinitionOrder.sort(texts.map { SQLFile(name: $0.key, text: $0.value) }).map(\.name)
  }

  @Test func `each definition comes after those that it names`() throws {
    #expect(
      try order([
        "a.first": "select b.second() + c.third()", "b.second": "select (c.third());",
        "c.third": "select 1",
      ]) == ["c.third", "b.second", "a.first"])
  }

  @Test func `definitions that do not name each other are sorted by name`() throws {
    #expect(try order(["b.x": "", "c.x": "", "a.x": ""]) == ["a.x", "b.x", "c.x"])
  }

  @Test func `names in comments and quoted text do not count`() throws {
    #expect(
      try order([
        "a.x": "-- see b.x, it's there\nselect 'call b.x' || 'or ''b.x''' as hint;",
        "b.x": "select a.x()",
      ]) == ["a.x", "b.x"])
  }

  @Test func `names in a dollar-quoted body count, and names after a quoted text`() throws {
    #expect(
      try order(["a.x": "as $$ select 'it''s' || b.x() $$", "b.x": ""]) == ["b.x", "a.x"])
  }

  @Test func `a longer name, or part of one, is a different name`() throws {
    #expect(
      try order(["a.x": "select b.x_more(), my_b.x(), b.x.y", "b.x": "select a.x()"]) == [
        "a.x", "b.x",
      ])
  }

  @Test func `a definition may name itself`() throws {
    #expect(try order(["a.x": "comment on function a.x is 'x'"]) == ["a.x"])
  }

  @Test func `a cycle is refused with its files`() {
    let error = #expect(throws: LoadError.self) {
      try order(["a.x": "select b.x()", "b.x": "select c.x()", "c.x": "select b.x()"])
    }
    #expect(error?.message == "files of sql/ depend on each other in a cycle: b.x, c.x, b.x")
  }

  @Test func `the definitions in sql have an order`() throws {
    let sorted = try DefinitionOrder.sort(EmbeddedSQL.functions + EmbeddedSQL.views).map(\.name)
    #expect(sorted.count == EmbeddedSQL.functions.count + EmbeddedSQL.views.count)
    let merge = try #require(sorted.firstIndex(of: "staging.merge"))
    for used in ["staging.table_of", "ingest.require_open_file", "staging.count_merged"] {
      #expect(try #require(sorted.firstIndex(of: used)) < merge, "\(used)")
    }
  }
}
