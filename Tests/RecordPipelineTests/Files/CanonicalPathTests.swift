import Foundation
import Testing

@testable import RecordPipeline

/// The path by which a file is recognized.
struct CanonicalPathTests {
  private let folder: TemporaryFolder
  /// The folder without links in its own path.
  private let real: String

  init() throws {
    folder = try TemporaryFolder()
    real = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
    try FileManager.default.createDirectory(
      atPath: real + "/a/b", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: real + "/link", withDestinationPath: real + "/a/b")
    try FileManager.default.createSymbolicLink(
      atPath: real + "/a/b/file-link", withDestinationPath: real + "/file")
  }

  @Test(arguments: [
    ("a/b/file", "a/b/file"), ("a//b/./file", "a/b/file"), ("a/b/../b/file", "a/b/file"),
    ("link/file", "a/b/file"), ("link/../file", "a/file"), ("a/b/file-link", "a/b/file-link"),
    ("a/b/file/", "a/b/file"), ("./a/b/file", "a/b/file"), ("none/file", "none/file"),
    ("none/x/../file", "none/file"), ("none/../link/file", "link/file"), ("link", "link"),
    ("link/.", "link"), ("link/..", "a"), ("a/\u{301}file", "a/\u{301}file"),
    (".hidden", ".hidden"),
  ])
  func `every spelling of a path gives the real folder and the name`(path: String, expected: String)
  {
    #expect(canonicalPath("\(real)/\(path)") == "\(real)/\(expected)")
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    let relative = String(repeating: "../", count: depth) + real.dropFirst() + "/" + path
    #expect(canonicalPath(relative) == "\(real)/\(expected)")
  }

  @Test func `a name alone is in the current folder, and standard input is in none`() {
    let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
      .resolvingSymlinksInPath().path
    let folder = current == "/" ? "" : current
    #expect(canonicalPath("file") == folder + "/file")
    #expect(canonicalPath("./-") == folder + "/-")
    #expect(canonicalPath("-") == "-")
    #expect(canonicalPath("/") == "/")
    #expect(canonicalPath("/../file") == "/file")
  }
}
