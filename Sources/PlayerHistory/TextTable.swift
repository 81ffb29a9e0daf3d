/// A number for a text of one player's rows.
///
/// Equal texts have equal numbers; NULL is a value.
package struct TextID: Hashable, Sendable {
  package let number: Int32

  package init(number: Int32) { self.number = number }

  package static let null = TextID(number: -1)
}

/// The texts of one player's rows, each stored once.
///
/// Rows hold numbers, so that a row is a plain value and comparing for equality costs nothing.
package final class TextTable {
  private var bytes: [UInt8] = []
  // Text n is bytes[ends[n]..<ends[n + 1]].
  private var ends: [Int] = [0]
  // By the hash of a text, or by the next number behind it that is free.
  private var ids: [UInt64: TextID] = [:]

  package init() {}

  package var count: Int { ends.count - 1 }

  /// Forgets all texts, and their numbers with them.
  package func removeAll() {
    guard count > 0 else { return }
    // A table that one player made large would make forgetting slow for all later ones.
    let isSmall = count <= 512
    bytes.removeAll(keepingCapacity: isSmall)
    ends.removeAll(keepingCapacity: isSmall)
    ends.append(0)
    ids.removeAll(keepingCapacity: isSmall)
  }

  /// The number of a text's bytes.
  package func id(of text: UnsafeRawBufferPointer) -> TextID {
    var key = Self.hash(text)
    while let found = ids[key] {
      if self[found].elementsEqual(text) { return found }
      key &+= 1
    }
    let id = TextID(number: Int32(count))
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
    ids[key] = id
    return id
  }

  package func id(of text: String?) -> TextID {
    guard var text else { return .null }
    return text.withUTF8 { id(of: UnsafeRawBufferPointer($0)) }
  }

  /// The bytes of a text that is not NULL.
  package subscript(id: TextID) -> ArraySlice<UInt8> {
    let number = Int(id.number)
    return bytes[ends[number]..<ends[number + 1]]
  }

  /// The bytes of a text; nil for NULL.
  package func bytes(_ id: TextID) -> ArraySlice<UInt8>? { id == .null ? nil : self[id] }

  /// True if `left` comes before `right` in the order of bytes, NULL last.
  package func precedes(_ left: TextID, _ right: TextID) -> Bool {
    if left == right || left == .null { return false }
    return right == .null || self[left].lexicographicallyPrecedes(self[right])
  }

  /// FNV-1a.
  private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return hash
  }
}
