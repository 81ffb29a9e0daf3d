import Foundation
import RecordPipeline
import TestSupport
import Testing

@testable import Loading

/// Missing files are no success, and empty ones are told.
@Suite(.serialized, .needsServer, .ownDatabase) struct CompletenessTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func openFailures() throws -> [[String?]] {
    try fixture.database.rows(
      "select path, stream, attempt_count, error_code from report.open_failure order by path")
  }

  private func options(_ change: (inout LoadOptions) -> Void) -> LoadOptions {
    var options = LoadFixture.options
    change(&options)
    return options
  }

  @Test func `a folder without a file ends with 7, unless no file is accepted`() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let inbox = folder.path
    let report = try fixture.load([inbox])
    #expect(report.exitCode == 7 && report.loadExitCode == 7)
    #expect(report.errorCode == .tooFewFiles)
    #expect(report.errorDetail == ["files": "0", "min_files": "1"])
    #expect(try fixture.database.value("select exit_code from ingest.load") == "7")
    #expect(try fixture.load([inbox], options: options { $0.minFiles = 0 }).exitCode == 0)
  }

  @Test func `too few files end with 7 after they are loaded, and worse codes win`() throws {
    let good = try fixture.folder.write("receipt-1.jsonl", lines: [Lines.receipt()])
    let two = options { $0.minFiles = 2 }
    let report = try fixture.load([good], options: two)
    #expect(report.exitCode == 7 && report.files.map(\.status) == [.loaded])
    // A rejected line ends with 3, and 7 wins over it.
    let bad = try fixture.folder.write(
      "receipt-2.jsonl", lines: [Lines.receipt(["paymentSeq": "\"2\""]), "x"])
    #expect(try fixture.load([bad], options: two).exitCode == 7)
    // A missing file counts, and has failed.
    #expect(
      try fixture.load([good, "\(fixture.folder.path)/receipt-3.jsonl"], options: two).exitCode == 5
    )
    let limited = options {
      $0.minFiles = 2
      $0.rejectLimit = .count(0)
    }
    let worse = try fixture.folder.write("receipt-4.jsonl", lines: [Lines.receipt(), "x"])
    let failed = try fixture.load([worse], options: limited)
    #expect(failed.exitCode == 4 && failed.errorCode == nil)
  }

  @Test func `an empty file is warned of`() throws {
    let empty = try fixture.folder.write("receipt.jsonl", [])
    let log = CountingLog()
    let report = LoadRun(
      LoadFixture.options, target: try fixture.database.target, logger: log.logger
    ).load(FoundInputs([Input(path: empty, stream: "receipt")]))
    #expect(report.exitCode == 0)
    #expect(log.warnings == 1)
  }

  @Test(arguments: [
    "receipt-2026-01-0?.jsonl", "2026-01-0?-delivery.jsonl", "day-*", "*/part.jsonl",
  ])
  func `a pattern that no file matches is a failure until a file comes`(pattern: String) throws {
    let path = "\(fixture.folder.path)/late/\(pattern)"
    for attempt in 1...2 {
      let report = try fixture.load([path])
      #expect(report.exitCode == 5)
      #expect(report.files.map(\.errorCode) == [.pathMissing])
      let stream = pattern.hasPrefix("receipt") ? "receipt" : nil
      #expect(try openFailures() == [[path, stream, "\(attempt)", "5"]])
    }
    // Another file does not end it.
    let other = try fixture.folder.write(
      "receipt-other.jsonl", lines: [Lines.receipt(["paymentSeq": "\"other\""])])
    #expect(try fixture.load([other]).exitCode == 0)
    #expect(try openFailures().count == 1)
    let name = [
      "receipt-2026-01-0?.jsonl": "receipt-2026-01-02.jsonl",
      "2026-01-0?-delivery.jsonl": "2026-01-03-delivery.jsonl",
      "day-*": "day-1/receipt.jsonl", "*/part.jsonl": "receipts/part.jsonl",
    ][pattern]
    let late = try fixture.folder.write(
      "late/\(try #require(name))", lines: [Lines.receipt(["paymentSeq": "\"late\""])])
    // It may be loaded by its own name.
    #expect(try fixture.load([late], stream: "receipt").exitCode == 0)
    #expect(try openFailures().isEmpty)
  }

  @Test func `a dry run records no missing file`() throws {
    let dry = options { $0.isDryRun = true }
    #expect(try fixture.load(["\(fixture.folder.path)/receipt-*"], options: dry).exitCode == 5)
    #expect(try openFailures().isEmpty)
  }

  @Test func `a file whose name has the characters of a pattern ends by its own name only`() throws
  {
    let strict = options { $0.rejectLimit = .count(0) }
    let odd = try fixture.folder.write("receipt-*.jsonl", lines: ["x"])
    #expect(try fixture.load([odd], options: strict).exitCode == 4)
    let other = try fixture.folder.write("receipt-1.jsonl", lines: [Lines.receipt()])
    #expect(try fixture.load([other], options: strict).exitCode == 0)
    #expect(try openFailures().map { $0[0] } == [odd])
  }
}
