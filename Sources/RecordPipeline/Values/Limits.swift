/// The limits of a line and of its texts.
package struct Limits: Sendable, Equatable {
  /// Bytes of a line, without its line break.
  package var lineBytes = 16 * 1024 * 1024
  /// Levels of arrays and objects; the line's own object is level 1.
  package var nesting = 512
  /// UTF-8 bytes of an identifier.
  ///
  /// The longest natural key has four identifiers and a time, and PostgreSQL refuses a B-tree entry
  /// above about 2,700 bytes.
  package var identifierBytes = 512
  /// UTF-8 bytes of a free text.
  package var textBytes = 1024 * 1024

  /// Bytes of a refused line that are stored.
  ///
  /// The limit bounds the space of one bad line in the database. A line that was cut cannot be
  /// replayed.
  package static let rejectedLineBytes = 64 * 1024
  /// The levels of arrays and objects in a text whose nesting has been judged, or does not matter.
  static let anyNesting = 1 << 16

  package init() {}
}
