internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres

/// `gamebase-ingest rejects export`: writes refused lines as JSONL, to be corrected and loaded.
struct RejectsExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write refused lines as JSONL, to correct and load them.",
    discussion: """
      Tokens are written as their digests, which load like the tokens themselves. One export takes lines of one \
      stream that were read with the same options; standard error names the options that load them \
      again. Lines of which only the beginning was kept are left out and counted.

      Lines of failed files are left out too: nothing of such a file is loaded, so the file itself has \
      to be loaded again. --failed writes those lines instead: the first 1,000 of each file, each cut \
      at 4 KiB.
      """)

  @OptionGroup var rejects: RejectOptions
  @OptionGroup var database: DatabaseOptions

  @Option(name: .shortAndLong, help: "The file to write; standard output if unset.")
  var output: String?

  @Flag(help: "Write lines of failed files instead of those of loaded files.")
  var failed = false

  func run() throws {
    let connection = try database.connectToSchema()
    var filter = rejects.filter
    filter.status = failed ? .failed : .loaded
    let export = RejectExport(filter, on: connection)
    try reportingErrors {
      try connection.transaction {
        // The hint comes first: it throws when no single set of options can load all lines.
        let hint = text(of: try export.loadingHint())
        let (exported, cut) = try withOutput { file in
          try export.export { line in
            do { try file.write(contentsOf: Data(line)) } catch { throw OutputFile.Failure(error) }
          }
        }
        Terminal.note("\(counted(exported, "line")) exported\(hint)")
        if cut > 0 {
          Terminal.note(
            "\(cut) lines are left out, because only their beginning was kept; correct them in their "
              + "source")
        }
        if !failed { noteFailedFiles(try export.failedFiles()) }
      }
    }
  }

  private func noteFailedFiles(_ left: (lines: Int, files: Int)) {
    guard left.lines > 0 else { return }
    Terminal.note(
      "\(left.lines) lines of \(left.files) failed files are left out; nothing of these files is "
        + "loaded, so correct and load the files themselves; --failed exports the lines")
  }

  private func text(of hint: RejectExport.LoadingHint) -> String {
    switch hint {
    case .noLines: return ""
    case .optionsOfTheFile: return "; load them with the options that their file was loaded with"
    case .options(let options):
      let quoted = [
        ("--app-id", options.appID), ("--unwrap", options.unwrapField),
        ("--observed-at", options.observedAt),
      ].compactMap { name, value in value.map { "\(name) \(shellQuoted($0))" } }
      let words =
        ["--stream \(options.stream)"] + quoted
        + [options.timeUnit.map { "--time-unit \($0)" }].compactMap(\.self)
      return "; load them with \(words.joined(separator: " "))"
    }
  }

  /// Calls `body` with standard output, or with a temporary file that replaces the output file at
  /// the end.
  private func withOutput<Value>(_ body: (FileHandle) throws -> Value) throws -> Value {
    do {
      guard let output else { return try body(.standardOutput) }
      return try OutputFile(output).write(body)
    } catch let error as OutputFile.Failure {
      throw Terminal.failure(
        .outputFailed, "cannot write \(output ?? "to standard output"): \(error)")
    }
  }
}

/// Quotes a text as one word of a command line that a user can paste into a shell.
private func shellQuoted(_ text: String) -> String {
  let quoted = printable(text).replacing("'", with: #"'\''"#)
  return "'\(quoted)'"
}
