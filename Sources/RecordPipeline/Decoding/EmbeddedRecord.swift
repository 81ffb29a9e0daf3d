/// The record of another stream within a field of a line, and the row that it becomes.
package final class EmbeddedRecord {
  var decoder: LineDecoder
  /// The row of the record, without its common columns.
  var row = RowBuffer(capacity: 4096)
  /// False when the current line has no such record.
  var hasRow = false

  /// The name of the field, before the names of the record's members, such as `data.`.
  let prefix: [UInt8]

  init(names: FieldNames, rules: NormalizationRules, field: String) {
    prefix = Array("\(field).".utf8)
    decoder = LineDecoder(names: names, rules: rules)
  }
}
