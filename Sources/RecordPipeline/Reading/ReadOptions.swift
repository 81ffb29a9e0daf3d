/// How files may be read: what is refused, and when patience ends.
package struct ReadOptions: Sendable, Equatable {
  /// Decoded bytes of one file; nil: any number.
  ///
  /// Memory does not grow with them, but disk and time of the server do: a small archive can hold a
  /// great many.
  package var maxBytes: Int?
  /// Seconds that a pipe may give nothing; nil: for ever.
  ///
  /// While a load waits for a pipe that has begun, it holds its stream's lock.
  package var readTimeout: Double? = 600
  /// Read named pipes, each once.
  package var allowsPipes = false
  /// Follow symbolic links that are found in folders; one that is named outright is followed anyway.
  package var followsLinks = false

  package init() {}
}
