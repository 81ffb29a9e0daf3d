/// The category of an event message, its kind, and the line's text where it differs.
struct EventCategory: Equatable {
  /// The kinds of categories, by the members that their data has; `RecordStream.event` names these.
  enum Kind: Int, CaseIterable {
    case receipt, push, pushAction, serverPush, observer, idpRevoked, loggedOut, other

    /// True when a message without data is refused.
    var needsData: Bool { self != .serverPush && self != .loggedOut && self != .other }

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
      text == $0.name || text == $0.constant || isOld && text.bytes.equalsIgnoringCase($0.oldName)
    }
    name = known.map { KeptText($0.name) } ?? text
    kind = known?.kind ?? .other
    differingText = name == text ? nil : text
  }
}

extension Field {
  /// The field as a member of the data of an event, in messages of some kinds of categories.
  func inData(of kinds: EventCategory.Kind...) -> Self {
    var field = self
    for kind in kinds { field.kindsOfCategories |= 1 << kind.rawValue }
    return field
  }

  func isInData(of kind: EventCategory.Kind) -> Bool { kindsOfCategories >> kind.rawValue & 1 == 1 }
}

/// The categories of the vendor's SDKs, with two texts that stand for each where there are such: the name of the iOS
/// SDK's constant, and the value of `type` before SDK 2.13, in lower case.
///
/// - Source: `GamebaseEventCategory` of the Unity SDK, and `TCGBGamebaseEventMessage` of the iOS SDK.
private let knownCategories:
  [(name: StaticString, constant: StaticString, oldName: StaticString, kind: EventCategory.Kind)] =
    [
      ("pushReceivedMessage", "kTCGBPushReceivedMessage", "", .push),
      ("pushClickMessage", "kTCGBPushClickMessage", "", .push),
      ("pushClickAction", "kTCGBPushClickAction", "", .pushAction),
      ("purchaseUpdated", "kTCGBPurchaseUpdated", "", .receipt),
      ("observerHeartbeat", "kTCGBObserverHeartbeat", "heartbeat", .observer),
      ("observerNetwork", "kTCGBObserverNetwork", "network", .observer),
      ("observerLaunching", "kTCGBObserverLaunching", "launching", .observer),
      ("observerWebview", "", "", .observer),
      ("observerIntrospect", "", "", .observer),
      ("serverPushAppKickout", "kTCGBServerPushAppKickout", "appkickout", .serverPush),
      (
        "serverPushAppKickoutMessageReceived", "kTCGBServerPushAppKickoutMessageReceived", "",
        .serverPush
      ),
      (
        "serverPushTransferKickout", "kTCGBServerPushTransferKickout", "transferkickout",
        .serverPush
      ),
      ("loggedOut", "kTCGBLoggedOut", "", .loggedOut),
      ("idPRevoked", "kTCGBIdPRevoked", "", .idpRevoked),
    ]
