internal import ArgumentParser
internal import Loading
internal import LocalCluster

struct LocalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "local",
    abstract: "Manage the private PostgreSQL server of --local.",
    subcommands: [Start.self, Stop.self, Destroy.self])

  struct Folder: ParsableArguments {
    @Option(
      help: ArgumentHelp("The folder of the server, if not the default one.", valueName: "dir"))
    var directory: String?

    var cluster: LocalCluster { LocalCluster(directory: directory) }
  }

  struct Start: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Start the server, create it if it is missing, and print its connection string.",
      discussion: "As in psql \"$(gamebase-ingest local start)\".")
    @OptionGroup var folder: Folder

    func run() throws {
      try folder.cluster.start { Terminal.note(printable($0)) }
      try Terminal.output(folder.cluster.connectionString)
    }
  }

  struct Stop: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Stop the server; its data stays.")
    @OptionGroup var folder: Folder

    func run() throws { try folder.cluster.stop() }
  }

  struct Destroy: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Stop the server and delete it with all its data.")
    @OptionGroup var folder: Folder

    func run() throws { try folder.cluster.destroy() }
  }
}
