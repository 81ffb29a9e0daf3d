import Foundation
import Testing

@testable import Loading

struct PushActionFileTests {
  private func file(_ text: String) -> PushActionFile {
    PushActionFile(Array(text.utf8), languages: ["en", "de", "ko", "ar"])
  }

  /// A file with a good action and category before the given ones.
  private func file(actions: String = "", categories: String = "") -> PushActionFile {
    file(
      """
      {"actions":{"A":{"en":"a"},"B":{"en":"b"},"C":{"en":"c"},"D":{"en":"d"}
      \(actions)},
      "categories":{"X":["A","B"],"Y":["C","D"]
      \(categories)}}
      """)
  }

  /// The fixture has the defects of the vendor's own example: an action in no category, white space
  /// before a title, and one title twice in a category.
  @Test func `the vendor's kind of file is read, and its oddities get warnings`() throws {
    var path = URL(filePath: #filePath)
    for _ in 0..<3 { path.deleteLastPathComponent() }
    let bytes = try Data(
      contentsOf: path.appending(path: "Fixtures/push-actions/hive_push_actions.json"))
    let found = PushActionFile(Array(bytes), languages: ["en", "de", "ko", "ar"])
    #expect(found.problems.isEmpty)
    #expect(found.actions == ["OPEN_SHOP_ID", "LATER_ID", "SNOOZE_ID", "JOIN_RAID_ID"])
    #expect(found.titles.count == 10)
    #expect(found.titles[6] == .init(action: "LATER_ID", language: "ar", text: " لاحقًا"))
    #expect(
      found.buttons == [
        .init(category: "SALE_OFFER_CATEGORY", position: 1, action: "OPEN_SHOP_ID"),
        .init(category: "SALE_OFFER_CATEGORY", position: 2, action: "LATER_ID"),
        .init(category: "SALE_OFFER_CATEGORY", position: 3, action: "SNOOZE_ID"),
        .init(category: "REMINDER_CATEGORY", position: 1, action: "SNOOZE_ID"),
      ])
    #expect(
      found.warnings.map(\.sentence) == [
        "line 12, actions.LATER_ID.ar: white space surrounds the title; it is kept",
        "line 23, categories.SALE_OFFER_CATEGORY: LATER_ID and SNOOZE_ID have the same title in en",
        "line 18, actions.JOIN_RAID_ID: no category has this action",
      ])
  }

  @Test(
    arguments: [
      (#","E":{"en":"e"},"E":{"en":"e"}"#, "actions.E", "line 2 has this name already"),
      (#","A":{"en":"a"}"#, "actions.A", "line 1 has this name already"),
      (#","E":{"en":"e","de":"d","de":"d"}"#, "actions.E.de", "line 2 has this name already"),
      (#","E":{"de":"e"}"#, "actions.E", "the title in en is missing"),
      (#","E":{}"#, "actions.E", "the title in en is missing"),
      (#","E":{"en":""}"#, "actions.E.en", "the title is empty"),
      (#","E":{"en":null}"#, "actions.E.en", "the title is no text"),
      (#","E":{"en":1}"#, "actions.E.en", "the title is no text"),
      (#","E":{"en":["e"]}"#, "actions.E.en", "the title is no text"),
      (#","E":{"en":"\u0000"}"#, "actions.E.en", "the title holds a NUL"),
      (#","E":"e""#, "actions.E", "this is no object"),
      (#","E":null"#, "actions.E", "this is no object"),
      (#","":{"en":"e"}"#, "actions", "a name is empty"),
      (#","\u0000":{"en":"e"}"#, "actions", "a name holds a NUL"),
    ] as [(String, String, String)])
  func `a wrong action refuses the file`(actions: String, place: String, reason: String) {
    let found = file(actions: actions)
    #expect(found.problems == [.init(line: 2, place: place, reason: reason)])
  }

  @Test(
    arguments: [
      (#","Z":["A","B","C","D"]"#, "categories.Z", "there are 4 actions; a category has at most 3"),
      (#","Z":["A","E"]"#, "categories.Z[1]", "actions does not define this action"),
      (#","Z":["a"]"#, "categories.Z[0]", "actions does not define this action"),
      (#","Z":["A","A"]"#, "categories.Z[1]", "the category has this action already"),
      (#","X":["A"]"#, "categories.X", "line 3 has this name already"),
      (#","Z":[]"#, "categories.Z", "the category has no action"),
      (#","Z":["A",1]"#, "categories.Z[1]", "this is no text with the name of an action"),
      (#","Z":{"A":"B"}"#, "categories.Z", "this is no array of actions"),
      (#","Z":"A""#, "categories.Z", "this is no array of actions"),
      (#","":["A"]"#, "categories", "a name is empty"),
    ] as [(String, String, String)])
  func `a wrong category refuses the file`(categories: String, place: String, reason: String) {
    let found = file(categories: categories)
    #expect(found.problems == [.init(line: 4, place: place, reason: reason)])
  }

  @Test(
    arguments: [
      ("[]", nil, "this is no object"),
      ("", nil, "this is no JSON: the text ends before a value"),
      (#"{"actions":{},"categories":{},}"#, nil, "this is no JSON: a name in quotes is missing"),
      (#"{"actions":{}}"#, nil, "categories is missing"),
      (#"{"categories":{}}"#, nil, "actions is missing"),
      (#"{"actions":[],"categories":{}}"#, "actions", "this is no object"),
      (#"{"actions":{},"categories":[]}"#, "categories", "this is no object"),
      (#"{"actions":{},"actions":{},"categories":{}}"#, "actions", "line 1 has this name already"),
      (
        #"{"actions":{},"categories":{},"version":1}"#, "version",
        "the file has no other members than actions and categories"
      ),
    ] as [(String, String?, String)])
  func `a file of another shape is refused`(text: String, place: String?, reason: String) {
    #expect(file(text).problems == [.init(line: 1, place: place, reason: reason)])
  }

  @Test func `every defect of a file is named`() {
    let found = file(
      actions: #","E":{"de":""}"#, categories: #","Z":["E","F"],"W":[]"#)
    #expect(
      found.problems.map(\.place) == [
        "actions.E.de", "actions.E", "categories.Z[1]", "categories.W",
      ])
  }

  @Test(
    arguments: [
      (#","E":{"en":"e","zh-CN":"e"}"#, "actions.E.zh-CN", "does not know this language"),
      (#","E":{"en":"e","EN":"e"}"#, "actions.E.EN", "does not know this language"),
      (#","E":{"en":" e"}"#, "actions.E.en", "white space"),
      (#","E":{"en":"e\u3000"}"#, "actions.E.en", "white space"),
      (#","E":{"en":"e\n"}"#, "actions.E.en", "white space"),
      (#","E":{"en":"c"}"#, "categories.Z", "C and E have the same title in en"),
    ] as [(String, String, String)])
  func `an odd title gets a warning, and stays`(actions: String, place: String, reason: String) {
    let found = file(actions: actions, categories: #","Z":["C","E"]"#)
    #expect(found.problems.isEmpty)
    #expect(found.warnings.map(\.place) == [place])
    #expect(found.warnings.allSatisfy { $0.reason.contains(reason) })
    #expect(found.titles.count { $0.action == "E" } == found.titles.count - 4)
  }

  @Test func `the names of the vendor's built-in set get warnings`() {
    let found = file(
      actions: #","HOLDING_ID":{"en":"Wait"}"#,
      categories: #","ACCEPT_DECISION_CATEGORY":["HOLDING_ID"]"#)
    #expect(found.problems.isEmpty)
    #expect(
      found.warnings.map(\.place) == [
        "actions.HOLDING_ID", "categories.ACCEPT_DECISION_CATEGORY",
      ])
    #expect(PushActionFile.builtInActions.count == 12)
    #expect(PushActionFile.builtInCategories.count == 9)
  }

  @Test func `names are compared by their bytes`() {
    // The sign of the unit kelvin and the letter K are equal for String.
    let found = file(
      actions: #","K":{"en":"k"},"\u212A":{"en":"\u212A"}"#, categories: #","Z":["K","\u212A"]"#)
    #expect(found.problems.isEmpty)
    #expect(found.warnings.isEmpty)
  }
}
