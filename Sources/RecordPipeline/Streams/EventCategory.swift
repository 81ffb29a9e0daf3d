/// The category of an event message, its kind, and the line's text where it differs.
struct EventCategory: Equatable {
  /// The kinds of categories, by the members that their data has.
  enum Kind: Int, CaseIterable {
    case receipt, push, pushAction, serverPush, observer, idpRevoked, loggedOut, other

    /// True when a message without data is refused.
    var needsData: Bool { self != .serverPush && self != .loggedOut && self != .other }

    /// The members of its data that have a column; elsewhere they stay in the data.
    ///
    /// A `pushClickAction` has those of a push message in a message of its own.
    var members: [String] {
      switch self {
      case .observer: ["code", "message"]
      case .loggedOut: ["message"]
      case .idpRevoked: ["code", "idPType", "authMappingList"]
      case .push: ["id", "title", "body", "isForeground"]
      case .pushAction: ["actionType", "userText"]
      case .receipt, .serverPush, .other: []
      }
    }

    var group: StaticString {
      switch self {
      case .receipt: "purchase"
      case .push, .pushAction: "push"
      case .serverPush: "server_push"
      case .observer: "observer"
      case .idpRevoked: "idp_revoked"
      case .loggedOut: "logged_out"
      case .other: "other"
      }
    }
  }

  /// As stored.
  let name: KeptText
  let kind: Kind
  let differingText: KeptText?

  // Two spellings of one category are the same value.
  static func == (left: Self, right: Self) -> Bool { left.name == right.name }

  /// - Parameter isOld: true for the member `type`, in which the names before SDK 2.13 count.
  init(_ text: KeptText, isOld: Bool) {
    let known = knownCategories.first {
      text == $0.name || $0.isConstant(text.bytes)
        || isOld && $0.oldName.map(text.bytes.equalsIgnoringCase) ?? false
    }
    name = known.map { KeptText($0.name) } ?? text
    kind = known?.kind ?? .other
    differingText = name == text ? nil : text
  }
}

/// A category of the vendor's SDKs.
private struct KnownCategory {
  let name: StaticString
  let kind: EventCategory.Kind
  /// The value of `type` before SDK 2.13, in lower case; nil when there was none.
  var oldName: StaticString?
  /// True when the iOS SDK has a constant for the category, such as `kTCGBLoggedOut`.
  var hasConstant = true

  /// True for the name of the iOS constant: the prefix, and the category with a capital letter.
  func isConstant(_ text: ByteSlice) -> Bool {
    let (name, prefix) = (ByteSlice(name), ByteSlice("kTCGB"))
    guard hasConstant, text.count == prefix.count + name.count,
      text.slice(0..<prefix.count) == prefix, text[prefix.count] == name[0] - 0x20
    else { return false }
    return text.slice(prefix.count + 1..<text.count) == name.slice(1..<name.count)
  }
}

/// - Source: `GamebaseEventCategory` of the Unity SDK, and `TCGBGamebaseEventMessage` of the iOS SDK.
private let knownCategories = [
  KnownCategory(name: "pushReceivedMessage", kind: .push),
  KnownCategory(name: "pushClickMessage", kind: .push),
  KnownCategory(name: "pushClickAction", kind: .pushAction),
  KnownCategory(name: "purchaseUpdated", kind: .receipt),
  KnownCategory(name: "observerHeartbeat", kind: .observer, oldName: "heartbeat"),
  KnownCategory(name: "observerNetwork", kind: .observer, oldName: "network"),
  KnownCategory(name: "observerLaunching", kind: .observer, oldName: "launching"),
  KnownCategory(name: "observerWebview", kind: .observer, hasConstant: false),
  KnownCategory(name: "observerIntrospect", kind: .observer, hasConstant: false),
  KnownCategory(name: "serverPushAppKickout", kind: .serverPush, oldName: "appkickout"),
  KnownCategory(name: "serverPushAppKickoutMessageReceived", kind: .serverPush),
  KnownCategory(name: "serverPushTransferKickout", kind: .serverPush, oldName: "transferkickout"),
  KnownCategory(name: "loggedOut", kind: .loggedOut),
  KnownCategory(name: "idPRevoked", kind: .idpRevoked),
]
