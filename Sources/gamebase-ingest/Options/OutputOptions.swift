internal import ArgumentParser
internal import Configuration
internal import Loading
internal import RecordPipeline

/// The options for the outputs of a run.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write the run's report as JSON; - is standard output.",
      discussion: """
        Usage errors are reported too. With -, the summary goes to standard error. %Y, %m and %d in \
        the name stand for the day, {load} for the number of the run.
        """))
  var report: String?

  @Option(help: "Write the figures of the run and the feeds for Prometheus, as a text file.")
  var metrics: String?
}

/// The options that select a configuration file and a part of it, and the form of messages.
///
/// They are read before the parser runs, because they decide about the values of other options and about
/// the parser's own messages.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help:
      "The configuration file; \(ConfigurationFile.name) in the current folder or \(ConfigurationFile.systemPath) if unset."
  )
  var config: String?

  @Option(help: "The target of the configuration file; the only one if unset.")
  var target: String?

  @Option(help: "The form of messages on standard error; json has an object a line.")
  var logFormat: OutputFormat = .text
}

/// The options of the commands that list entries.
struct ListOptions: ParsableArguments {
  @Option(help: "The number of entries to list one by one.", transform: number(0))
  var limit = 50

  @Option(help: "The form of the list.")
  var format: OutputFormat = .text
}

/// The options that select refused lines or conflicts.
struct EntryOptions: ParsableArguments {
  @Option(help: "Only those of one run.")
  var load: Int?

  @Option(
    help: "Only those of files with this path, its end from a / on, this source_file_id or sha256.",
    transform: filledText)
  var file: String?

  @Option(help: "Only those of one stream.")
  var stream: RecordStream?

  @Option(help: "Only those because of this field, or in this column.", transform: filledText)
  var field: String?

  var filter: EntryFilter {
    var filter = EntryFilter()
    (filter.loadID, filter.file) = (load, file)
    (filter.stream, filter.field) = (stream?.name, field)
    return filter
  }
}
