internal import Foundation
internal import LocalCluster

/// A PostgreSQL server for one test, stopped and removed with it, for tests that need another
/// configuration or the server's log.
///
///     folder/data, folder/socket, folder/server.log, folder/certificates
package final class PrivateServer: Sendable {
  package let folder: String
  /// The port on 127.0.0.1; nil: the server listens only on the socket.
  package let port: Int?
  private let programs: ServerPrograms

  /// A connection string for the administrator through the socket.
  package var conninfo: String {
    "host='\(folder)/socket' port=\(port ?? 5432) user=gamebase dbname=gamebase"
  }
  package var log: String {
    FileManager.default.contents(atPath: "\(folder)/server.log")
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// A server that listens only on its socket.
  package convenience init() throws { try self.init(certificateFor: nil) }

  /// A server with TLS and a certificate for a host name from the test's own authority; nil: no TLS
  /// and no port.
  ///
  /// - Parameter certificateFor: the host's name.
  package init(certificateFor host: String?, speaksTLS: Bool = true) throws {
    // The server's user must be able to enter the folder.
    folder = "/tmp/ingest-test-\(UInt64.random(in: .min ... .max))"
    programs = try ServerPrograms()
    let cluster = LocalCluster(directory: folder)
    try cluster.start()
    guard let host else {
      port = nil
      return
    }
    try cluster.stop()
    port = try Self.freePort()
    try makeCertificates(for: host)
    var settings = "\nlisten_addresses = '127.0.0.1'\nport = \(port ?? 0)\n"
    if speaksTLS {
      settings += """
        ssl = on
        ssl_cert_file = '\(folder)/certificates/server.crt'
        ssl_key_file = '\(folder)/certificates/server.key'

        """
    }
    let configuration = try FileHandle(
      forWritingTo: URL(fileURLWithPath: "\(folder)/data/postgresql.conf"))
    try configuration.seekToEnd()
    try configuration.write(contentsOf: Data(settings.utf8))
    try configuration.close()
    try programs.run(
      "pg_ctl",
      [
        "start", "--wait", "--timeout=60", "--silent", "--pgdata=\(folder)/data",
        "--log=\(folder)/server.log", "--options=-c unix_socket_directories='\(folder)/socket'",
      ])
  }

  deinit {
    _ = try? programs.run(
      "pg_ctl", ["stop", "--wait", "--mode=immediate", "--pgdata=\(folder)/data"])
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The certificate of the authority that signed the server's.
  package var authority: String { "\(folder)/certificates/authority.crt" }
  /// Another authority that signed no certificate here.
  package var otherAuthority: String { "\(folder)/certificates/other.crt" }

  private func makeCertificates(for host: String) throws {
    let script = """
      set -eu
      mkdir -m 700 '\(folder)/certificates' && cd '\(folder)/certificates'
      new='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
      for name in authority other; do
        openssl req -x509 $new -days 2 -subj "/CN=test $name" \
          -keyout $name.key -out $name.crt
      done
      openssl req $new -subj '/CN=\(host)' -keyout server.key -out server.csr
      echo 'subjectAltName=DNS:\(host)' >names
      openssl x509 -req -in server.csr -CA authority.crt -CAkey authority.key -CAcreateserial \
        -days 2 -extfile names -out server.crt
      chmod 600 *.key
      """
    try programs.run("/bin/sh", ["-c", script])
    // World-readable, because the program under test runs as another user.
    if geteuid() != 0 { return }
    try programs.run("/bin/chmod", ["755", "\(folder)/certificates"])
  }

  /// A port that was free at the time of the call.
  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) == 0 ? getsockname(descriptor, pointer, &length) : -1
      }
    }
    guard code == 0 else { throw Command.Failure(description: "there is no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
