/// Copies JSON and replaces every secret by its digest, in members at any depth and within strings.
struct JSONMasking {
  private var cursor: MaskingCursor
  /// The rules under which the copy will be replayed; nil when the text is not a line.
  private let replay: SecretMasking.Replay?
  /// The number of open arrays and objects.
  private var depth = 0

  init(_ text: ByteSlice, replay: SecretMasking.Replay?) {
    cursor = MaskingCursor(text)
    self.replay = replay
  }

  mutating func masked() -> [UInt8] {
    while !cursor.isAtEnd {
      switch cursor.text[cursor.position] {
      case UInt8(ascii: "\""): copyStringOrMember()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        cursor.copyByte()
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        cursor.copyByte()
      default: cursor.copyByte()
      }
    }
    return cursor.output
  }

  /// Copies a string.
  ///
  /// If it is a secret name, its value is masked; if it is not a name, its own text is.
  private mutating func copyStringOrMember() {
    let start = cursor.output.count + 1
    let string = cursor.copyString()
    guard cursor.isAt(":") else {
      cursor.output.replaceSubrange(
        start..<start + string.count, with: SecretMasking.masked(stringBody: string))
      return
    }
    let isSecret = MaskingCursor.isSecret(string)
    guard isSecret || (depth == 1 && isRecord(string)) else { return }
    cursor.copyByte()
    cursor.copyWhiteSpace()
    if isSecret { maskValue() } else { maskRecord() }
  }

  private func isRecord(_ name: ByteSlice) -> Bool {
    guard let field = replay?.unwrapField else { return false }
    var resolved = TextArena()
    return resolved.unescape(name).bytes.buffer.elementsEqual(field.utf8)
  }

  /// Masks a record that is written as a string like a separate line, and writes it as a string
  /// again.
  private mutating func maskRecord() {
    // A record that is an object needs nothing here: its members are masked like those of the line.
    guard let replay, cursor.isAt("\"") else { return }
    let end = cursor.endOfString(from: cursor.position)
    var arena = TextArena()
    let record = arena.unescape(cursor.slice(cursor.position + 1, end - 1)).bytes
    let within = SecretMasking.Replay(unwrapField: nil, textLimit: replay.textLimit)
    cursor.output.append(UInt8(ascii: "\""))
    for byte in SecretMasking.masked(line: record, within) { appendEscaped(byte) }
    cursor.output.append(UInt8(ascii: "\""))
    cursor.position = end
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): cursor.output += [UInt8(ascii: "\\"), byte]
    case 0x0A: cursor.output += Array("\\n".utf8)
    case 0x0D: cursor.output += Array("\\r".utf8)
    case 0x09: cursor.output += Array("\\t".utf8)
    default: cursor.output.append(byte)  // JSON text has no other control characters
    }
  }

  private mutating func maskValue() {
    // Without a replay the text goes to `extra`.
    let form: MaskingCursor.RefusedForm = replay == nil ? .string : .array
    let start = cursor.position
    if cursor.isAt("\"") {
      cursor.position = cursor.endOfString(from: start)
      cursor.appendDigest(
        ofString: cursor.slice(start + 1, cursor.position - 1),
        textLimit: replay?.textLimit ?? .max, refusedAs: form)
    } else if let (digest, length) = cursor.refusedDigest {
      cursor.position += length
      cursor.appendDigest(of: digest, as: form)
    } else {
      cursor.skipValue()
      let value = cursor.slice(start, cursor.position)
      if value == "null" || value.isEmpty {
        cursor.output.append(contentsOf: value.buffer)
      } else {
        cursor.appendDigest(of: value, as: form)
      }
    }
  }
}
