/// An event message of the game, before it is written as a line.
struct EventMoment: Sendable {
  /// The form of a line: the name of the category, and the form of its data.
  enum Shape: Int, CaseIterable, Sendable {
    /// The vendor's form: the data is a string.
    case string
    /// The data is an object.
    case object
    /// The name of the iOS constant, and a string.
    case constant
  }

  /// The kind of event, which decides the data of the message.
  enum Kind: Sendable {
    case pushReceived, pushClicked
    /// An answer to a push message: one of the vendor's four actions.
    case pushAction(Int)
    case launching(code: Int)
    case heartbeat, network(code: Int), loggedOut, idpRevoked, kickout, kickoutReceived
    case purchase(Receipt)
  }

  /// nil for a message before the login.
  var user: UInt32?
  /// A user for lines that must have one.
  var anyUser: UInt32
  var app: Int?
  /// Milliseconds since 1970-01-01 UTC.
  var time: Int64
  /// nil for a line without a number of its own.
  var number: UInt64?
  var kind: Kind
  /// The push message, by the number of its campaign.
  var campaign: UInt64 = 0
  /// The text of the message, or the title of the push, as an index; nil for none.
  var text: Int?
  var isForeground: Bool?
  var shape: Shape

  /// True when a later line can correct the text.
  var isCorrectable: Bool {
    guard number != nil else { return false }
    switch kind {
    case .pushReceived, .pushClicked, .launching, .heartbeat, .network, .loggedOut: return true
    case .pushAction, .idpRevoked, .kickout, .kickoutReceived, .purchase: return false
    }
  }
}
