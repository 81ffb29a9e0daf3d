/// What `ingest.stream` says of a stream: by it the SQL merges, undoes, traces and erases rows, and
/// grants rights.
///
/// The database's rows are written by migrations; a test holds them against these.
package struct StreamRegistration: Sendable, Encodable {
  package let stream: String
  package let targetTable: String
  package let keyColumns: [String]
  package let comparedColumns: [String]
  package let followers: [String: [String]]
  package let emptyIsAbsentColumns: [String]
  package let secretColumns: [String]
  package let partitionColumn: String?
}

extension RecordStream {
  package var registration: StreamRegistration {
    let values = columns.dropFirst(keyColumnCount)
    func names(_ roles: Column.Role...) -> [String] {
      values.filter { roles.contains($0.role) }.map(\.name)
    }
    var followers: [String: [String]] = [:]
    var leader = ""
    for column in values {
      if column.role == .follower { followers[leader, default: []].append(column.name) }
      if column.role == .compared { leader = column.name }
    }
    return StreamRegistration(
      stream: name, targetTable: table, keyColumns: naturalKey,
      // A difference of secrets is told behind all others.
      comparedColumns: names(.compared, .comparedUnlessEmpty) + names(.secret),
      followers: followers, emptyIsAbsentColumns: names(.comparedUnlessEmpty),
      secretColumns: names(.secret),
      partitionColumn: isPartitionedByMonth ? orderColumn.name : nil)
  }
}
