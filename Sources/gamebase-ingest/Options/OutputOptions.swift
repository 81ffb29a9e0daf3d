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
