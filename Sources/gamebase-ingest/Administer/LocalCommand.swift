internal import ArgumentParser
internal import Loading
internal import LocalCluster

struct LocalCommand: Command {
  static let help = "local: Manage the private PostgreSQL server of --local."
  static let subcommands: Commands = [Start.self, Stop.self, Destroy.self]

  struct Folder: ParsableArguments {
    @Option(
      help: ArgumentHelp("The folder of the server, if not the default one.", valueName: "dir"))
    var directory: String?

    var cluster: LocalCluster { LocalCluster(directory: directory) }
  }

  struct Start: Command {
    static let help = """
      start: Start the server, create it if it is missing, and print its connection string.

      As in psql "$(gamebase-ingest local start)".
      """
    @OptionGroup var folder: Folder

    func run() throws {
      try folder.cluster.start { Terminal.note(printable($0)) }
      try Terminal.output(folder.cluster.connectionString)
    }
  }

  struct Stop: Command {
    static let help = "stop: Stop the server; its data stays."
    @OptionGroup var folder: Folder
    func run() throws { try folder.cluster.stop() }
  }

  struct Destroy: Command {
    static let help = "destroy: Stop the server and delete it with all its data."
    @OptionGroup var folder: Folder
    func run() throws { try folder.cluster.destroy() }
  }
}
