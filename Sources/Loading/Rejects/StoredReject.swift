/// A row of the cursor over a file's open rejects.
struct StoredReject: Decodable {
  let rejectID: Int
  let lineNumber: Int
  let byteOffset: Int
  /// The stored line; nil when only its beginning may be stored.
  let raw: [UInt8]?
}
