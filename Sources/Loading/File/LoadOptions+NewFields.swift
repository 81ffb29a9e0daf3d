internal import Postgres
internal import RecordPipeline

extension LoadOptions {
  /// The most names in an error; further names are only counted.
  private static let listedNames = 10

  /// The field names of a file that its stream never had in the database, in the order of their
  /// first lines.
  ///
  /// - Throws: `LoadError` when there are such names and the policy is `.fail`.
  func newFields(
    _ fields: [UnknownField], of stream: RecordStream, history: FieldHistory,
    on connection: Connection
  ) throws -> [String] {
    guard unknownFields != .ignore else { return [] }
    let names = try history.newNames(among: fields, of: stream, on: connection)
    guard unknownFields == .fail, !names.isEmpty else { return names }
    let listed = names.prefix(Self.listedNames).joined(separator: ", ")
    let more = names.count > Self.listedNames ? " and \(names.count - Self.listedNames) more" : ""
    throw LoadError(
      .fileFailed,
      "fields that \(stream.name) never had in this database: \(listed)\(more). Nothing was loaded; "
        + "--unknown-fields warn loads the file, keeps the fields in extra and counts them as known",
      code: .unknownField, detail: ["fields": listed + more])
  }
}
