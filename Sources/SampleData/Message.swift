/// The values of an event message.
struct Message: Sendable {
  /// A kind of event: its share of the messages, and the data around the values of a message.
  struct Kind: Sendable {
    let category: StaticString
    let percent: Int
    let start: StaticString
    /// The member with the text of a message, if the kind has one.
    var text: StaticString?
    var end: StaticString = "}"
  }

  /// The pushes come first: a received one, a click on it, and an action; then a maintenance and a
  /// receipt, which are not drawn.
  static let kinds = [
    Kind(
      category: "pushReceivedMessage", percent: 40, start: #"{"id":"push-"#, text: "title",
      end: #","extras":"{\"deepLink\":\"game:\\/\\/sale\"}"}"#),
    Kind(
      category: "pushClickMessage", percent: 22, start: #"{"id":"push-"#, text: "title",
      end: #","extras":"{\"deepLink\":\"game:\\/\\/sale\"}"}"#),
    Kind(
      category: "pushClickAction", percent: 8,
      start: #"{"actionType":"REPLY","userText":"\"GG\" 감사","message":{"id":"push-"#, end: "}}"),
    Kind(category: "observerLaunching", percent: 0, start: #"{"code":303"#, text: "message"),
    Kind(category: "purchaseUpdated", percent: 0, start: "", end: ""),
    Kind(category: "observerLaunching", percent: 13, start: #"{"code":200"#, text: "message"),
    Kind(category: "observerLaunching", percent: 1, start: #"{"code":201"#, text: "message"),
    Kind(category: "observerNetwork", percent: 4, start: #"{"code":1"#, text: "message"),
    Kind(
      category: "observerHeartbeat", percent: 3, start: #"{"code":7"#, text: "message",
      // An error as JSON in a string, within the string of the data.
      end: #","extras":"{\"code\":7,\"message\":\"banned \\\"member\\\"\"}"}"#),
    Kind(category: "loggedOut", percent: 6, start: #"{"extras":"{}""#, text: "message"),
    Kind(
      category: "idPRevoked", percent: 1,
      start: #"{"code":601,"idPType":"appleid","authMappingList":["guest","google"]"#),
    Kind(
      category: "serverPushAppKickout", percent: 1,
      start: #"{"popup":{"messages":{"en":{"title":"Kicked","message":"Log in again"}}}"#),
    Kind(
      category: "serverPushAppKickoutMessageReceived", percent: 1,
      start: #"{"popup":{"messages":{"en":{"title":"Kicked","message":"Log in again"}}}"#),
  ]
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
      text: random.chance(70) ? random.below(LineWriter.texts.count) : nil)
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
