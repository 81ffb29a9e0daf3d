/// The elements of an answer of the storage, as events.
///
/// Attributes, comments and namespaces do not matter there and are skipped. A document type, which
/// could define entities, ends the reading.
struct XMLElements {
  enum Event: Equatable {
    case start(String)
    /// The end of an element, with the text since the last start or end.
    case end(String, text: String)
  }

  /// The text is no XML that this type reads.
  struct Malformed: Error {}

  private let bytes: [UInt8]
  private var position = 0
  private var open: [String] = []
  private var text: [UInt8] = []
  /// The end of an element without content, which follows its start.
  private var pending: Event?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next event; nil at the end of the document.
  mutating func next() throws(Malformed) -> Event? {
    if let event = pending {
      pending = nil
      return event
    }
    while position < bytes.count {
      if bytes[position] != UInt8(ascii: "<") {
        try takeText()
      } else if skip("<![CDATA[") {
        text += try take(through: "]]>")
      } else if skip("<!--") {
        _ = try take(through: "-->")
      } else if skip("<?") {
        _ = try take(through: "?>")
      } else if skip("<!") {
        throw Malformed()
      } else if skip("</") {
        let name = Self.name(in: try take(through: ">"))
        guard open.popLast() == name else { throw Malformed() }
        defer { text = [] }
        return .end(name, text: String(decoding: text, as: UTF8.self))
      } else {
        position += 1
        let tag = try take(through: ">")
        let name = Self.name(in: tag)
        text = []
        if tag.last == UInt8(ascii: "/") {
          pending = .end(name, text: "")
        } else {
          open.append(name)
        }
        return .start(name)
      }
    }
    guard open.isEmpty else { throw Malformed() }
    return nil
  }

  private func isAt(_ mark: String) -> Bool {
    bytes[position...].starts(with: mark.utf8)
  }

  private mutating func skip(_ mark: String) -> Bool {
    guard isAt(mark) else { return false }
    position += mark.utf8.count
    return true
  }

  /// The bytes before a mark; reading goes on behind it.
  private mutating func take(through mark: String) throws(Malformed) -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count {
      if isAt(mark) {
        defer { position += mark.utf8.count }
        return bytes[start..<position]
      }
      position += 1
    }
    throw Malformed()
  }

  /// The name of a tag, without its namespace's prefix and its attributes.
  private static func name(in tag: ArraySlice<UInt8>) -> String {
    let name = tag.prefix { $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: "/") }
    let local = name.split(separator: UInt8(ascii: ":")).last ?? name
    return String(decoding: local, as: UTF8.self)
  }

  /// Appends text up to the next tag, with its entities decoded.
  private mutating func takeText() throws(Malformed) {
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") {
      guard skip("&") else {
        text.append(bytes[position])
        position += 1
        continue
      }
      let entity = String(decoding: try take(through: ";"), as: UTF8.self)
      switch entity {
      case "lt": text.append(UInt8(ascii: "<"))
      case "gt": text.append(UInt8(ascii: ">"))
      case "amp": text.append(UInt8(ascii: "&"))
      case "quot": text.append(UInt8(ascii: "\""))
      case "apos": text.append(UInt8(ascii: "'"))
      default:
        let number =
          entity.hasPrefix("#x")
          ? UInt32(entity.dropFirst(2), radix: 16)
          : entity.hasPrefix("#") ? UInt32(entity.dropFirst()) : nil
        guard let scalar = number.flatMap(Unicode.Scalar.init) else { throw Malformed() }
        text += Array(String(Character(scalar)).utf8)
      }
    }
  }
}
