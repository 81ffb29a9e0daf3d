internal import ArgumentParser
internal import Foundation
internal import Loading

/// The place of `load --report`: a file, or standard output for `-`.
struct ReportDestination {
  let path: String

  var isStandardOutput: Bool { path == "-" }

  init(_ path: String) { self.path = path }

  /// The place that a command line names which could not be understood as a whole.
  ///
  /// - Parameter arguments: without the program's name.
  init?(namedIn arguments: [String]) {
    guard arguments.first == "load" else { return nil }
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
    self.path = path
  }

  /// Finds out whether a report can be written there, before anything is done.
  ///
  /// - Throws: exit code 74 with a sentence when it cannot.
  func check() throws {
    guard !isStandardOutput else { return }
    do { try OutputFile(path).check() } catch {
      throw Terminal.failure(
        .outputFailed,
        "cannot write the report \(path): \(error as? OutputFile.Failure ?? OutputFile.Failure(error))"
          + "; nothing was loaded")
    }
  }

  /// - Returns: false when the report could not be written, which has been told then.
  func write(_ report: RunReport) -> Bool {
    do {
      let json = try report.json()
      if isStandardOutput {
        // Its last line break is that of the line.
        try Terminal.output(String(decoding: json.dropLast(), as: UTF8.self))
      } else {
        try OutputFile(path).write { try $0.write(contentsOf: json) }
      }
      return true
    } catch is ArgumentParser.ExitCode {
      // Standard output said so itself.
      return false
    } catch {
      Terminal.note(
        "gamebase-ingest: cannot write the report \(printable(path)): "
          + printable("\(error as? OutputFile.Failure ?? OutputFile.Failure(error))"))
      return false
    }
  }
}
