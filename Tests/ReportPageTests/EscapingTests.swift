import Foundation
import Mustache
import Testing

@testable import ReportPage

/// Texts of the database end neither an element nor an attribute of the page.
struct EscapingTests {
  private func list(_ text: String) throws -> String {
    let table = try #require(Table(text, ["Name", text], [[text, text]]))
    return try #require(try Templates.library().render(table, withTemplate: "list"))
  }

  @Test(arguments: [
    "</script><script>alert(1)</script>", "\" onmouseover=\"alert(1)", "' autofocus='", "<b>&amp;",
    "{{caption}} {{{caption}}}",
  ])
  func `the characters of HTML are escaped`(text: String) throws {
    let html = try list(text)
    #expect(!html.contains(text) || text.contains("{{"))
    #expect(!html.contains("<script"))
    #expect(html.components(separatedBy: "<td").count == 2)
  }

  @Test(arguments: ["\"", "'", "<", ">", "&"])
  func `a combining mark does not hide a character of HTML`(sign: String) throws {
    // One Character of two scalars.
    let html = try list("x\(sign)\u{301}y")
    let scalars = Array(html.unicodeScalars)
    for (scalar, next) in zip(scalars, scalars.dropFirst()) where next == "\u{301}" {
      #expect(scalar == ";")
    }
  }

  @Test func `marks of the reading direction become visible`() {
    #expect(ForeignText.shown("a\u{202E}b\u{200F}\u{1B}") == "a\\u{202e}b\\u{200f}\\u{1b}")
    #expect(ForeignText.shown("상품 שלום") == "상품 שלום")
    #expect(ForeignText.fileName("/in/\u{202E}x/receipt.jsonl") == "receipt.jsonl")
  }

  @Test func `every template is valid, and the style sheet fetches nothing`() throws {
    _ = try Templates.library()
    #expect(!Templates.style.contains("url("))
    #expect(!Templates.style.contains("@import"))
    #expect(!Templates.style.contains("</"))
  }
}
