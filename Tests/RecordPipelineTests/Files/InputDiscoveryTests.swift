import Foundation
import RecordPipeline
import Testing

struct InputDiscoveryTests {
  /// The inputs found in a folder of these files, as `stream path` with relative paths; `failed`
  /// and `skipped` replace the stream.
  private func found(
    _ files: [String], at path: String = "", stream: RecordStream? = nil
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    for file in files { try folder.write(file) }
    let root = path.isEmpty ? folder.path : folder.path + "/" + path
    func name(_ path: String) -> Substring {
      #expect(path.hasPrefix(folder.path))
      return path.dropFirst(folder.path.utf8.count + 1)
    }
    let found = try InputDiscovery(stream: stream).inputs([root])
    return found.inputs.map { "\($0.stream) \(name($0.path))" }
      + found.failures.map { "failed \(name($0.path))" }
      + found.skipped.map { "skipped \(name($0.path))" }
  }

  @Test(arguments: [
    ("receipt.jsonl", "receipt"), ("receipts-2026.ndjson", "receipt"), ("RECEIPT.JSON", "receipt"),
    ("Receipt_a.jsonl.gz", "receipt"), ("levelup.jsonl.zst", "level_up"),
    ("level_up_1.json.gz", "level_up"), ("Level-Up.ndjson.zst", "level_up"),
    ("gameuser.jsonl", "game_user"), ("game_users.jsonl", "game_user"),
    ("game-user.jsonl", "game_user"), ("LEVELUPS.JSONL.GZ", "level_up"),
    ("2025-07-29-receipts.jsonl", "receipt"), ("gamebase_receipt_01.jsonl", "receipt"),
    ("de.levelup-EU.jsonl", "level_up"), ("daily_Game_User.jsonl", "game_user"),
    ("日receipt.jsonl", "receipt"), ("x level-up.jsonl", "level_up"),
    ("stream=receipt.jsonl", "receipt"),
  ])
  func `a name selects the stream, whatever its case`(name: String, stream: String) throws {
    #expect(try found([name]) == ["\(stream) \(name)"])
    #expect(try found([name], at: name) == ["\(stream) \(name)"])
    #expect(try found(["receipts/\(name)"]) == ["\(stream) receipts/\(name)"])
  }

  @Test(arguments: [
    "oldreceipt.jsonl", "1receipt.jsonl", "level.up.jsonl", "level up.jsonl", "game users.jsonl",
    "recei\u{200D}pt.jsonl", "rece\u{130}pt.jsonl", "part-0001.jsonl",
  ])
  func `a name in which no word starts with a stream's prefix selects no stream`(
    name: String
  )
    throws
  {
    #expect(try found(["receipt.jsonl", name]) == ["receipt receipt.jsonl", "skipped \(name)"])
  }

  @Test(arguments: [
    "receipt_levelup.jsonl", "game-user-receipts.jsonl", "receipts/levelup.game_user.jsonl",
    "receipts-and-levelups/part.jsonl",
  ])
  func `a found file named after two streams fails, and a given one is a usage error`(
    name: String
  ) throws {
    #expect(try found(["receipt.jsonl", name]) == ["receipt receipt.jsonl", "failed \(name)"])
    #expect(try found([name]) == ["failed \(name)"])
    #expect(try found([name], stream: .receipt) == ["receipt \(name)"])
    let error = #expect(throws: ReadError.self) { try found([name], at: name) }
    #expect(error?.kind == .ambiguousName)
    #expect(error?.description.hasSuffix("; rename it or add --stream") == true)
  }

  /// Files in a folder, what is given of it, and what is found.
  @Test(arguments: [
    // A file's own name, then the nearest folder.
    (
      "receipts-and-levelups/levelup.jsonl", "", "level_up receipts-and-levelups/levelup.jsonl"
    ),
    ("receipts/2026/11/part-2.jsonl", "", "receipt receipts/2026/11/part-2.jsonl"),
    ("receipts/levelups/part-3.jsonl", "", "level_up receipts/levelups/part-3.jsonl"),
    ("levelup/receipt/x/y/part-4.jsonl", "", "receipt levelup/receipt/x/y/part-4.jsonl"),
    ("receipts/game_user-1.jsonl", "", "game_user receipts/game_user-1.jsonl"),
    // The folders in a given path count.
    ("receipts/part-1.jsonl", "receipts/part-1.jsonl", "receipt receipts/part-1.jsonl"),
    ("receipts/march/part.jsonl", "receipts/march", "receipt receipts/march/part.jsonl"),
    ("receipts/levelups/x.jsonl", "receipts/levelups", "level_up receipts/levelups/x.jsonl"),
    // A file given by its path may have any name; a found one without a stream is skipped.
    ("receipt.txt", "receipt.txt", "receipt receipt.txt"),
    ("receipts/x", "receipts/x", "receipt receipts/x"),
    (
      "receipt.jsonl b.jsonl a/data.jsonl", "",
      "receipt receipt.jsonl, skipped a/data.jsonl, skipped b.jsonl"
    ),
    // Patterns, and names that look like some.
    (
      "receipt-2.jsonl receipt-1.jsonl levelup.jsonl x/receipt-3.jsonl", "receipt-*.jsonl",
      "receipt receipt-1.jsonl, receipt receipt-2.jsonl"
    ),
    ("levelup.jsonl x/receipt-3.jsonl", "*/receipt-[3].jsonl", "receipt x/receipt-3.jsonl"),
    ("receipt-1.jsonl receipt-?.jsonl", "receipt-?.jsonl", "receipt receipt-?.jsonl"),
    ("receipt-1.jsonl", "receipt-9*.jsonl", "failed receipt-9*.jsonl"),
    (
      "x/manifest.json x/receipt-1.jsonl", "x/*",
      "receipt x/receipt-1.jsonl, skipped x/manifest.json"
    ),
  ])
  func `what is given of a folder decides what is found`(
    files: String, path: String, expected: String
  ) throws {
    let found = try found(files.split(separator: " ").map(String.init), at: path)
    #expect(found.joined(separator: ", ") == expected)
  }

