internal import Postgres
internal import RecordPipeline

/// The treatment of a file with a field name that its stream never had in the database.
package enum UnknownFieldPolicy: String, Sendable, CaseIterable {
  /// The file is loaded, and the name is told once.
  case warn
  /// The file fails.
  case fail
  /// The names are counted in the ledger, and not compared with earlier ones.
  case ignore
}

extension LoadOptions {
  /// Names in a message; a report has all.
  private static let listedNames = 10

  /// The field names of a file that its stream never had in the database.
  ///
  /// - Throws: `LoadError` when there are any and the policy is to fail then.
  func newFields(
    _ fields: [UnknownField], of stream: RecordStream, _ run: FileLoad.Run, _ connection: Connection
  ) throws -> [String] {
    guard unknownFields != .ignore else { return [] }
    let names = try run.fieldHistory.newNames(among: fields, of: stream, on: connection)
    guard unknownFields == .fail, !names.isEmpty else { return names }
    let listed = names.prefix(Self.listedNames).joined(separator: ", ")
    let more = names.count > Self.listedNames ? " and \(names.count - Self.listedNames) more" : ""
    throw LoadError(
      .fileFailed,
      "fields that \(stream.name) never had in this database: \(listed)\(more). Nothing was loaded; "
        + "--unknown-fields warn keeps them in extra, and they are known from then on",
      code: .unknownField, detail: ["fields": listed + more])
  }
}
