internal import Foundation
internal import LocalCluster

/// A hot standby of a private server, which a test promotes.
package final class StandbyServer: Sendable {
  private let folder: String
  private let programs: ServerPrograms

  /// Copies the primary server, and starts the copy as its standby.
  package init(of primary: PrivateServer) throws {
    folder = "/tmp/ingest-test-\(UInt64.random(in: .min ... .max))"
    programs = try ServerPrograms()
    try programs.run("/bin/mkdir", ["-m", "700", folder, socketFolder])
    try programs.run(
      "pg_basebackup",
      [
        "--pgdata=\(folder)/data", "--write-recovery-conf", "--checkpoint=fast",
        "--dbname=host='\(primary.folder)/socket' user=gamebase",
      ])
    try programs.run(
      "pg_ctl",
      [
        "start", "--wait", "--timeout=60", "--silent", "--pgdata=\(folder)/data",
        "--log=\(folder)/server.log",
        "--options=-c listen_addresses='' -c unix_socket_directories='\(socketFolder)'",
      ])
  }

  deinit {
    _ = try? programs.run(
      "pg_ctl", ["stop", "--wait", "--mode=immediate", "--pgdata=\(folder)/data"])
    _ = try? programs.run("/bin/rm", ["-r", folder])
  }

  /// The folder of the socket, the only way to the server.
  package var socketFolder: String { "\(folder)/socket" }

  package var conninfo: String { "host='\(socketFolder)' user=gamebase dbname=gamebase" }

  package var log: String {
    FileManager.default.contents(atPath: "\(folder)/server.log")
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Makes the standby a primary server, and waits until it is one.
  package func promote() throws {
    try programs.run("pg_ctl", ["promote", "--wait", "--pgdata=\(folder)/data"])
  }
}
