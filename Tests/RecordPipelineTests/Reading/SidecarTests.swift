import Foundation
import Testing

@testable import RecordPipeline

/// The files beside a data file that tell its digest and its number of lines.
struct SidecarTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let lines = "{\"a\":1}\n\n  \t\r\n{\"b\":2}"
  // printf '{"a":1}\n\n  \t\r\n{"b":2}' | sha256sum
  private static let digest = "6e9a01cc57e01ce6d86ed713af4c22972997ce4e9a8c49164d7b39a0be3fdcc0"

  /// The error of a comparison; nil: the file passes.
  private func error(
    _ sidecars: [String: String], content: String = lines, name: String = "receipt.jsonl",
    isFound: Bool = false
  ) throws -> ReadError.Kind? {
    try folder.write(name, Array(content.utf8))
    for (suffix, text) in sidecars { try folder.write(name + suffix, Array(text.utf8)) }
    defer {
      for suffix in sidecars.keys {
        try? FileManager.default.removeItem(atPath: "\(folder.path)/\(name)\(suffix)")
      }
    }
    let input = Input(
      path: "\(folder.path)/\(name)", stream: "receipt", folder: isFound ? folder.path : nil)
    let file = try InputFile(input, options: ReadOptions())
    do {
      try Sidecars(of: input, options: ReadOptions()).check(file)
    } catch let error as ReadError {
      return error.kind
    }
    #expect(try contents(of: file) == Array(content.utf8), "the file is at its start again")
    return nil
  }

  @Test func `a file without a sidecar passes`() throws {
    #expect(try error([:]) == nil)
  }

  @Test(arguments: [
    digest, digest.uppercased(), "\(digest)  receipt.jsonl\n", "\(digest) *receipt.jsonl\n",
    "\\\(digest)  receipt\\n.jsonl\n",
  ])
  func `a digest is compared with that of the stored bytes`(text: String) throws {
    #expect(try error([".sha256": text]) == nil)
    #expect(try error([".sha256": text], isFound: true) == nil)
    #expect(try error([".sha256": text], content: Self.lines + "\n") == .checksumMismatch)
  }

  @Test(arguments: [
    "", "\n", "abc", String(digest.dropLast()), digest + "0", "g" + digest.dropFirst(),
  ])
  func `a sidecar that is no digest fails the file`(text: String) throws {
    #expect(try error([".sha256": text]) == .sidecarInvalid)
  }

  @Test(arguments: ["2", "2\n", " 2 receipt.jsonl\n", "0002"])
  func `a count is that of the lines that are not blank`(text: String) throws {
    #expect(try error([".count": text]) == nil)
    #expect(try error([".count": text], content: "{}\n") == .lineCountMismatch)
    #expect(try error([".count": text], content: Self.lines + "\n{}") == .lineCountMismatch)
  }

  @Test(arguments: ["", "two", "-2", "2.0", "99999999999999999999"])
  func `a sidecar that is no number fails the file`(text: String) throws {
    #expect(try error([".count": text]) == .sidecarInvalid)
  }

  @Test(arguments: [
    ("", 0), ("\n\n", 0), ("x", 1), ("x\n", 1), (" x\n\ny\n", 2), ("\u{FEFF}", 0),
    ("\u{FEFF}\n", 0), ("\u{FEFF}x\n", 1), ("\n\u{FEFF}\n", 1),
  ])
  func `a byte-order mark at the start is no line`(content: String, count: Int) throws {
    #expect(try error([".count": "\(count)"], content: content) == nil)
    #expect(try error([".count": "\(count + 1)"], content: content) == .lineCountMismatch)
  }

  @Test func `the first two bytes of a byte-order mark are a line`() throws {
    let path = try folder.write("receipt.jsonl", [0xEF, 0xBB])
    let source = try DecodedSource(InputFile(path: path))
    #expect(try NonBlankLines.count(in: source, checking: {}) == 1)
  }

  @Test func `a sidecar that is a folder, a link or too long fails the file`() throws {
    let path = "\(folder.path)/receipt.jsonl.count"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(try error([:]) == .sidecarInvalid)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "receipt.jsonl")
    #expect(try error([:], isFound: true) == .sidecarInvalid)
    try FileManager.default.removeItem(atPath: path)
    #expect(try error([".count": "2" + String(repeating: " ", count: 9000)]) == .sidecarInvalid)
  }

  @Test func `a sidecar is no data file, however it is named`() throws {
    try folder.write("receipt.jsonl")
    try folder.write("receipt.jsonl.sha256")
    try folder.write("receipt.jsonl.count")
    let all = ["receipt.jsonl", "receipt.jsonl.sha256", "receipt.jsonl.count"].map {
      "\(folder.path)/\($0)"
    }
    for paths in [[folder.path], ["\(folder.path)/*"], all] {
      let found = try InputDiscovery().inputs(paths)
      #expect(
        found
          == FoundInputs([
            Input(path: all[0], stream: "receipt", folder: found.inputs.first?.folder)
          ]))
    }
    // A file of its own may have such a name.
    try folder.write("receipt-2.count")
    #expect(
      try InputDiscovery().inputs(["\(folder.path)/receipt-2.count"]).inputs.map(\.stream) == [
        "receipt"
      ])
  }
}
