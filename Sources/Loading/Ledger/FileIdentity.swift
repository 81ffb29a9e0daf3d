/// The identity of a file: of two files with the same identity only the first is loaded.
///
/// Files without a record are the same if they have the same stream, bytes and path.
struct FileIdentity: Sendable {
  let stream: String
  let appID: String?
  /// Epoch milliseconds.
  let observedAt: Int64?
  let sha256: [UInt8]
  /// The canonical path, which tells files without a record apart.
  let path: String
}
