import Foundation
import TestSupport
import Testing

/// `validate --format json`, and `load --dry-run` on the command line.
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

  @Test(arguments: [Command.Output.file("/dev/full"), .closed], ["json", "text"])
  func `unwritable verdicts exit with 74`(output: Command.Output, format: String) throws {
    var program = program
    program.output = output
    let result = try program.run(["validate", path, "--format", format])
    #expect(result.exitCode == 74)
    #expect(try program.run(["explain", "\(path):1"]).exitCode == 74)
  }
}
