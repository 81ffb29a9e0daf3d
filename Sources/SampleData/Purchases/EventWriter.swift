/// Writes an event message in one of its spellings.
struct EventWriter: Sendable {
  private static let texts = ["Sale 50 %", "새 시즌", "Your friends wait", "Welcome back"].map(
    JSONText.init)
  private static let actions: [StaticString] = ["OPEN_APP", "OPEN_URL", "REPLY", "DISMISS"]

  private let texts = EventWriter.texts
  private let population: Population
  private let receipts: ReceiptWriter

  static let textCount = EventWriter.texts.count

  init(population: Population, receipts: ReceiptWriter) {
    self.population = population
    self.receipts = receipts
  }

  /// Appends the message as an object, without a newline.
  func put(_ event: EventMoment, spelling: LineSpelling, into line: inout [UInt8]) {
    let shapes = EventMoment.Shape.allCases
    switch spelling {
    case .original: put(event, user: event.user, as: event.shape, into: &line)
    case .plain: put(event, user: event.user ?? event.anyUser, as: .string, into: &line)
    case .other(let bits):
      let step = 1 + Int(bits % UInt64(shapes.count - 1))
      let shape = shapes[(event.shape.rawValue + step) % shapes.count]
      put(event, user: event.user, as: shape, into: &line)
    }
  }

  private func put(
    _ event: EventMoment, user: UInt32?, as shape: EventMoment.Shape, into line: inout [UInt8]
  ) {
    line.put(#"{"userId":""#)
    if let user { population.putUserID(user, into: &line) } else { line.put("0") }
    line.put(#"","eventTime":"#)
    line.put(number: UInt64(event.time))
    if let number = event.number {
      line.put(#","eventId":"e-"#)
      line.put(base36: number, width: 12)
      line.put(#"""#)
    }
    line.put(#","category":""#)
    putCategory(event.kind, asConstant: shape == .constant, into: &line)
    line.put(#"""#)
    var data: [UInt8] = []
    putData(event, into: &data)
    if !data.isEmpty {
      line.put(#","data":"#)
      if shape == .object { line.put(data) } else { putString(data, into: &line) }
    }
    population.putAppID(event.app, into: &line)
    line.put("}")
  }

  private func putCategory(
    _ kind: EventMoment.Kind, asConstant: Bool, into line: inout [UInt8]
  ) {
    let start = line.count
    if asConstant { line.put("kTCGB") }
    let nameStart = line.count
    let name: StaticString =
      switch kind {
      case .pushReceived: "pushReceivedMessage"
      case .pushClicked: "pushClickMessage"
      case .pushAction: "pushClickAction"
      case .launching: "observerLaunching"
      case .heartbeat: "observerHeartbeat"
      case .network: "observerNetwork"
      case .loggedOut: "loggedOut"
      case .idpRevoked: "idPRevoked"
      case .kickout: "serverPushAppKickout"
      case .kickoutReceived: "serverPushAppKickoutMessageReceived"
      case .purchase: "purchaseUpdated"
      }
    line.put(name)
    if nameStart > start { line[nameStart] -= 0x20 }
  }

  // MARK: - Data

  /// The same bytes in every spelling, because the key of a message without a number covers them.
  private func putData(_ event: EventMoment, into data: inout [UInt8]) {
    switch event.kind {
    case .pushReceived, .pushClicked: putPush(event, into: &data)
    case .pushAction(let action):
      data.put(#"{"actionType":""#)
      data.put(Self.actions[action])
      data.put(#"","message":"#)
      putPush(event, into: &data)
      if action == 2 { data.put(#","userText":"\"GG\" 감사""#) }
      data.put("}")
    case .launching(let code): putObserver(code, event, into: &data)
    case .network(let code): putObserver(code, event, into: &data)
    case .heartbeat:
      data.put(#"{"code":7"#)
      putText(named: #","message":""#, event, into: &data)
      // An error as JSON in a string, within the string of the data.
      data.put(
        #","extras":"{\"domain\":\"TCGBMember\",\"code\":7,\"message\":\"banned \\\"member\\\"\"}"}"#
      )
    case .loggedOut:
      guard event.text != nil else { return }
      data.put("{")
      putText(named: #""message":""#, event, into: &data)
      data.put("}")
    case .idpRevoked:
      data.put(
        #"{"code":601,"idPType":"appleid","authMappingList":["guest","google"],"extras":""}"#)
    case .kickout, .kickoutReceived:
      data.put(
        #"{"popup":{"defaultLanguage":"en","messages":{"en":{"title":"Kicked","message":"Log in again"}}}}"#
      )
    case .purchase(let receipt): receipts.put(receipt, spelling: .original, into: &data)
    }
  }

  private func putObserver(_ code: Int, _ event: EventMoment, into data: inout [UInt8]) {
    data.put(#"{"code":"#)
    data.put(number: UInt64(code))
    putText(named: #","message":""#, event, into: &data)
    data.put("}")
  }

  private func putPush(_ event: EventMoment, into data: inout [UInt8]) {
    data.put(#"{"id":"push-"#)
    data.put(number: event.campaign)
    data.put(#"""#)
    putText(named: #","title":""#, event, into: &data)
    if let isForeground = event.isForeground {
      data.put(isForeground ? #","isForeground":true"# : #","isForeground":false"#)
    }
    data.put(#","extras":"{\"deepLink\":\"game:\\/\\/sale\"}"}"#)
  }

  private func putText(
    named name: StaticString, _ event: EventMoment, into data: inout [UInt8]
  ) {
    guard let text = event.text else { return }
    data.put(name)
    data.put(texts[text].plain)
    data.put(#"""#)
  }

  /// Appends JSON as a string.
  private func putString(_ json: [UInt8], into line: inout [UInt8]) {
    line.put(#"""#)
    for byte in json {
      if byte == 0x22 || byte == 0x5C { line.append(0x5C) }
      line.append(byte)
    }
    line.put(#"""#)
  }
}
