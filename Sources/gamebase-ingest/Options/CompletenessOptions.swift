internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline

/// The options that tell missing, late and half-written files from quiet days.
struct CompletenessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "End with 7 when fewer files are found; 0 accepts a run without a file.", valueName: "n"))
  var minFiles = 1

  @Option(
    help: ArgumentHelp(
      "A file without a record (zero bytes, or blank lines): fail, warn or accept.",
      valueName: "policy"))
  var empty: EmptyFilePolicy = .warn

  @Option(
    help: ArgumentHelp(
      "Leave files that were written more recently to a later run, and end with 7.",
      discussion: "For writers that do not rename a finished file into place.",
      valueName: "seconds"))
  var minAge = 0

  func validate() throws {
    if minFiles < 0 { throw ValidationError("--min-files must not be negative.") }
    if minAge < 0 { throw ValidationError("--min-age must not be negative.") }
  }

  /// The files that are old enough to be read.
  func ready(_ found: FoundInputs) -> FoundInputs {
    guard minAge > 0 else { return found }
    var found = found
    found.postpone(youngerThan: minAge, now: Int(Date().timeIntervalSince1970))
    return found
  }

  func apply(to options: inout LoadOptions) {
    options.minFiles = minFiles
    options.emptyFiles = empty
  }
}

extension EmptyFilePolicy: ExpressibleByArgument {}
