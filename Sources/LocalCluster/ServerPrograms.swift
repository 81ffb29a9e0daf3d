internal import CProcess
internal import Foundation

/// PostgreSQL's server programs on this machine, and the user that runs them.
package struct ServerPrograms {
  /// The folder that holds `initdb` and `pg_ctl`.
  package let folder: String
  /// The user that runs the programs; nil: the current user.
  ///
  /// PostgreSQL refuses to run as root, so for root this is another user.
  let user: String?

  /// The oldest major version that is supported.
  static let oldestVersion = 15

  /// The variable that names a folder to use instead of the first one found.
  static let environmentVariable = "GAMEBASE_INGEST_SERVER_PROGRAMS"

  /// - Throws: `LocalClusterError` when no supported server is found; its message names the package
  ///   to install, or the variable to correct.
  package init() throws(LocalClusterError) {
    let named = ProcessInfo.processInfo.environment[Self.environmentVariable]
    let candidates = (named.map { [$0] } ?? Self.knownFolders()).filter(Self.holdsPrograms)
    guard let folder = candidates.first(where: Self.isSupported) else {
      throw LocalClusterError(
        named == nil
          ? "no PostgreSQL server of version \(Self.oldestVersion) or later was found; install one "
            + "(Debian: apt-get install postgresql-15), or name a database with --database"
          : "\(Self.environmentVariable) names no folder with initdb, pg_ctl and postgres of version "
            + "\(Self.oldestVersion) or later; correct or unset it")
    }
    self.folder = folder
    user = geteuid() == 0 ? try Self.unprivilegedUser() : nil
  }

  /// The folders that may hold server programs: those of packages, newest version first, then those
  /// of PATH.
  private static func knownFolders() -> [String] {
    var folders: [String] = []
    // Debian uses /usr/lib/postgresql/15; PostgreSQL's packages for other distributions use
    // /usr/pgsql-15.
    for (root, prefix) in [("/usr/lib/postgresql/", ""), ("/usr/", "pgsql-")] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
      let versions = names.filter { $0.hasPrefix(prefix) }.compactMap { name in
        Int(name.dropFirst(prefix.count))
      }
      folders += versions.sorted(by: >).map { "\(root)\(prefix)\($0)/bin" }
    }
    return folders
      + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
  }

  private static func holdsPrograms(_ folder: String) -> Bool {
    ["initdb", "pg_ctl", "postgres"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)")
    }
  }

  private static func isSupported(_ folder: String) -> Bool {
    guard let output = try? run("\(folder)/postgres", ["--version"]) else { return false }
    // The output is, for example, "postgres (PostgreSQL) 15.8 (Debian 15.8-0+deb12u1)"
    let version = output.split(separator: " ").dropFirst(2).first?.prefix { $0.isNumber }
    return (version.flatMap { Int($0) } ?? 0) >= oldestVersion
  }

  private static func unprivilegedUser() throws(LocalClusterError) -> String {
    for name in ["postgres", "nobody"] where getpwnam(name) != nil { return name }
    throw LocalClusterError(
      "the server cannot run as root, and neither the user postgres nor the user nobody exists")
  }

  /// Runs one of PostgreSQL's programs as the server's user, and returns its output.
  ///
  /// - Throws: `LocalClusterError` with the last lines of the output when the program fails.
  @discardableResult
  package func run(_ program: String, _ arguments: [String]) throws(LocalClusterError) -> String {
    try runAsServerUser("\(folder)/\(program)", arguments)
  }

  @discardableResult
  package func runAsServerUser(
    _ program: String, _ arguments: [String]
  ) throws(LocalClusterError) -> String {
    guard let user else { return try Self.run(program, arguments) }
    // setpriv is part of util-linux, which every distribution has.
    return try Self.run(
      "/usr/bin/env",
      ["setpriv", "--reuid", user, "--regid", user, "--init-groups", program] + arguments)
  }

  /// - Throws: `LocalClusterError` with the last lines of the program's output when it fails.
  private static func run(
    _ program: String, _ arguments: [String]
  ) throws(LocalClusterError) -> String {
    // The output goes to a file: pg_ctl starts the server, and the server would keep a pipe open.
    let log = FileManager.default.temporaryDirectory
      .appendingPathComponent("gamebase-ingest-\(UUID().uuidString).log").path
    defer { unlink(log) }
    let status = try spawn([program] + arguments, log: log)
    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    guard status == 0 else {
      let words = text.split(separator: "\n").suffix(4).joined(separator: "; ")
      throw LocalClusterError("\(program) failed: \(words)")
    }
    return text
  }

  /// Starts a program and waits for its end, but not for processes that it leaves running.
  ///
  /// Foundation's `Process` waits until every descendant has closed an inherited socket, which for
  /// pg_ctl means until the server stops.
  private static func spawn(
    _ command: [String], log: String
  ) throws(LocalClusterError) -> Int32 {
    let output = open(log, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else {
      throw LocalClusterError("cannot write \(log): \(String(cString: strerror(errno)))")
    }
    defer { close(output) }

    // libpq's variables in the caller's environment name another server.
    let inherited = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("PG") && !$0.key.hasPrefix("LC_")
    }
    let environment = inherited.map { "\($0.key)=\($0.value)" } + ["LC_ALL=C"]
    let argv = command.map { strdup($0) } + [nil]
    let envp = environment.map { strdup($0) } + [nil]
    defer { (argv + envp).forEach { free($0) } }

    // The server's user may lack the right to enter the current folder.
    let child = gbi_start(argv, envp, "/", output, output, 0, 0)
    guard child > 0 else {
      throw LocalClusterError("cannot run \(command[0]): \(String(cString: strerror(errno)))")
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
