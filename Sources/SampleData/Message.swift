/// The values of an event message.
struct Message: Sendable {
  /// A kind of event: its share of the messages, and the data around the values of a message.
  struct Kind: Sendable {
    let category: StaticString
    let percent: Int
    let start: StaticString
    /// The member with the text of a message, if the kind has one.
    let text: StaticString?
    let end: StaticString

    init(
      _ category: StaticString, _ percent: Int, _ start: StaticString, text: StaticString? = nil,
      end: StaticString = "}"
    ) {
      (self.category, self.percent, self.start) = (category, percent, start)
      (self.text, self.end) = (text, end)
    }
  }

  /// The pushes come first: a received one, a click on it, and an action; then a maintenance and a
  /// receipt, which are not drawn.
  static let kinds = [
    Kind("pushReceivedMessage", 40, #"{"id":"push-"#, text: "title", end: pushEnd),
    Kind("pushClickMessage", 22, #"{"id":"push-"#, text: "title", end: pushEnd),
    Kind(
      "pushClickAction", 8, #"{"actionType":"REPLY","userText":"\"GG\"","message":{"id":"push-"#,
      end: "}}"),
    Kind("observerLaunching", 0, #"{"code":303"#, text: "message"),
    Kind("purchaseUpdated", 0, "", end: ""),
    Kind("observerLaunching", 13, #"{"code":200"#, text: "message"),
    Kind("observerLaunching", 1, #"{"code":201"#, text: "message"),
    Kind("observerNetwork", 4, #"{"code":1"#, text: "message"),
    // An error as JSON in a string, within the string of the data.
    Kind(
      "observerHeartbeat", 3, #"{"code":7,"extras":"{\"message\":\"banned\"}""#, text: "message"),
    Kind("loggedOut", 6, #"{"extras":"{}""#, text: "message"),
    Kind("idPRevoked", 1, #"{"code":601,"idPType":"appleid","authMappingList":["guest","google"]"#),
    Kind("serverPushAppKickout", 1, kickout),
    Kind("serverPushAppKickoutMessageReceived", 1, kickout),
  ]
  private static let pushEnd: StaticString = #","extras":"{\"deepLink\":\"game:\\/\\/sale\"}"}"#
  private static let kickout: StaticString =
    #"{"popup":{"messages":{"en":{"title":"Kicked","message":"Log in again"}}}"#
  /// The texts of messages, and the titles of pushes.
  static let texts: [StaticString] = ["Sale 50 %", "새 시즌", "Your friends wait", "Welcome back"]
  static let percents = kinds.map(\.percent)
  static let (pushReceived, pushAction, maintenance, receipt, launching) = (0, 2, 3, 4, 5)

  /// An index into the kinds.
  var kind: Int
  /// nil for a line without a number of its own.
  let eventID: UInt64?
  /// The text of the message, or the title of the push, as an index; nil for none.
  var text: Int?
  /// The campaign of a push.
  var campaign: UInt64 = 0
  /// False for a message before the login.
  var hasUser = true
  /// The receipt in the message, of which there is at most one.
  var receipt: [SampleRecord] = []
}

/// The event messages of the game, in the order of time.
///
/// Pushes are sent to many players, and some of them answer. A part of the receipts also arrives in
/// messages, all promotions among them.
struct MessageSource: RecordSource {
  /// The number of purchases of each day.
  private let purchaseCounts: [Int]
  private var purchases: PurchaseSource
  /// The day's purchases that arrive in messages, the last one first.
  private var bought: [SampleRecord] = []
  private var walk: DayWalk
  /// The last 64 pushes that players received and have not answered.
  private var pushes: [(player: Player, message: Message)] = []

  init(options: SampleOptions, purchaseCounts: [Int]) {
    self.purchaseCounts = purchaseCounts
    purchases = PurchaseSource(options: options)
    walk = DayWalk(.event, options: options)
  }

  mutating func beginDay(records: Int) {
    walk.beginDay(records: records)
    purchases.beginDay(records: purchaseCounts[walk.day])
    bought = (0..<purchaseCounts[walk.day]).compactMap { _ in
      let record = purchases.next()
      guard case .purchase(let purchase) = record.content else { return nil }
      return purchase.isPromotion == true || purchase.paymentSeq % 4 == 0 ? record : nil
    }
    bought.reverse()
  }

  mutating func next() -> SampleRecord {
    var (player, time, random) = walk.next()
    var message = Message(
      kind: random.index(percent: Message.percents),
      eventID: random.chance(75) ? random.next() : nil,
      text: random.chance(70) ? random.below(Message.texts.count) : nil)
    if walk.day % 7 == 2, (1140..<1185).contains(time / 60_000 % 1440) {
      // A maintenance before dawn; most clients learn of it before the login.
      message.kind = Message.maintenance
      message.hasUser = random.chance(25)
    } else if random.chance(10), let receipt = bought.last, receipt.time <= time {
      bought.removeLast()
      message.kind = Message.receipt
      message.receipt = [receipt]
      player = receipt.player
    } else if message.kind == Message.pushReceived {
      // Two campaigns a day.
      message.campaign = UInt64(walk.date) * 2 + random.next() % 2
      if pushes.count == 64 { pushes.removeFirst() }
      pushes.append((player, message))
    } else if message.kind <= Message.pushAction {
      if pushes.isEmpty {
        message.kind = Message.launching
      } else {
        let push = pushes.remove(at: random.below(pushes.count))
        player = push.player
        (message.campaign, message.text) = (push.message.campaign, push.message.text)
      }
    }
    return SampleRecord(of: player, at: time, &random, .message(message))
  }
}

extension LineWriter {
  /// Appends the members of a message.
  func put(_ message: Message, of record: SampleRecord, into line: inout [UInt8]) {
    let kind = Message.kinds[message.kind]
    line.member("eventTime", number: UInt64(record.time))
    if let eventID = message.eventID {
      line.member("eventId") { $0.put(base36: eventID, width: 12) }
    }
    line.member("category") {
      if record.dialect == .iOS { $0.put("kTCGB") }
      let start = $0.count
      $0.put(kind.category)
      if record.dialect == .iOS { $0[start] -= 0x20 }
    }
    // The same data in all dialects, because the key of a message without a number covers it.
    var data: [UInt8] = []
    for receipt in message.receipt { put(receipt, into: &data) }
    data.put(kind.start)
    if message.kind <= Message.pushAction {
      data.put(number: message.campaign)
      data.put(#"""#)
    }
    if message.kind == Message.pushReceived, record.quirk < 50 {
      data.member("isForeground", literal: record.quirk < 15 ? "true" : "false")
    }
    if let name = kind.text, let text = message.text {
      data.member(name, text: Message.texts[text])
    }
    data.put(kind.end)
    // An object, or in most dialects a string with it.
    line.name("data")
    if record.dialect == .unity || record.dialect == .unreal {
      return line.append(contentsOf: data)
    }
    line.put(#"""#)
    for byte in data {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { line.put(#"\"#) }
      line.append(byte)
    }
    line.put(#"""#)
  }
}
