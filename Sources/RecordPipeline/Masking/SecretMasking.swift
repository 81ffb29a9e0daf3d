/// Copies texts and replaces every secret by its digest.
///
/// Valid JSON is parsed as JSON. In any other text, and within strings, a value that follows the
/// bare name of a secret field is replaced, however it is quoted.
enum SecretMasking {
  /// The properties of a refused line that its masked copy must keep, so that it can be replayed.
  struct Replay {
    /// The name of the field that holds the record, without escapes; nil when the line is the
    /// record.
    let unwrapField: String?
    /// The limit in bytes above which the loader refuses a secret.
    let textLimit: Int
    /// True when the loader reads JSON within strings of the line.
    var readsNestedJSON = false
  }

  /// A copy of a line that is one JSON object; a replay of the copy has the same outcome as the line.
  ///
  /// A secret that is a valid string becomes its digest, which loads as the string does. A secret that is
  /// refused (another type, a NUL, too long) becomes an array with its digest, which is refused as well.
  static func masked(line text: ByteSlice, _ replay: Replay) -> [UInt8] {
    if replay.readsNestedJSON {
      let masking = TokenMasking(form: .array, textLimit: replay.textLimit)
      return masking.masked(json: text) ?? Array(text.buffer)
    }
    var masking = JSONMasking(text, replay: replay)
    return masking.masked()
  }

  /// A copy of a JSON value, masked also within strings that hold JSON or `name=value`.
  static func masked(jsonAndItsStrings text: ByteSlice) -> [UInt8] {
    var masking = JSONMasking(text, replay: nil)
    return masking.masked()
  }

  /// A copy of the body of a valid JSON string.
  static func masked(stringBody text: ByteSlice) -> [UInt8] {
    var masking = BareNameMasking(text, isJSON: true)
    return masking.masked()
  }

  /// A copy of bytes that are not valid JSON.
  ///
  /// It masks more than the secrets when their ends are uncertain.
  static func masked(malformed text: ByteSlice) -> [UInt8] {
    var members = BrokenTextMasking(text)
    return members.masked().withUnsafeBufferPointer { once in
      guard let start = once.baseAddress else { return [] }
      var masking = BareNameMasking(ByteSlice(start: start, count: once.count), isJSON: false)
      return masking.masked()
    }
  }
}