  @Test func `folders are searched recursively in byte order`() throws {
    let files = ["receipt-b", "receipt-B", "receipt-é", "receipt-a/1", "receipt-a.1", "receipt-a0"]
      .map { $0 + ".jsonl" }
    let order = try found(files).map { $0.dropFirst("receipt ".utf8.count) }
    #expect(
      order == [
        "receipt-B.jsonl", "receipt-a.1.jsonl", "receipt-a/1.jsonl", "receipt-a0.jsonl",
        "receipt-b.jsonl", "receipt-é.jsonl",
      ])
  }

  @Test func `hidden files are ignored, and files with another ending are skipped`() throws {
    let others = [
      "README.md", "receipt", "receipt.csv", "receipt.gz", "receipt.jsonl.bz2",
      "receipt.jsonl.part",
      "receipt.jsonl.sha256", "receipt.jsonl~", "receipt.txt",
    ]
    let files = ["receipt.jsonl", ".receipt.jsonl", ".hidden/receipt.jsonl"] + others
    let expected = ["receipt receipt.jsonl"] + others.map { "skipped \($0)" }
    #expect(try found(files) == expected)
    #expect(try found(files, at: "*") == expected)
  }

  @Test(arguments: ["receipt-none.jsonl", "inbox", "in*", "in{a,b}", "empty"])
  func `a path that finds no file has failed, unless it may find none`(path: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("receipt.jsonl")
    try folder.write("empty/.hidden.jsonl")
    let paths = ["\(folder.path)/\(path)"]
    let found = try InputDiscovery().inputs(paths)
    #expect(
      found.failures.map(\.path) == paths && found.failures.map(\.error.kind) == [.pathMissing])
    #expect(found.inputs.isEmpty && found.shortfalls.isEmpty)
    #expect(try InputDiscovery(minFiles: 0).inputs(paths).failures.isEmpty)
  }

  @Test func `only a night misses files where all are skipped`() throws {
    let folder = try TemporaryFolder()
    try folder.write("receipt.txt")
    #expect(try InputDiscovery().inputs([folder.path]).failures.isEmpty)
    let night = try InputDiscovery(isNight: true, source: "source 1").inputs([folder.path])
    #expect(night.failures.map(\.error.kind) == [.pathMissing] && night.skipped.count == 1)
    #expect(night.failures[0].error.message.contains("receipt.txt is skipped"))
    #expect(night.failures[0].error.message.hasSuffix(" (source 1)"))
  }

  @Test func `alternatives of a pattern select as in bash, and too many are none`() throws {
    let files = ["receipt-1.jsonl", "receipt-1.jsonl.gz", "x{y}receipt.jsonl", "receipt-,.jsonl"]
    #expect(
      try found(files, at: "receipt-?.jsonl{,.gz}").map { $0.dropFirst("receipt ".count) }
        == ["receipt-,.jsonl", "receipt-1.jsonl", "receipt-1.jsonl.gz"])
    #expect(try found(files, at: "{x{y}*,receipt-{2,1}*}.gz") == ["receipt receipt-1.jsonl.gz"])
    #expect(try found(files, at: "x{y}*") == ["receipt x{y}receipt.jsonl"])
    let many = String(repeating: "{,}", count: 80)
    #expect(try found(["receipt\(many).jsonl"], at: "receipt*").count == 1)
    #expect(try found(files, at: "receipt-1.jsonl\(many)") == ["failed receipt-1.jsonl\(many)"])
  }

  @Test func `a named file without a stream, or standard input, is a usage error`() throws {
    let error = #expect(throws: ReadError.self) {
      try found(["data/part.jsonl"], at: "data/part.jsonl")
    }
    #expect(error?.kind == .unknownStream)
    #expect(error?.description.contains("add --stream receipt|level_up|game_user") == true)
    let input = #expect(throws: ReadError.self) { try InputDiscovery().inputs(["-"]) }
    #expect(input?.description.hasPrefix("standard input has no name") == true)
  }
}
