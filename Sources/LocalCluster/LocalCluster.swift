internal import Foundation

/// A private PostgreSQL server in its own folder, reached only through a Unix socket.
///
///     DIR/gamebase-ingest.local   marks the folder of a private server; locked while it changes
///     DIR/data                    the cluster
///     DIR/socket                  the socket, if a socket can have this path; else it is in /tmp
///     DIR/server.log              the server's log
///
/// The server keeps running after the program ends, and the next run reuses it.
package struct LocalCluster {
  package let directory: String

  /// The name of the database and of its only role.
  private static let name = "gamebase"

  /// - Parameter directory: nil: `defaultDirectory`.
  package init(directory: String? = nil) {
    self.directory =
      URL(fileURLWithPath: directory ?? Self.defaultDirectory).standardizedFileURL.path
  }

  /// The default folder: in the user's data folder; for root, a system folder, because the server
  /// runs as another user, who cannot enter root's home.
  package static var defaultDirectory: String {
    if geteuid() == 0 { return "/var/lib/gamebase-ingest/local" }
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"] ?? NSHomeDirectory()
    return (environment["XDG_DATA_HOME"] ?? "\(home)/.local/share") + "/gamebase-ingest/local"
  }

  /// The connection string of the running server; its folder has no quote in its name.
  package var connectionString: String {
    "host='\(socketFolder)' user=\(Self.name) dbname=\(Self.name)"
  }

  package var exists: Bool { FileManager.default.fileExists(atPath: markerPath) }

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
    if !exists { try prepareFolder(programs) }
    let lock = try lock()
    defer { close(lock) }
    try makeSocketFolder(programs)
    if !FileManager.default.fileExists(atPath: dataFolder) {
      notice("creating a private PostgreSQL cluster in \(directory)")
      try makeCluster(programs)
    }
    // The server would hold the lock.
    _ = fcntl(lock, F_SETFD, FD_CLOEXEC)
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
  }

  /// Stops the server; does nothing when it is not running.
  package func stop() throws(LocalClusterError) {
    guard exists else { throw LocalClusterError("there is no private server in \(directory)") }
    let programs = try ServerPrograms()
    guard isRunning(programs) else { return }
    try programs.run(
      "pg_ctl", ["stop", "--wait", "--timeout=60", "--mode=fast", "--pgdata=\(dataFolder)"])
  }

  /// Stops the server and removes the folder with all loaded data.
  package func destroy() throws(LocalClusterError) {
    try stop()
    let lock = try lock()
    defer { close(lock) }
    let moved = "\(directory).removed-\(getpid())"
    let removed = rename(directory, moved) == 0 ? moved : directory
    do { try FileManager.default.removeItem(atPath: removed) } catch {
      throw LocalClusterError("cannot remove \(removed): \(error.localizedDescription)")
    }
    // It may be in /tmp.
    try? FileManager.default.removeItem(atPath: socketFolder)
  }

  // MARK: - Implementation

  private var markerPath: String { "\(directory)/gamebase-ingest.local" }
  private var dataFolder: String { "\(directory)/data" }

  /// Keeps two programs from changing the folder at the same time, until the descriptor is closed.
  ///
  /// The programs that create the cluster inherit it: after a kill of this program they still write.
  private func lock() throws(LocalClusterError) -> Int32 {
    let marker = open(markerPath, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    guard marker >= 0, flock(marker, LOCK_EX) == 0 else {
      throw LocalClusterError("cannot write into \(directory): \(String(cString: strerror(errno)))")
    }
    return marker
  }

  private var socketFolder: String {
    let inside = directory + "/socket"
    // `unix_socket_directories` is a list that commas separate, and pg_ctl passes it to a shell. The address
    // of a socket has at most 107 bytes.
    let isPlain = !inside.contains { "',".contains($0) }
    if isPlain, "\(inside)/.s.PGSQL.5432".utf8.count <= 107 { return inside }
    // FNV-1a is enough to distinguish the folders of one user.
    let hash = directory.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return "/tmp/gamebase-ingest-\(geteuid())-\(String(hash, radix: 36))"
  }

  /// Makes an empty or new folder one in which the server's user can write, and no other user.
  private func prepareFolder(_ programs: ServerPrograms) throws(LocalClusterError) {
    let contents = try? FileManager.default.contentsOfDirectory(atPath: directory)
    // The marker is the first file in the folder. If another program has claimed the folder since
    // the check above, the marker exists.
    guard contents?.isEmpty ?? true || exists else {
      throw LocalClusterError(
        "\(directory) is not empty and is not the folder of a private server. If it is an input, "
          + "put it before --local; otherwise name an empty or new folder")
    }
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o700, .ownerAccountID: programs.owner], ofItemAtPath: directory)
    } catch {
      throw LocalClusterError("cannot create \(directory): \(error.localizedDescription)")
    }
    do { try programs.run("/usr/bin/env", ["test", "-w", directory]) } catch {
      if contents == nil { rmdir(directory) }
      throw LocalClusterError(
        "the server runs as \(programs.user ?? "the current user"), which cannot write to "
          + "\(directory); name a folder whose whole path other users can enter, such as "
          + "\(Self.defaultDirectory)")
    }
  }

  private func makeSocketFolder(_ programs: ServerPrograms) throws(LocalClusterError) {
    let path = socketFolder
    if mkdir(path, 0o700) == 0 { chown(path, programs.owner, .max) }
    // In /tmp another user could have created the folder before.
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == programs.owner, status.st_mode & 0o077 == 0
    else {
      throw LocalClusterError("\(path) is not a folder that only the server's user can enter")
    }
  }

  /// Creates the cluster and its database; only a finished one has the name of the data folder.
  ///
  /// Only the owner of the folder can reach the socket, so the server needs no authentication.
  private func makeCluster(_ programs: ServerPrograms) throws(LocalClusterError) {
    let script = """
      rm -rf "$2".*
      "$1/initdb" --pgdata="$2.part" --username=\(Self.name) --auth=trust --encoding=UTF8 --locale=C
      echo 'create database \(Self.name)' |
        "$1/postgres" --single -c exit_on_error=on -D "$2.part" postgres
      mv "$2.part" "$2"
      """
    try programs.run("/bin/sh", ["-euc", script, "sh", programs.folder, dataFolder])
  }

  private func isRunning(_ programs: ServerPrograms) -> Bool {
    (try? programs.run("pg_ctl", ["status", "--pgdata=\(dataFolder)"])) != nil
  }
}

/// The reason why an action on a private server failed, with a hint.
package struct LocalClusterError: Error, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
