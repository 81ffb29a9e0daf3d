import Foundation
import TestSupport
import Testing

/// `validate --format json` and `--format github`, and `load --dry-run` on the command line.
struct ValidateFormatTests {
  private let folder: TemporaryFolder
  private let program: Command
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    program = try .gamebaseIngest
    path = try folder.write(
      "receipt:%,\n.jsonl",
      lines: [
        CommandFixture.receipt(1), #"{"purchaseToken":"SECRET","paymentSeq":"\ud800"}"#,
        #"{"accessToken":"SECRET",}"#, "", #"{"x":1}"#,
      ])
  }

  private func validate(_ arguments: [String]) throws -> Command.Result {
    try program.run(["validate"] + arguments + CommandFixture.asOf)
  }

  @Test func `the json format is one document with every verdict`() throws {
    let other = try folder.write("levelup.jsonl", lines: [])
    let result = try validate([
      path, other, "\(folder.path)/receipt-gone.jsonl", "--format", "json",
    ])
    #expect(result.exitCode == 5)
    #expect(!result.output.contains("SECRET"))
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(document["exit_code"] as? Int == 5)
    let files = try #require(document["files"] as? [[String: Any]])
    #expect(
      files.map { $0["path"] as? String } == [path, other, "\(folder.path)/receipt-gone.jsonl"])
    #expect(files.map { $0["status"] as? String } == ["has_rejects", "good", "failed"])
    #expect(files[0]["lines"] as? Int == 5 && files[0]["good"] as? Int == 1)
    #expect(files[0]["rejected"] as? Int == 3 && files[0]["blank"] as? Int == 1)
    let rejects = try #require(files[0]["rejects"] as? [[String: Any]])
    #expect(rejects.map { $0["line"] as? Int } == [2, 3, 5])
    #expect(
      rejects.map { $0["code"] as? String }
        == ["invalid_character", "malformed_json", "missing_field"])
    #expect(rejects[1]["field"] is NSNull && rejects[0]["field"] as? String == "paymentSeq")
    #expect(
      (files[0]["unknown_fields"] as? [[String: Any]])?.map { $0["field"] as? String } == ["x"])
    #expect(files[2]["error"] as? String == "does not exist" && files[0]["error"] is NSNull)
  }

  @Test func `github annotations name file and line in GitHub's escaping`() throws {
    let result = try validate([path, "--format", "github"])
    #expect(result.exitCode == 3)
    let name = "\(folder.path)/receipt%3A%25%2C\\u{a}.jsonl"
    let lines = result.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("::error file=\(name),line=2,title=invalid_character::paymentSeq: "))
    #expect(
      lines[1].hasPrefix("::error file=\(name),line=3,title=malformed_json::the line is not "))
    #expect(lines.filter { $0.hasPrefix("::") }.count == 3)
    let one = try validate([path, "--format", "github", "--show", "1"])
    #expect(one.output.split(separator: "\n").filter { $0.hasPrefix("::") }.count == 1)
    #expect(one.output.contains("2 more refused lines"))
  }

  @Test func `a file name cannot inject a GitHub command`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "::stop-commands::x/receipt.jsonl",
      lines: [###"{"##[add-mask]u":1}"###, CommandFixture.receipt(1)])
    let result = try Command("/bin/sh").run([
      "-c",
      #"cd "$1" && exec "$2" validate ::stop-commands::x/receipt.jsonl --format github --show 0"#,
      "sh", folder.path, program.program,
    ])
    let text = result.output + result.errors
    #expect(text.contains("./::stop-commands::x/receipt.jsonl"))
    #expect(!text.split(separator: "\n").contains { $0.hasPrefix("::") }, "\(text)")
    #expect(text.contains("[add-mask]u") && !text.contains("##["))
  }

  @Test(arguments: [Command.Output.file("/dev/full"), .closed], ["json", "github"])
  func `unwritable verdicts exit with 74`(output: Command.Output, format: String)
    throws
  {
    var program = program
    program.output = output
    let result = try program.run(["validate", path, "--format", format])
    #expect(result.exitCode == 74)
    #expect(try program.run(["explain", "\(path):1"]).exitCode == 74)
  }
}
