package import Postgres

/// The database of a run, without the role, the password or any other option.
package struct DatabaseReport: Codable, Sendable, Equatable {
  package let name: String
  /// A host name or address, or the folder of a Unix socket.
  package let host: String
  package let port: String
  /// As the server reports it, such as 15.8.
  package let serverVersion: String

  enum CodingKeys: String, CodingKey {
    case name, host, port
    case serverVersion = "server_version"
  }

  package init(_ connection: Connection) {
    let place = connection.place
    name = place.database
    host = place.host
    port = place.port
    serverVersion = connection.serverVersionName
  }
}
