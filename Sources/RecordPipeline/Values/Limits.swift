/// How long and how deep a line and its texts may be.
package struct Limits: Sendable, Equatable {
  /// Bytes of a line, without its line break.
  package var lineBytes = 16 * 1024 * 1024
  /// Levels of arrays and objects; the line's own object is level 1.
  package var nesting = 512
  /// UTF-8 bytes of an identifier.
  ///
  /// A B-tree key of some 2,700 bytes is refused by PostgreSQL.
  package var identifierBytes = 512
  /// UTF-8 bytes of a free text.
  package var textBytes = 1024 * 1024

  /// Bytes of a refused line that are kept.
  ///
  /// A cap for what one bad line may cost in the database; a cut line cannot be replayed.
  package static let rejectedLineBytes = 64 * 1024

  package init() {}
}
