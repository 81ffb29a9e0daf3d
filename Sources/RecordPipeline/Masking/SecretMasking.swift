/// Copies texts and replaces every secret by its digest.
///
/// Valid JSON is parsed as JSON, and so is JSON within its strings. In any other text, a value that
/// follows the bare name of a secret field is replaced, however it is quoted.
///
/// The columns of a row are masked one by one, and the copy of a refused line as a whole. Both give
/// the same texts, so that the copy loads to the same row as the line, and to the same key, which
/// may depend on the bytes of a text. All bytes other than those of secrets therefore stay as they
/// are.
enum SecretMasking {
  /// A copy of a line that is one JSON object; a replay of the copy has the same outcome as the line.
  ///
  /// A secret that is a valid string becomes its digest, which loads as the string does. A secret that is
  /// refused (another type, a NUL, too long) becomes an array with its digest, which is refused as well.
  ///
  /// - Parameter textLimit: the limit in bytes above which the loader refuses a secret.
  static func masked(line text: ByteSlice, textLimit: Int) -> [UInt8] {
    JSONMasking(refusedForm: .array, textLimit: textLimit).masked(json: text) ?? Array(text.buffer)
  }

  /// The masked copy of a JSON text; nil when the text has no secret.
  static func masked(json text: ByteSlice) -> [UInt8]? {
    JSONMasking(refusedForm: .string).masked(json: text)
  }

  /// The masked copy of the body of a JSON string; nil when the string has no secret.
  static func masked(stringBody body: ByteSlice) -> [UInt8]? {
    JSONMasking(refusedForm: .string).masked(stringBody: body)
  }

  /// The masked copy of a text that was the value of a JSON string; nil when the text has no secret.
  static func masked(text: ByteSlice) -> [UInt8]? {
    JSONMasking(refusedForm: .string).masked(text: text)
  }

  /// A copy of bytes that are not valid JSON.
  ///
  /// It masks more than the secrets when their ends are uncertain.
  static func masked(malformed text: ByteSlice) -> [UInt8] {
    var members = BrokenTextMasking(text)
    return text.applying(members.edits()).withUnsafeBufferPointer { once in
      guard let start = once.baseAddress else { return [] }
      let once = ByteSlice(start: start, count: once.count)
      var names = BareNameMasking(once, isValid: false)
      return once.applying(names.edits())
    }
  }
}
