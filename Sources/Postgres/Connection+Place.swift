internal import CLibpq

extension Connection {
  /// The session's host (or socket folder), port and database.
  package var place: (host: String, port: String, database: String) {
    func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
    return (text(PQhost(handle)), text(PQport(handle)), text(PQdb(handle)))
  }

  /// The server's version as it writes it, such as 15.8.
  package var serverVersionName: String {
    PQparameterStatus(handle, "server_version").map { String(cString: $0) } ?? ""
  }
}
