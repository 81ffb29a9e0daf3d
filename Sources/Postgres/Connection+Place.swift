internal import CLibpq

extension Connection {
  /// The host (or the folder of the socket), the port and the database of the session.
  package var place: (host: String, port: String, database: String) {
    func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
    return (text(PQhost(handle)), text(PQport(handle)), text(PQdb(handle)))
  }

  /// The server's version as the server writes it, such as 15.8.
  package var serverVersionName: String {
    parameterStatus(of: handle, "server_version") ?? ""
  }
}
