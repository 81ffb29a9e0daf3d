/// The limits and permissions for reading files.
package struct ReadOptions: Sendable, Equatable {
  /// The maximum of decoded bytes of one file; nil for no maximum.
  ///
  /// A small archive can decode to a great many bytes. They cost time and the server's disk space,
  /// but none of the loader's memory.
  package var maxBytes: Int?
  /// Seconds to wait for data from a pipe; nil waits without a limit.
  ///
  /// The wait is limited, because a load that waits in the middle of a pipe holds its stream's
  /// lock.
  package var readTimeout: Double? = 600
  /// Allows named pipes, each of which is read once.
  package var allowsPipes = false
  /// Follows symbolic links in searched folders; a link that is named explicitly is always followed.
  package var followsLinks = false

  package init() {}
}
