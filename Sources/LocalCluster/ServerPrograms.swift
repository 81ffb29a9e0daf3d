internal import CProcess
internal import Foundation

/// PostgreSQL's server programs on this machine, and the user that runs them.
package struct ServerPrograms {
  /// The folder that holds `initdb` and `pg_ctl`.
  let folder: String
  /// The user that runs the programs, since PostgreSQL refuses to run as root; nil: the current user.
  let user: String?

  /// The oldest major version that is supported.
  private static let oldestVersion = 15
  /// The variable that names a folder to use instead of the first one found.
  private static let variable = "GAMEBASE_INGEST_SERVER_PROGRAMS"

  /// The owner of the server's files.
  var owner: uid_t { user.flatMap { getpwnam($0)?.pointee.pw_uid } ?? geteuid() }

  /// Runs a program as the server's user, and returns its output.
  ///
  /// It waits for the program's end, but not for processes that it leaves running, as `pg_ctl` leaves
  /// the server.
  ///
  /// - Parameter program: the name of one of PostgreSQL's programs, or the path of any other one.
  /// - Throws: `LocalClusterError` with the last lines of the output when the program fails.
  @discardableResult
  package func run(_ program: String, _ arguments: [String]) throws(LocalClusterError) -> String {
    let path = program.hasPrefix("/") ? program : "\(folder)/\(program)"
    // setpriv is part of util-linux, which every distribution has.
    let prefix =
      user.map { ["/usr/bin/env", "setpriv", "--reuid", $0, "--regid", $0, "--init-groups"] } ?? []
    // libpq's variables in the caller's environment name another server.
    let inherited = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("PG") && !$0.key.hasPrefix("LC_")
    }
    let environment = inherited.map { "\($0.key)=\($0.value)" } + ["LC_ALL=C"]
    let argv = (prefix + [path] + arguments).map { strdup($0) } + [nil]
    let envp = environment.map { strdup($0) } + [nil]
    defer { (argv + envp).forEach { free($0) } }

    // The output goes to a file: the server would keep a pipe open.
    let output = gbi_private_file()
    defer { close(output) }
    // The server's user may lack the right to enter the current folder.
    let child = output < 0 ? -1 : gbi_start(argv, envp, "/", output, output, 0, 0)
    guard child > 0 else {
      throw LocalClusterError("cannot run \(path): \(String(cString: strerror(errno)))")
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    lseek(output, 0, SEEK_SET)
    let read = try? FileHandle(fileDescriptor: output).readToEnd()
    let text = String(decoding: read ?? Data(), as: UTF8.self)
    guard status == 0 else {
      let words = text.split(separator: "\n").suffix(4).joined(separator: "; ")
      throw LocalClusterError("\(path) failed: \(words)")
    }
    return text
  }
}

extension ServerPrograms {
  /// Searches the folders of packages, the newest version first, and then those of PATH.
  ///
  /// - Throws: `LocalClusterError` when no supported server is found; its message names the package
  ///   to install, or the variable to correct.
  package init() throws(LocalClusterError) {
    let isRoot = geteuid() == 0
    let user =
      isRoot ? ["postgres", "nobody"].first { (name: String) in getpwnam(name) != nil } : nil
    guard !isRoot || user != nil else {
      throw LocalClusterError(
        "the server cannot run as root, and neither the user postgres nor the user nobody exists")
    }
    let environment = ProcessInfo.processInfo.environment
    let named = environment[Self.variable]
    // Debian has /usr/lib/postgresql/15; PostgreSQL's packages for other distributions have
    // /usr/pgsql-15.
    let folders =
      named.map { [$0] }
      ?? (Self.oldestVersion...99).reversed().flatMap {
        ["/usr/lib/postgresql/\($0)/bin", "/usr/pgsql-\($0)/bin"]
      } + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for folder in folders {
      self.init(folder: folder, user: user)
      // Such as "postgres (PostgreSQL) 15.8 (Debian 15.8-0+deb12u1)"
      if FileManager.default.isExecutableFile(atPath: "\(folder)/initdb"),
        let version = try? run("postgres", ["--version"]).firstMatch(of: /[0-9]+/),
        Int(version.output) ?? 0 >= Self.oldestVersion
      {
        return
      }
    }
    throw LocalClusterError(
      named == nil
        ? "no PostgreSQL server of version \(Self.oldestVersion) or later was found; install one "
          + "(Debian: apt-get install postgresql-15), or name a database with --database"
        : "\(Self.variable) names no folder with initdb, pg_ctl and postgres of version "
          + "\(Self.oldestVersion) or later; correct or unset it")
  }
}
