import RecordPipeline

/// What `ingest.stream` has to say of a stream, by its declaration: by it the SQL merges, undoes, traces
/// and erases rows, and grants rights.
struct StreamRegistration: Encodable {
  let stream: String
  let targetTable: String
  let keyColumns: [String]
  let comparedColumns: [String]
  let followers: [String: [String]]
  let emptyIsAbsentColumns: [String]
  let secretColumns: [String]
  let partitionColumn: String?
}

extension RecordStream {
  var registration: StreamRegistration {
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
