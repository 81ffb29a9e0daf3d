internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import Loading

/// The destination of `--report`: a file, or standard output for `-`.
struct ReportDestination {
  let path: String

  var isStandardOutput: Bool { path == "-" }

  init(_ path: String) { self.path = path }

  /// Finds the destination on a command line that could not be parsed; nil: it names none.
  ///
  /// The report replaces only an empty file or an earlier report: such a command line can also name a key
  /// or an input.
  ///
  /// - Parameter arguments: without the program's name.
  init?(namedIn arguments: [String]) {
    guard ["load", "run"].contains(arguments.first) else { return nil }
    var path: String?
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst(), argument != "--" {
      if argument == "--report" {
        path = rest.popFirst() ?? path
      } else if argument.hasPrefix("--report=") {
        path = String(argument.dropFirst("--report=".count))
      }
    }
    guard let path, !path.isEmpty else { return nil }
    // The day of a wrong command line is not known, and it has no run.
    let pattern = try? DayPattern(path)
    self.path =
      pattern?.path(on: RunOutputs.today).replacing("{load}", with: "0") ?? path
    guard OutputFile.identity(of: self.path) != nil else { return }
    guard let file = FileHandle(forReadingAtPath: self.path),
      [Data(), Data("{\n".utf8)].contains((try? file.read(upToCount: 2)) ?? Data())
    else { return nil }
  }

  /// Checks before the run whether the report can be written.
  ///
  /// - Throws: `CommandFailure` with exit code 74 when it cannot be written.
  func check() throws {
    guard !isStandardOutput else { return }
    do { try OutputFile(path).check() } catch {
      throw Terminal.failure(
        .outputFailed,
        "cannot write the report \(path): \(error as? OutputFile.Failure ?? OutputFile.Failure(error))"
          + "; nothing was loaded")
    }
  }

  /// Writes the report; when that fails, writes an error message.
  ///
  /// - Returns: false when the report could not be written.
  func write(_ report: RunReport) -> Bool {
    do {
      let json = try report.json()
      if isStandardOutput {
        // `Terminal.output` adds the last line break.
        try Terminal.output(String(decoding: json.dropLast(), as: UTF8.self))
      } else {
        try OutputFile(path).write { try $0.write(contentsOf: json) }
      }
      return true
    } catch is ArgumentParser.ExitCode {
      // `Terminal.output` has written the message.
      return false
    } catch {
      Terminal.note(
        "gamebase-ingest: cannot write the report \(printable(path)): "
          + printable("\(error as? OutputFile.Failure ?? OutputFile.Failure(error))"))
      return false
    }
  }
}

/// The destination of `report --html`: a file, or standard output for `-`.
struct PageDestination {
  private let path: String

  private var isStandardOutput: Bool { path == "-" }

  init(_ path: String) { self.path = path }

  /// Checks before the queries whether the page can be written.
  ///
  /// - Throws: `CommandFailure` with exit code 74 when it cannot be written.
  func check() throws {
    guard !isStandardOutput else { return }
    try reportingFailures { try OutputFile(path, mode: 0o640).check() }
  }

  /// Writes the page; a file is replaced only when the page is complete.
  ///
  /// - Throws: `CommandFailure` with exit code 74 when it cannot be written.
  func write(_ html: String) throws {
    if isStandardOutput { return try Terminal.output(html) }
    try reportingFailures {
      try OutputFile(path, mode: 0o640).write { try $0.write(contentsOf: Data(html.utf8)) }
    }
    Terminal.note("wrote \(printable(path))")
  }

  private func reportingFailures(_ body: () throws -> Void) throws {
    do { try body() } catch {
      throw Terminal.failure(
        .outputFailed,
        "cannot write the page \(path): \(error as? OutputFile.Failure ?? OutputFile.Failure(error)); "
          + "an existing page is unchanged")
    }
  }
}
