/// The record of another stream within a field of a line, and the row that it becomes.
package final class EmbeddedRecord {
  var decoder: LineDecoder
  /// The row of the record, without its common columns.
  var row = RowBuffer(capacity: 4096)
  /// False when the current line has no such record.
  var hasRow = false

  init(names: FieldNames, rules: NormalizationRules) {
    decoder = LineDecoder(names: names, rules: rules, masksNestedJSON: true)
  }
}
