import Foundation
import Testing

@testable import Loading
@testable import RecordPipeline

struct ErrorCodeTests {
  @Test func `error codes are a documented, closed list in snake_case`() throws {
    for code in ErrorCode.allCases {
      #expect(code.rawValue.wholeMatch(of: /[a-z0-9]+(_[a-z0-9]+)*/) != nil)
    }
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let schema = try JSONSerialization.jsonObject(
      with: Data(contentsOf: root.appendingPathComponent("docs/report.schema.json")))
    let definitions = (schema as? [String: Any])?["$defs"] as? [String: Any]
    let listed = (definitions?["error_code"] as? [String: Any])?["enum"] as? [Any]
    #expect(listed?.compactMap { $0 as? String } == ErrorCode.allCases.map(\.rawValue))
  }

  @Test func `each cause of a failed input is an error code`() {
    for fault in InputFault.allCases { #expect(ErrorCode(fault).rawValue == fault.rawValue) }
  }
}

struct ExitCodeTests {
  @Test func `only an input of a storage that is away is temporary, and the report names it`() {
    let away = FailedInput(
      path: "s3://b/x/", error: ReadError(.storageUnavailable, "is away"))
    let missing = FailedInput(
      path: "s3://b/y/", error: ReadError(.pathMissing, "finds no object"))
    #expect(
      ErrorCode(away.error.kind) == .storageUnavailable
        && ErrorCode(away.error.kind).exitCode == .temporary)
    #expect(ErrorCode(missing.error.kind).exitCode == .fileFailed)
    let faults: [InputFault] = [
      .missing, .notReadable, .notAFile, .truncated, .corrupt, .changed, .ioFailure, .outOfMemory,
    ]
    for fault in faults { #expect(ErrorCode(fault).exitCode == .fileFailed) }
    #expect(ErrorCode(InputFault.otherApplication).exitCode == .rejectLimitPassed)
    var report = RunReport(exitCode: ExitCode.temporary.rawValue)
    report.files = [FileReport(away), FileReport(missing)]
    report.noteErrorOfFiles()
    #expect(report.errorCode == .storageUnavailable)
  }

  @Test func `exit codes are those of the contract`() {
    #expect(
      ExitCode.allCases.map(\.rawValue) == [0, 3, 4, 5, 6, 7, 64, 69, 70, 74, 75, 78, 130, 143])
    #expect(ExitCode.allCases.allSatisfy { !$0.summary.isEmpty })
  }

  @Test func `of two files that end a run the first one gives the exit code`() {
    let paths = ["receipt-1.jsonl", "receipt-2.jsonl"]
    let queue = FileQueue(paths.map { Input(path: $0, stream: "receipt") })
    for (place, code) in [ErrorCode.temporary, .configuration].enumerated() {
      var report = FileReport(path: paths[place], stream: "receipt", status: .failed)
      report.errorCode = code
      queue.note(report, of: place)
    }
    #expect(queue.exitCode == .temporary)
  }

  @Test func `the higher code below 64 wins, and the first code from 64 on wins over all`() {
    #expect(ExitCode.loadedWithFindings.joined(with: .fileFailed) == .fileFailed)
    #expect(ExitCode.locked.joined(with: .fileFailed) == .locked)
    for lower in [ExitCode.success, .loadedWithFindings, .incomplete] {
      #expect(ExitCode.incomplete.joined(with: lower) == .incomplete)
      #expect(lower.joined(with: .incomplete) == .incomplete)
    }
    for higher in [ExitCode.rejectLimitPassed, .fileFailed, .locked, .usage, .temporary] {
      #expect(ExitCode.incomplete.joined(with: higher) == higher)
      #expect(higher.joined(with: .incomplete) == higher)
    }
    #expect(ExitCode.databaseUnavailable.joined(with: .fileFailed) == .databaseUnavailable)
    #expect(ExitCode.fileFailed.joined(with: .temporary) == .temporary)
    #expect(ExitCode.temporary.joined(with: .fileFailed) == .temporary)
    #expect(ExitCode.temporary.joined(with: .configuration) == .temporary)
  }
}
