extension ErasedUsers {
  /// True when a refused line is of an erased user, or could be and names one in what is kept of it.
  package func mayOwn(_ reject: RejectedLine) -> Bool {
    if let owner = reject.owner { return contain(owner.user, of: owner.app) }
    return reject.raw.withUnsafeBufferPointer { raw in
      guard let start = raw.baseAddress else { return false }
      return Suppression(self, in: StreamCatalog.all[0].fields)?
        .isErasedUserNamed(in: ByteSlice(start: start, count: raw.count)) ?? false
    }
  }
}

/// Tells lines of erased users from others, for one stream.
///
/// Only made when there are erased users: the way of a line is the same as ever without them.
struct Suppression {
  private let erased: ErasedUsers
  private let userField: Field
  private let appField: Field?
  private let strangers = KnownStrangers()

  /// Whose a line is.
  enum Owner {
    case erased, somebodyElse
    /// The line cannot be read, or has no user or two.
    case unknown
  }

  /// - Parameter erased: nil: nobody was erased.
  init?(_ erased: ErasedUsers?, in names: FieldNames) {
    guard let erased,
      let userField = names.descriptions.first(where: { $0.rule == .userID })?.field
    else { return nil }
    self.erased = erased
    self.userField = userField
    appField = names.descriptions.first { $0.columns == ["app_id"] }?.field
  }

  func owner(of line: DecodedLine) -> Owner {
    guard let user = try? line.userID(userField) else { return .unknown }
    let isStranger = strangers.contains(UnsafeRawBufferPointer(user.buffer)) {
      erased.contain(user.buffer, of: nil)
    }
    if isStranger { return .somebodyElse }
    return erased.contain(user.buffer, of: app(of: line)) ? .erased : .somebodyElse
  }

  private func app(of line: DecodedLine) -> [UInt8]? {
    do throws(Rejection) {
      let given = try appField.flatMap { field throws(Rejection) in try line.identifier(field) }
      return given.map { Array($0.buffer) } ?? Array(line.rules.appID.utf8)
    } catch {
      return nil
    }
  }

  /// More of a line than this is not looked at, for no more of it is kept.
  private static let searchedBytes = 2 * RejectedLine.rawLimit

  /// True when something in a line whose owner is unknown is the id of an erased user: a text between
  /// quotes, escapes resolved or not, or a word.
  func isErasedUserNamed(in line: ByteSlice) -> Bool {
    let bytes = UnsafeBufferPointer(start: line.start, count: min(line.count, Self.searchedBytes))
    let texts = bytes.split(separator: UInt8(ascii: "\"")) + Self.quotedTexts(in: bytes)
    return texts.contains { isErasedUser($0) || isErasedUserEscaped($0) }
      || bytes.split { !Self.isPartOfWord($0) }.contains { isErasedUser($0) }
  }

  /// Texts that hold escaped quotes themselves, as JSON has them.
  private static func quotedTexts(
    in bytes: UnsafeBufferPointer<UInt8>
  ) -> [Slice<UnsafeBufferPointer<UInt8>>] {
    var texts: [Slice<UnsafeBufferPointer<UInt8>>] = []
    var start: Int?
    var holdsQuote = false
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "\\") {
        holdsQuote = holdsQuote || bytes.dropFirst(index + 1).first == UInt8(ascii: "\"")
        index += 1
      } else if bytes[index] == UInt8(ascii: "\"") {
        if let start, holdsQuote { texts.append(bytes[start..<index]) }
        start = start == nil ? index + 1 : nil
        holdsQuote = false
      }
      index += 1
    }
    return texts
  }

  private func isErasedUser(_ id: some Collection<UInt8>) -> Bool {
    !id.isEmpty && erased.contain(id, of: nil)
  }

  /// Texts stand within texts: each level is resolved, and each may be the id.
  private func isErasedUserEscaped(_ text: some Collection<UInt8>) -> Bool {
    var text = Array(text)
    for _ in 0..<Self.searchedLevels where text.contains(UInt8(ascii: "\\")) {
      // In a text within a text the closing quote is escaped: an odd backslash at the end is its own,
      // and none of the id's. In a broken line all may be.
      let ending = text.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
      if isErasedUser(text.dropLast(ending)) { return true }
      if !ending.isMultiple(of: 2) { text.removeLast() }
      if isErasedUser(text) { return true }
      text = LenientUnescaping.resolved(text)
      if isErasedUser(text) { return true }
    }
    return false
  }

  private static let searchedLevels = 4

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
