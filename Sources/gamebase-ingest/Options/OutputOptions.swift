internal import ArgumentParser
internal import Configuration
internal import Loading

/// The options for the outputs of a run.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write the run's report as JSON; - is standard output.",
      discussion: """
        Usage errors are reported too. With -, the summary goes to standard error. %Y, %m and %d in \
        the name stand for the day, {load} for the number of the run.
        """,
      valueName: "file"))
  var report: String?

  @Option(
    help: ArgumentHelp(
      "Write the figures of the run and the feeds for Prometheus, as a text file.",
      valueName: "file"))
  var metrics: String?
}

/// The options that select a configuration file and a part of it, and the form of messages.
///
/// They are read before the parser runs, because they decide about the values of other options and about
/// the parser's own messages.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The configuration file; \(ConfigurationFile.name) in the current folder or \(ConfigurationFile.systemPath) if unset.",
      valueName: "file"))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The target of the configuration file; the only one if unset.", valueName: "name"))
  var target: String?

  @Option(
    help: ArgumentHelp(
      "The form of messages on standard error: text, or json with an object a line.",
      valueName: "format"))
  var logFormat: LogStyle.Format = .text
}

extension LogStyle.Format: ExpressibleByArgument {}

/// The options of the commands that list entries.
struct ListOptions: ParsableArguments {
  @Option(help: "The number of entries to list one by one.")
  var limit = 50

  @Option(help: "text or json.")
  var format: StateFormat = .text

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit must not be negative.") }
  }
}

/// The options that select refused lines or conflicts.
struct EntryOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only those of one run.", valueName: "load-id"))
  var load: Int?

  @Option(
    help: ArgumentHelp(
      "Only those of files with this path, its end from a / on, this source_file_id or sha256.",
      valueName: "path"))
  var file: String?

  @Option(help: "Only those of one stream.")
  var stream: String?

  @Option(
    help: ArgumentHelp("Only those because of this field, or in this column.", valueName: "name"))
  var field: String?

  func validate() throws {
    try checkStream(stream)
    // An empty value is most likely an unset shell variable; an empty path would select every file.
    if file?.isEmpty == true || field?.isEmpty == true {
      throw ValidationError("--file and --field must not be empty.")
    }
  }

  var filter: EntryFilter {
    var filter = EntryFilter()
    (filter.loadID, filter.file, filter.stream, filter.field) = (load, file, stream, field)
    return filter
  }
}
