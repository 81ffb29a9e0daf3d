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
    let error = #expect(throws: InputUsageError.self) { try found([name], at: name) }
    #expect(error?.kind == .ambiguousName)
    #expect(error?.description.hasSuffix("; rename it or add --stream") == true)
  }

  @Test func `a file's own name takes precedence over a folder named after two streams`() throws {
    #expect(
      try found(["receipts-and-levelups/levelup.jsonl"])
        == ["level_up receipts-and-levelups/levelup.jsonl"])
  }

  @Test func `the nearest folder selects the stream if the file name does not`() throws {
    let files = [
      "receipts/part-0001.jsonl", "receipts/2026/11/part-0002.jsonl",
      "receipts/levelups/part-0003.jsonl", "levelup/receipt/x/y/part-0004.jsonl",
      "receipts/game_user-1.jsonl",
    ]
    #expect(
      try found(files) == [
        "receipt levelup/receipt/x/y/part-0004.jsonl", "receipt receipts/2026/11/part-0002.jsonl",
        "game_user receipts/game_user-1.jsonl", "level_up receipts/levelups/part-0003.jsonl",
        "receipt receipts/part-0001.jsonl",
      ])
    #expect(try found(files, at: files[0]) == ["receipt receipts/part-0001.jsonl"])
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

  @Test func `a file given by path may have any name`() throws {
    #expect(try found(["receipt.txt"], at: "receipt.txt") == ["receipt receipt.txt"])
    #expect(try found([".receipt"], at: ".receipt", stream: .receipt) == ["receipt .receipt"])
    #expect(try found(["receipts/x"], at: "receipts/x") == ["receipt receipts/x"])
  }

  @Test func `a stream given by option overrides every name`() throws {
    let files = ["receipt.jsonl", "other.jsonl", "levelup/x.jsonl"]
    #expect(
      try found(files, stream: .gameUser) == [
        "game_user levelup/x.jsonl", "game_user other.jsonl", "game_user receipt.jsonl",
      ])
    let input = try InputDiscovery(stream: .levelUp).inputs(["-"]).inputs
    #expect(input.map(\.path) == ["-"] && input.map(\.stream) == ["level_up"])
  }

  @Test func `a pattern selects the matching files in byte order`() throws {
    let files = ["receipt-2.jsonl", "receipt-1.jsonl", "levelup.jsonl", "x/receipt-3.jsonl"]
    #expect(
      try found(files, at: "receipt-*.jsonl")
        == ["receipt receipt-1.jsonl", "receipt receipt-2.jsonl"])
    #expect(try found(files, at: "*/receipt-[3].jsonl") == ["receipt x/receipt-3.jsonl"])
    #expect(
      try found(files + ["receipt-?.jsonl"], at: "receipt-?.jsonl") == ["receipt receipt-?.jsonl"])
    #expect(try found(files, at: "receipt-9*.jsonl") == ["failed receipt-9*.jsonl"])
    #expect(
      try found(["x/manifest.json", "x/receipt-1.jsonl"], at: "x/*")
        == ["receipt x/receipt-1.jsonl", "skipped x/manifest.json"])
  }

  @Test(arguments: ["receipt-none.jsonl", "inbox", "in*", "in{a,b}", "empty"])
  func `a path that finds no file has failed, unless it may find none`(path: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("receipt.jsonl")
    try folder.write("empty/.hidden.jsonl")
    let paths = ["\(folder.path)/\(path)"]
    let found = try InputDiscovery().inputs(paths)
    #expect(found.failures.map(\.path) == paths && found.failures.map(\.kind) == [.missing])
    #expect(found.inputs.isEmpty && found.shortfalls.isEmpty)
    #expect(try InputDiscovery(minFiles: 0).inputs(paths).failures.isEmpty)
  }

  @Test func `only a night misses files where all are skipped`() throws {
    let folder = try TemporaryFolder()
    try folder.write("receipt.txt")
    #expect(try InputDiscovery().inputs([folder.path]).failures.isEmpty)
    let night = try InputDiscovery(isNight: true, source: "source 1").inputs([folder.path])
    #expect(night.failures.map(\.kind) == [.missing] && night.skipped.count == 1)
    #expect(night.failures[0].reason.contains("receipt.txt is skipped"))
    #expect(night.failures[0].reason.hasSuffix(" (source 1)"))
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

  @Test func `a found file without a stream is skipped`() throws {
    let files = ["receipt.jsonl", "b.jsonl", "a/data.jsonl", "part.jsonl"]
    #expect(
      try found(files) == [
        "receipt receipt.jsonl", "skipped a/data.jsonl", "skipped b.jsonl", "skipped part.jsonl",
      ])
  }

  @Test func `a named file without a stream is a usage error`() throws {
    let error = #expect(throws: InputUsageError.self) {
      try found(["data/part.jsonl"], at: "data/part.jsonl")
    }
    #expect(error?.kind == .unknownStream)
    #expect(error?.description.contains("add --stream receipt|level_up|game_user") == true)
  }

  @Test func `standard input needs a stream`() throws {
    let error = #expect(throws: InputUsageError.self) { try InputDiscovery().inputs(["-"]) }
    #expect(error?.description.hasPrefix("standard input has no name") == true)
  }

  @Test func `the parent folders in a given path can select the stream`() throws {
    let name = "receipts/march/part.jsonl"
    #expect(try found([name], at: "receipts/march") == ["receipt \(name)"])
    #expect(try found([name], at: name) == ["receipt \(name)"])
    #expect(
      try found(["receipts/levelups/x.jsonl"], at: "receipts/levelups")
        == ["level_up receipts/levelups/x.jsonl"])
  }
}
