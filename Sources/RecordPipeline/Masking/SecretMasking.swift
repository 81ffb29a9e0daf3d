/// Copies of texts in which every secret is replaced by its digest.
///
/// What is known to be JSON is followed as JSON. In all else, and within texts, what stands behind the
/// bare name of a secret field goes, however it is quoted.
enum SecretMasking {
  /// What has to stay true of a refused line, so that it can be replayed.
  struct Replay {
    /// The field whose text is the record, escapes resolved.
    let unwrapField: String?
    /// A longer secret is refused.
    let textLimit: Int
  }

  /// A line that is one JSON object, with secrets replaced so that it has the same fate when it is
  /// read again.
  ///
  /// A secret that is a text becomes its digest, which loads as the text did. One that is refused
  /// (another type, a NUL, too long) becomes an array of its digest, which is refused as well.
  static func masked(line text: ByteSlice, _ replay: Replay) -> [UInt8] {
    var masking = JSONMasking(text, replay: replay)
    return masking.masked()
  }

  /// A JSON value with secrets replaced in its strings too: where one holds JSON, or `name=value`.
  static func masked(jsonAndItsStrings text: ByteSlice) -> [UInt8] {
    var masking = JSONMasking(text, replay: nil)
    return masking.masked()
  }

  /// The body of a valid JSON string with secrets in it replaced.
  static func masked(stringBody text: ByteSlice) -> [UInt8] {
    var masking = BareNameMasking(text, isJSON: true)
    return masking.masked()
  }

  /// The same for bytes that are not JSON.
  ///
  /// More may go than had to.
  static func masked(malformed text: ByteSlice) -> [UInt8] {
    var members = BrokenTextMasking(text)
    return members.masked().withUnsafeBufferPointer { once in
      guard let start = once.baseAddress else { return [] }
      var masking = BareNameMasking(ByteSlice(start: start, count: once.count), isJSON: false)
      return masking.masked()
    }
  }
}
