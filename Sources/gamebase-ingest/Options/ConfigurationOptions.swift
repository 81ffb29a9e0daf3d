internal import ArgumentParser
internal import Configuration

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

  @Option(help: "The messages on standard error: error, warning or info.")
  var logLevel: LogStyle.Level = .info
}

extension LogStyle.Format: ExpressibleByArgument {}
extension LogStyle.Level: ExpressibleByArgument {}
