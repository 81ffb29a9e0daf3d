internal import Foundation

/// A private PostgreSQL server in its own folder, reached only through a Unix socket.
///
///     DIR/gamebase-ingest.local   marks the folder of a private server
///     DIR/data                    the cluster
///     DIR/socket                  the socket, if a socket can have this path; else it is in /tmp
///     DIR/server.log              the server's log
///     DIR/.lock                   held while the cluster is created or the server started
///     DIR/.database-made          shows that the database exists
///
/// The server keeps running after the program ends, and the next run reuses it.
package struct LocalCluster {
  package let directory: String

  package static let databaseName = "gamebase"
  private static let userName = "gamebase"
  private static let markerName = "gamebase-ingest.local"
  /// The longest path of a socket's folder in bytes: the limit of a socket address, minus the file
  /// name.
  private static let longestSocketFolder = 107 - "/.s.PGSQL.5432".utf8.count

  /// - Parameter directory: nil: `defaultDirectory`.
  package init(directory: String? = nil) {
    let path = directory ?? Self.defaultDirectory
    self.directory = URL(fileURLWithPath: path).standardizedFileURL.path
  }

  /// The default folder: in the user's data folder; for root, a system folder, because the server
  /// runs as another user, who cannot enter root's home.
  package static var defaultDirectory: String {
    if geteuid() == 0 { return "/var/lib/gamebase-ingest/local" }
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"] ?? NSHomeDirectory()
    return (environment["XDG_DATA_HOME"] ?? "\(home)/.local/share") + "/gamebase-ingest/local"
  }

  /// The connection string of the running server.
  package var connectionString: String {
    func quoted(_ text: String) -> String {
      "'"
        + text.replacingOccurrences(of: "\\", with: "\\\\")
        .replacingOccurrences(of: "'", with: "\\'") + "'"
    }
    return "host=\(quoted(socketFolder)) user=\(Self.userName) dbname=\(Self.databaseName)"
  }

  package var exists: Bool { FileManager.default.fileExists(atPath: markerPath) }

  /// The attempts to remove a folder to which another process writes.
  private static let removals = 25

  // MARK: - Start, stop, destroy

  /// Creates the cluster if it does not exist, and starts the server if it is not running.
  ///
  /// - Parameter notice: called with a message for each slow step.
  package func start(notice: (String) -> Void = { _ in }) throws(LocalClusterError) {
    guard !directory.contains(where: { "\"$`\\\n".contains($0) }) else {
      throw LocalClusterError(
        "the path of a private server's folder cannot contain \" $ ` \\ or a line break, "
          + "because pg_ctl passes the path to a shell")
    }
    let programs = try ServerPrograms()
    try claimDirectory(programs)
    let lock = try FolderLock(path: directory + "/.lock")
    defer { lock.release() }
    try prepareSocketFolder(programs)
    if !FileManager.default.fileExists(atPath: dataFolder + "/PG_VERSION") {
      notice("creating a private PostgreSQL cluster in \(directory)")
      try makeCluster(programs)
    }
    if !isRunning(programs) {
      try programs.run(
        "pg_ctl",
        [
          "start", "--wait", "--timeout=60", "--silent", "--pgdata=\(dataFolder)",
          "--log=\(directory)/server.log",
          "--options=-c listen_addresses='' -c unix_socket_permissions=0700 "
            + "-c unix_socket_directories='\(socketFolder)'",
        ])
      notice("started the private PostgreSQL server in \(directory)")
    }
    try makeDatabase(programs)
  }

  /// Stops the server; does nothing when it is not running.
  package func stop() throws(LocalClusterError) {
    try requireExistence()
    let programs = try ServerPrograms()
    guard isRunning(programs) else { return }
    try programs.run(
      "pg_ctl", ["stop", "--wait", "--timeout=60", "--mode=fast", "--pgdata=\(dataFolder)"])
  }

  /// Stops the server and removes the folder with all loaded data.
  package func destroy() throws(LocalClusterError) {
    try stop()
    do {
      // An initdb whose program was killed may still write; without its folder it soon ends.
      let moved = "\(directory).removed-\(getpid())"
      let removed = rename(directory, moved) == 0 ? moved : directory
      for _ in 0..<Self.removals {
        if (try? FileManager.default.removeItem(atPath: removed)) != nil { break }
        usleep(200_000)
      }
      if FileManager.default.fileExists(atPath: removed) {
        try FileManager.default.removeItem(atPath: removed)
      }
      if socketFolder != directory + "/socket" {
        try? FileManager.default.removeItem(atPath: socketFolder)
      }
    } catch {
      throw LocalClusterError("cannot remove \(directory): \(error.localizedDescription)")
    }
  }

  // MARK: - Implementation

  private var markerPath: String { "\(directory)/\(Self.markerName)" }
  private var dataFolder: String { "\(directory)/data" }

  private var socketFolder: String {
    let inside = directory + "/socket"
    // `unix_socket_directories` is a list that commas separate, and pg_ctl passes it to a shell.
    let isPlain = !inside.contains { "',".contains($0) }
    if isPlain, inside.utf8.count <= Self.longestSocketFolder { return inside }
    // FNV-1a is enough to distinguish the folders of one user.
    let hash = directory.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return "/tmp/gamebase-ingest-\(geteuid())-\(String(hash, radix: 36))"
  }

  private func requireExistence() throws(LocalClusterError) {
    guard exists else {
      throw LocalClusterError("there is no private server in \(directory)")
    }
  }

  /// Makes an empty or new folder that of a private server: gives it to the server's user, and
  /// marks it.
  private func claimDirectory(_ programs: ServerPrograms) throws(LocalClusterError) {
    if exists { return }
    let contents = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    // The marker is the first file in the folder. If another program has claimed the folder since
    // the check above, the marker exists.
    guard contents.isEmpty || exists else {
      throw LocalClusterError(
        "\(directory) is not empty and is not the folder of a private server. If it is an input, "
          + "put it before --local; otherwise name an empty or new folder")
    }
    let isNew = !FileManager.default.fileExists(atPath: directory)
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: directory)
      try changeOwner(of: directory, to: programs)
    } catch {
      throw LocalClusterError("cannot create \(directory): \(error.localizedDescription)")
    }
    do {
      try programs.runAsServerUser("/usr/bin/env", ["test", "-w", directory])
    } catch {
      if isNew { rmdir(directory) }
      throw LocalClusterError(
        "the server runs as \(programs.user ?? "the current user"), which cannot write to "
          + "\(directory); name a folder whose whole path other users can enter, such as "
          + "\(Self.defaultDirectory)")
    }
    // FileManager would first write a temporary file, and the marker must be the first file.
    let marker = open(markerPath, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard marker >= 0 else {
      throw LocalClusterError("cannot write into \(directory): \(String(cString: strerror(errno)))")
    }
    close(marker)
  }

  private func changeOwner(of path: String, to programs: ServerPrograms) throws {
    guard let user = programs.user else { return }
    try FileManager.default.setAttributes([.ownerAccountName: user], ofItemAtPath: path)
  }

  private func prepareSocketFolder(_ programs: ServerPrograms) throws(LocalClusterError) {
    let path = socketFolder
    do {
      if !FileManager.default.fileExists(atPath: path) {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: false,
          attributes: [.posixPermissions: 0o700])
        try changeOwner(of: path, to: programs)
      }
      // In /tmp another user could have created the folder before.
      var status = stat()
      let owner = programs.user.flatMap { getpwnam($0)?.pointee.pw_uid } ?? geteuid()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == owner,
        status.st_mode & 0o077 == 0
      else {
        throw LocalClusterError("\(path) is not a folder that only the server's user can enter")
      }
    } catch let error as LocalClusterError {
      throw error
    } catch {
      throw LocalClusterError("cannot create \(path): \(error.localizedDescription)")
    }
  }

  private func makeCluster(_ programs: ServerPrograms) throws(LocalClusterError) {
    // Only a finished cluster has the name of the data folder. An interrupted initdb leaves another one,
    // to which it may still be writing.
    let part = "\(dataFolder).\(getpid())"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    where name == "data" || name.hasPrefix("data.") {
      try? FileManager.default.removeItem(atPath: "\(directory)/\(name)")
    }
    // Only the owner of the folder can reach the socket, so the server needs no authentication.
    try programs.run(
      "initdb",
      [
        "--pgdata=\(part)", "--username=\(Self.userName)", "--auth=trust",
        "--encoding=UTF8", "--locale=C",
      ])
    guard rename(part, dataFolder) == 0 else {
      throw LocalClusterError("cannot name \(dataFolder): \(String(cString: strerror(errno)))")
    }
  }

  private func makeDatabase(_ programs: ServerPrograms) throws(LocalClusterError) {
    let madePath = "\(directory)/.database-made"
    if FileManager.default.fileExists(atPath: madePath) { return }
    let connection = ["--host=\(socketFolder)", "--username=\(Self.userName)"]
    let found = try programs.run(
      "psql",
      connection + [
        "--no-psqlrc", "--tuples-only", "--no-align", "--dbname=postgres",
        "--command=select count(*) from pg_database where datname = '\(Self.databaseName)'",
      ])
    if found.trimmingCharacters(in: .whitespacesAndNewlines) == "0" {
      try programs.run("createdb", connection + [Self.databaseName])
    }
    _ = FileManager.default.createFile(atPath: madePath, contents: Data())
  }

  private func isRunning(_ programs: ServerPrograms) -> Bool {
    (try? programs.run("pg_ctl", ["status", "--pgdata=\(dataFolder)"])) != nil
  }
}

/// Keeps two programs from creating the same cluster at the same time.
private struct FolderLock {
  private let descriptor: Int32

  init(path: String) throws(LocalClusterError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
      throw LocalClusterError("cannot lock \(path): \(String(cString: strerror(errno)))")
    }
  }

  func release() { close(descriptor) }
}

/// The reason why an action on a private server failed, with a hint.
package struct LocalClusterError: Error, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
