internal import ArgumentParser
internal import Configuration

/// The options that select a configuration file and a part of it.
///
/// `ConfiguredCommandLine` reads them before the parser does, because they decide about the values of
/// other options.
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
}
