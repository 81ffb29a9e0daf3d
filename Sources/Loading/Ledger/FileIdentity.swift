/// The identity of a file: of two files with the same identity only the first is loaded.
struct FileIdentity: Sendable {
  let stream: String
  let appID: String?
  /// Epoch milliseconds.
  let observedAt: Int64?
  let sha256: [UInt8]
}
