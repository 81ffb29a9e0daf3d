internal import ArgumentParser

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

  @Option(
    help: ArgumentHelp(
      "Write the page of the reports, as the command report does.",
      discussion: "A run that could not use the database leaves an existing page as it is.",
      valueName: "file"))
  var html: String?

  @Option(
    help: ArgumentHelp(
      "A program to run at the end, with the report on its standard input.",
      discussion: """
        Repeat the option for each argument: --on-finish /usr/bin/curl --on-finish=-fsS. No shell is \
        used, and the program does not get the variables of libpq, AWS and this program.
        """,
      valueName: "program"))
  var onFinish: [String] = []

  func validate() throws {
    if html == "-" || html?.isEmpty == true {
      throw ValidationError("--html needs the name of a file; standard output has the summary.")
    }
    if let program = onFinish.first, !program.contains("/") {
      throw ValidationError("--on-finish needs the path of a program, such as /usr/bin/curl.")
    }
  }
}
