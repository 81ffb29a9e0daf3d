import RecordPipeline

/// The row of `ingest.stream` that a stream's declaration requires.
///
/// The SQL merges, undoes, traces and erases rows by it, and grants rights.
struct StreamRegistration: Encodable {
  let stream: String
  let targetTable: String
  let keyColumns: [String]
  let comparedColumns: [String]
  let followers: [String: [String]]
  let emptyIsAbsentColumns: [String]
  let secretColumns: [String]
  let partitionColumn: String?
  let timeColumn: String?
  let timeSourceColumn: String?
  let hasUser: Bool
  let embeddedStream: String?
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
      stream: name, targetTable: table, keyColumns: keyColumns.map(\.name).sorted(),
      // Secrets come last, so that their difference is reported after all others.
      comparedColumns: names(.compared, .comparedUnlessEmpty) + names(.secret),
      followers: followers, emptyIsAbsentColumns: names(.comparedUnlessEmpty),
      secretColumns: names(.secret),
      partitionColumn: isPartitionedByMonth ? orderColumn.name : nil, timeColumn: timeColumn,
      timeSourceColumn: timeSourceColumn, hasUser: hasUser,
      embeddedStream: embeddedStreamName)
  }
}
