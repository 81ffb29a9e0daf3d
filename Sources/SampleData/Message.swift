/// The values of an event message.
struct Message: Sendable {
  /// A kind of message; in its data, `%c` stands for the campaign and `%t` for the text.
  struct Kind: Sendable {
    let category: StaticString
    let data: [UInt8]
    let hasText: Bool
    /// True for a category of the vendor, whose name is that of a constant in the iOS SDK.
    let isKnown: Bool

    init(_ category: StaticString, _ data: String = "", isKnown: Bool = true) {
      self.category = category
      self.isKnown = isKnown
      self.data = Array(data.utf8)
      hasText = data.contains("%t")
    }
  }

  static let received = Kind(
    "pushReceivedMessage",
    #"{"id":"push-%c","title":"%t","isForeground":false,"extras":"{\"link\":\"game:\\/\\/sale\"}"}"#
  )
  static let clicked = Kind("pushClickMessage", #"{"id":"push-%c","title":"%t","extras":"{}"}"#)
  static let answered = Kind(
    "pushClickAction", #"{"actionType":"REPLY","userText":"\"GG\"","message":{"id":"push-%c"}}"#)
  static let purchased = Kind("purchaseUpdated")
  static let maintenance = Kind("observerLaunching", #"{"code":303,"message":"%t"}"#)
  static let launched = Kind("observerLaunching", #"{"code":200,"message":"%t"}"#)
  private static let kickout =
    #"{"popup":{"messages":{"en":{"title":"Kicked","message":"Log in"}}}}"#
  /// What happens in some visits, and in how many of 1000.
  static let occasions: [(kind: Kind, share: Int)] = [
    (launched, 130), (Kind("observerLaunching", #"{"code":201,"message":"%t"}"#), 10),
    (Kind("observerNetwork", #"{"code":1,"message":"%t"}"#), 40),
    // An error as JSON in a string, within the string of the data.
    (
      Kind("observerHeartbeat", #"{"code":7,"extras":"{\"message\":\"banned\"}","message":"%t"}"#),
      20
    ),
    (Kind("loggedOut", #"{"extras":"{}","message":"%t"}"#), 60),
    (
      Kind("idPRevoked", #"{"code":601,"idPType":"appleid","authMappingList":["guest","google"]}"#),
      10
    ),
    (Kind("serverPushAppKickout", kickout), 5),
    (Kind("serverPushAppKickoutMessageReceived", kickout), 5),
    (Kind("serverPushTransferKickout", kickout), 5),
    // A category of the future.
    (Kind("surveyAnswered", #"{"answer":"%t"}"#, isKnown: false), 5),
  ]
  /// The texts of messages, and the titles of pushes.
  static let texts = ["Sale 50 %", "새 시즌", "Your friends wait", "Welcome back"].map {
    Array($0.utf8)
  }

  let kind: Kind
  /// nil for a line without a number of its own.
  let eventID: UInt64?
  /// The text of the message, or the title of the push, as an index.
  var text: Int
  /// The campaign of a push.
  var campaign: UInt64 = 0
  /// False for a message before the login.
  var hasUser = true
  /// The receipt in the message, of which there is at most one.
  var receipt: [SampleRecord] = []

  init(_ kind: Kind, _ random: inout SeededRandom) {
    self.kind = kind
    eventID = random.chance(75) ? random.next() : nil
    text = random.below(Self.texts.count)
  }
}

extension LineWriter {
  /// Appends the members of a message.
  func put(_ message: Message, of record: SampleRecord, into line: inout [UInt8]) {
    line.member("eventTime", number: UInt64(record.time))
    if let eventID = message.eventID {
      line.member("eventId") { $0.put(base36: eventID, width: 12) }
    }
    line.member("category") {
      let isConstant = record.dialect == .iOS && message.kind.isKnown
      if isConstant { $0.put("kTCGB") }
      let start = $0.count
      $0.put(message.kind.category)
      if isConstant { $0[start] -= 0x20 }
    }
    // The same data in all dialects, because the key of a message without a number covers it.
    var data: [UInt8] = []
    if let receipt = message.receipt.first { put(receipt, into: &data) }
    let text = Message.texts[(message.text + (record.isCorrection ? 1 : 0)) % Message.texts.count]
    var isMark = false
    for byte in message.kind.data {
      if isMark {
        if byte == UInt8(ascii: "c") { data.put(number: message.campaign) }
        if byte == UInt8(ascii: "t") { data.append(contentsOf: text) }
      }
      let wasMark = isMark
      isMark = byte == UInt8(ascii: "%")
      if !isMark, !wasMark { data.append(byte) }
    }
    // An object, or in most dialects a string with it.
    line.name("data")
    if record.dialect == .server { return line.append(contentsOf: data) }
    line.put(#"""#)
    for byte in data {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { line.put(#"\"#) }
      line.append(byte)
    }
    line.put(#"""#)
  }
}
