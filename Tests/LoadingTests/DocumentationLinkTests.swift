import Foundation
import Testing

/// The pages must name only files and headings that exist.
struct DocumentationLinkTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// All pages, relative to the repository.
  private static func pages() throws -> [String] {
    let files = FileManager.default
    let folders = ["", "docs/", "docs/adr/"]
    return try folders.flatMap { folder in
      try files.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
        .filter { $0.hasSuffix(".md") }.map { folder + $0 }
    }.sorted()
  }

  private static func text(of page: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
  }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).standardized.path)
  }

  /// The anchors that a Markdown page gives its headings: lower case, without punctuation, blanks as hyphens.
  private static func anchors(of page: String) throws -> Set<String> {
    Set(
      try text(of: page).split(separator: "\n").filter { $0.hasPrefix("#") }.map { heading in
        let title = heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
        return String(
          title.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
            .map { $0 == " " ? "-" : $0 })
      })
  }

  @Test func `every link between pages leads to a file and a heading`() throws {
    var count = 0
    for page in try Self.pages() {
      let folder = (page as NSString).deletingLastPathComponent
      for link in try Self.text(of: page).matches(of: /\]\(([^)\s]+)\)/).map(\.output.1)
      where !link.contains("://") {
        count += 1
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let target =
          parts[0].isEmpty ? page : (folder as NSString).appendingPathComponent(String(parts[0]))
        #expect(Self.exists(target), "\(page): \(link)")
        if parts.count == 2, target.hasSuffix(".md"), Self.exists(target) {
          let path = URL(fileURLWithPath: target, relativeTo: Self.root).standardized.path
            .dropFirst(Self.root.standardized.path.count + 1)
          #expect(try Self.anchors(of: String(path)).contains(String(parts[1])), "\(page): \(link)")
        }
      }
    }
    #expect(count > 100)
  }

  @Test func `every path that the pages of developers name exists`() throws {
    let paths = try ["ARCHITECTURE.md", "docs/report-upkeep.md"].map(Self.text).joined()
      .matches(of: /`((?:Sources|sql|scripts|Plugins|Benchmarks|Tests)\/[^`<]+)`/).map(\.output.1)
    #expect(paths.count > 8)
    for path in paths { #expect(Self.exists(String(path)), "\(path)") }
  }

  @Test
  func `the index lists the decisions without gaps, also those that are gone, and each record`()
    throws
  {
    let index = try Self.text(of: "docs/adr/README.md")
    let numbers = index.matches(of: /\n\| \[?(\d+)(?:\]\(.*?\))? \|/).compactMap {
      Int($0.output.1)
    }
    #expect(numbers.count > 60 && numbers == Array(1...numbers.count))
    for record in try Self.pages() where record.firstMatch(of: /adr\/\d{4}-/) != nil {
      #expect(index.contains("](\((record as NSString).lastPathComponent))"), "\(record)")
    }
  }
}
