import Loading
import RecordPipeline
import TestSupport
import Testing

/// The verdicts of `validate` and `explain`, which need no database.
struct FileValidationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func input(_ lines: [String]) throws -> Input {
    Input(path: try folder.write("receipt.jsonl", lines: lines), stream: "receipt")
  }

  private func check(
    _ lines: [String], limit: RejectLimit = .standard
  ) throws -> (result: ValidationResult, refused: [Int]) {
    var options = LoadFixture.options
    options.rejectLimit = limit
    var refused: [Int] = []
    let result = try FileValidation(options, startOfRun: LoadFixture.asOf)
      .check(.input(try input(lines))) { refused.append($0.lineNumber) }
    return (result, refused)
  }

  @Test func `a verdict has the exit code of a load of the file`() throws {
    let good = Lines.receipt()
    #expect(try check([good]).result.exitCode == .success)
    let some = try check([good, "{}", good, "[1]"])
    #expect(some.result.status == .hasRejects && some.refused == [2, 4])
    #expect(some.result.exitCode == .loadedWithFindings && some.result.error == nil)
    let many = try check([good, "{}"], limit: .count(0))
    #expect(many.result.status == .aboveLimit && many.result.exitCode == .rejectLimitPassed)
    let none = try check(["{}", "{}"])
    #expect(none.result.status == .noGoodLine && none.result.error != nil)
    #expect(none.result.exitCode == .rejectLimitPassed)
  }

  @Test func `a file that cannot be read fails, in its place among the others`() throws {
    let missing = Input(path: "\(folder.path)/receipt-gone.jsonl", stream: "receipt")
    let validation = FileValidation(LoadFixture.options, startOfRun: LoadFixture.asOf)
    let result = try validation.check(.input(missing)) { _ in }
    #expect(result.status == .failed && result.exitCode == .fileFailed)
    #expect(result.error == "does not exist")
    let failure = FailedInput(path: "folder", kind: .unreadableFolder, reason: "cannot be read")
    #expect(try validation.check(.failure(failure)) { _ in }.error == "cannot be read")
    #expect(try validation.check(.failure(failure)) { _ in }.exitCode == .fileFailed)
    let away = FailedInput(path: "s3://b/x", kind: .storageUnavailable, reason: "cannot be read")
    #expect(try validation.check(.failure(away)) { _ in }.exitCode == .temporary)
    var found = FoundInputs([missing])
    found.failures = [failure]
    #expect(found.inOrder.map(\.path) == ["folder", missing.path])
  }

  @Test func `one line is explained by its number`() throws {
    let input = try input([Lines.receipt(), "", Lines.receipt(["price": "-5"])])
    let rules = LoadFixture.options.rules(startOfRun: LoadFixture.asOf)
    let stream = try #require(StreamCatalog.stream(named: "receipt"))
    let line = try ExplainedLine(3, of: input, stream: stream, rules: rules)
    #expect(line.byteOffset == Lines.receipt().utf8.count + 2)
    guard case .rejected(let rejection) = line.explanation.verdict else {
      Issue.record("\(line.explanation.verdict)")
      return
    }
    #expect(rejection.code == .negativePrice)
    let error = try #require(
      throws: LoadError.self,
      performing: { try ExplainedLine(4, of: input, stream: stream, rules: rules) })
    #expect(error.exitCode == .usage && error.message.hasSuffix("has no line 4"))
  }
}
