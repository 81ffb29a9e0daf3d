import Foundation
import Loading
import TestSupport
import Testing

/// Lists of user ids: the accepted ids and the refused lines.
struct UserIDListTests {
  private func list(_ text: String) -> UserIDList { UserIDList(bytes: Array(text.utf8)) }

  @Test(arguments: [
    ("u1", ["u1"]), ("u1\n", ["u1"]), ("u1\r\n", ["u1"]), ("\u{FEFF}u1\nu2", ["u1", "u2"]),
    ("\n\r\nu1\n\nu2\n\n", ["u1", "u2"]), ("u1\nu1\n", ["u1"]),
    ("a b\n#c\n-\n00\n", ["a b", "#c", "-", "00"]),
    ("", []), ("\u{FEFF}", []), ("\n\r\n\n", []),
    // These look the same and are equal in Swift, but are two users.
    ("\u{E9}\ne\u{301}\n", ["\u{E9}", "e\u{301}"]), ("a\u{1}b\n", ["a\u{1}b"]),
  ])
  func `each line is one id, byte for byte`(text: String, ids: [String]) {
    let list = list(text)
    #expect(list.ids.map { Array($0.utf8) } == ids.map { Array($0.utf8) })
    #expect(list.refused.isEmpty)
  }

  @Test func `an id with a token in it is erased in its stored form, too`() {
    // The SHA-256 of the id: a text that names a token in no quotes is not kept.
    let stored = ["sha256:834e9fefdd5862ac3bd04aa0359111c6054a03ef0932589396d7192c8d53d7c9"]
    #expect(list("purchaseToken=abc\n").ids == ["purchaseToken=abc"] + stored)
    #expect(list("\(stored[0])\n").ids == stored)
    #expect(UserIDList(argument: "purchaseToken=abc").ids == ["purchaseToken=abc"] + stored)
  }

  @Test(arguments: [
    ("u1 ", UserIDList.Problem.outerWhiteSpace), (" u1", .outerWhiteSpace),
    ("\tu1", .outerWhiteSpace),
    ("u1\u{A0}", .outerWhiteSpace), ("u1\u{3000}", .outerWhiteSpace), ("   ", .outerWhiteSpace),
    ("u1\r\r", .outerWhiteSpace), ("\u{FEFF}u1", .outerWhiteSpace), ("u1\u{85}", .outerWhiteSpace),
    ("u\u{0}1", .zeroByte), ("u1\u{0}", .zeroByte), ("\u{0}", .zeroByte), ("0", .notLoggedIn),
  ])
  func `a line that cannot be an id is refused, and the other lines are accepted`(
    line: String, problem: UserIDList.Problem
  ) {
    let list = list("a\n\(line)\nb\r\n")
    #expect(list.ids == ["a", "b"])
    #expect(list.refused.map(\.problem) == [problem])
    #expect(list.refused.map(\.line) == [2])
  }

  @Test func `invalid UTF-8 is refused, and its bytes are shown as escapes`() {
    let lines: [[UInt8]] = [
      [0x75, 0xFF], [0xED, 0xA0, 0x80], [0xC0, 0xAF], Array("u1".utf8), Array("u1".utf8).reversed(),
    ]
    let list = UserIDList(bytes: Array(lines.joined(separator: [0x0A])))
    #expect(list.ids == ["u1", "1u"])
    #expect(list.refused.map(\.problem) == [.invalidUTF8, .invalidUTF8, .invalidUTF8])
    #expect(
      list.refused.first?.message
        == #"line 1, "u\xff", is refused: it is not valid UTF-8; write the list as UTF-8 text"#)
    // UTF-16 is refused in every line.
    let wide: [UInt8] = "u1\nu2\n".utf8.flatMap { byte -> [UInt8] in [byte, 0] }
    #expect(UserIDList(bytes: [0xFF, 0xFE] + wide).ids.isEmpty)
    #expect(UserIDList(bytes: wide).ids.isEmpty)
  }

  @Test func `a message escapes line breaks and truncates a long id`() {
    let message = list("\u{1B}[31mu\u{202E}\u{2028}" + String(repeating: "x", count: 500) + " \n")
      .refused.first?.message
    #expect(message?.hasPrefix(#"line 1, "\u{1b}[31mu\u{202e}\u{2028}xxx"#) == true)
    #expect(message?.contains("…\"") == true)
    #expect((message?.count ?? 1000) < 300)
    #expect(message?.contains("give it as a quoted argument") == true)
  }

  @Test func `an argument is taken as it is, except 0, the vendor's mark for no user`() {
    for id in ["u1 ", " ", "-", "00", "\u{FEFF}"] { #expect(UserIDList(argument: id).ids == [id]) }
    let nobody = UserIDList(argument: "0")
    #expect(nobody.ids.isEmpty)
    #expect(nobody.refused.map(\.problem) == [.notLoggedIn])
    #expect(
      nobody.refused.first?.message.hasPrefix("\"0\", is refused: it is the vendor's") == true)
  }

  @Test func `a list is read to its end, up to its size limit`() throws {
    let folder = try TemporaryFolder()
    func read(_ path: String) throws -> UserIDList {
      let file = try #require(FileHandle(forReadingAtPath: path))
      defer { try? file.close() }
      return try UserIDList(readingFrom: file.fileDescriptor)
    }
    let ids = (0..<100_000).map { "user \($0)" }
    #expect(try read(try folder.write("ids", lines: ids)).ids == ids)
    let long = try folder.write("long", [UInt8](repeating: 65, count: UserIDList.maxBytes + 1))
    for path in [long, folder.path, "/dev/zero"] {
      let error = #expect(throws: LoadError.self) { try read(path) }
      #expect(error?.exitCode == .usage)
    }
    #expect(throws: LoadError.self) { try UserIDList(readingFrom: -1) }
  }
}
