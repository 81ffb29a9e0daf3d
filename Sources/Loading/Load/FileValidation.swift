package import RecordPipeline

/// Checks files by the rules of a load, without a database, for `validate`.
package struct FileValidation {
  private let options: LoadOptions
  private let rules: NormalizationRules

  /// - Parameter startOfRun: epoch milliseconds, by this machine's clock.
  package init(_ options: LoadOptions, startOfRun: Int64) {
    self.options = options
    rules = options.rules(startOfRun: startOfRun)
  }

  /// Reads a file to its end and checks its lines.
  ///
  /// - Parameter reject: called once for each refused line, in line order.
  /// - Returns: the verdict; a file that cannot be read has the status `failed`.
  /// - Throws: any error of `reject`.
  package func check(
    _ file: CheckedFile, reject: (RejectedLine) throws -> Void
  ) throws -> ValidationResult {
    let input: Input
    switch file {
    case .input(let found): input = found
    case .failure(let failure):
      return ValidationResult(
        status: .failed, totals: FileTotals(), error: failure.reason,
        failure: ErrorCode(failure.kind).ofUnreadInput)
    }
    guard let stream = StreamCatalog.stream(named: input.stream) else {
      preconditionFailure("an input's stream is one of the catalog")
    }
    defer { input.object?.discard() }
    do {
      let file = try InputFile(input)
      var sample = RejectSample()
      let totals = try Pipeline(stream: stream, rules: rules, sourceFileID: 0).run(
        DecodedSource(file),
        routing: .init(largestKnownKey: nil, memory: 0, seed: 0),
        emit: { batch in
          sample.note(batch.rejects)
          for line in batch.rejects { try reject(line) }
        })
      try file.checkUnchanged()
      var result = verdict(on: totals, sample: sample, stream: stream)
      result.looksTruncated = sample.looksTruncated
      return result
    } catch let error as ReadError {
      return ValidationResult(
        status: .failed, totals: FileTotals(), error: error.message,
        failure: ErrorCode(error.kind).ofUnreadInput)
    }
  }

  private func verdict(
    on totals: FileTotals, sample: RejectSample, stream: RecordStream
  ) -> ValidationResult {
    var result = ValidationResult(
      status: totals.rejectedCount > 0 ? .hasRejects : .good, totals: totals)
    switch options.rejectLimit.verdict(on: totals) {
    case .loads: break
    case .truncated(let line):
      result.status = .failed
      let (sentence, remedy) = sample.explain(line, goodCount: totals.rowCount)
      result.error = sentence + remedy
    case .aboveLimit: result.status = .aboveLimit
    case .noGoodLine:
      let diagnosis = FileDiagnosis(sample, stream: stream, rules: rules)
      result.status = .noGoodLine
      result.error = diagnosis.message(rejected: totals.rejectedCount, lines: totals.lineCount)
    }
    return result
  }
}

/// The verdict on a checked file.
package struct ValidationResult: Sendable {
  package enum Status: String, Sendable {
    case good
    case hasRejects = "has_rejects"
    case aboveLimit = "above_limit"
    case noGoodLine = "no_good_line"
    case failed
  }

  package fileprivate(set) var status: Status
  package let totals: FileTotals
  /// True when the file ends in the middle of a line.
  package var looksTruncated = false
  /// A clause to print after the path; nil unless the status is `failed` or `noGoodLine`.
  package var error: String?
  /// The exit code of the status `failed`.
  package fileprivate(set) var failure = ExitCode.fileFailed

  /// The exit code of a load of this file alone into an empty database.
  package var exitCode: ExitCode {
    switch status {
    case .good: .success
    case .hasRejects: .loadedWithFindings
    case .aboveLimit, .noGoodLine: .rejectLimitPassed
    case .failed: failure
    }
  }
}

/// A file that `validate` reads, or a path that it cannot read.
package enum CheckedFile: Sendable {
  case input(Input)
  /// A path that failed in the search for files.
  case failure(FailedInput)

  package var path: String {
    switch self {
    case .input(let input): input.path
    case .failure(let failure): failure.path
    }
  }

  /// nil: the stream is not known.
  package var stream: String? {
    switch self {
    case .input(let input): input.stream
    case .failure(let failure): failure.stream
    }
  }
}

extension FoundInputs {
  /// The files to read and the paths that failed, in the order of the command line.
  package var inOrder: [CheckedFile] {
    var files = inputs.map { CheckedFile.input($0) }
    for failure in failures.reversed() { files.insert(.failure(failure), at: failure.place) }
    return files
  }
}

extension FileTotals {
  /// False for a file of zero bytes or of blank lines only.
  var hasRecord: Bool { lineCount > blankCount }
}
