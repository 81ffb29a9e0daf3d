extension RecordStream {
  /// Event messages of the client: logouts, kickouts, pushes, and the receipts of `purchaseUpdated`.
  ///
  /// `EventEncoder` reads the members of the data.
  /// - Source: `TCGBGamebaseEventMessage` of the iOS SDK, and `GamebaseEventMessage` of the other
  ///   SDKs. It has neither a user nor a time; an envelope adds them.
  package static let event = RecordStream(
    name: "event", recordNoun: "event messages", table: "event",
    fileNamePrefixes: ["event", "gamebase_event", "gamebase-event"],
    key: [
      .mandatory(.time, "eventTime", into: "occurred_at"),
      .optional(.application, "appId", into: "app_id"),
      .optional(.eventID, "eventId", into: "event_id"),
    ],
    values: [
      .optional(.user, "userId", into: "user_id"),
      .mandatory(
        .eventCategory, "category", into: "category", "category_raw", "event_group"),
    ] + EventMember.all.map(\.field.withoutSpellings) + [
      .optional(.derived, into: "payment_seq"),
      .optional(.eventData, "data", into: "data"),
    ],
    fallback: ("type", of: .eventCategory), embedding: "receipt")
}

/// A member of the data of event messages, with its column.
struct EventMember {
  let field: DeclaredField
  /// The categories whose messages have it; elsewhere it stays in the data.
  let kinds: Set<EventCategory.Kind>

  /// In the order of the event's columns.
  ///
  /// A `pushClickAction` has the members of a push message in a message of its own.
  static let all = [
    EventMember(field: .mandatory(.code, "code", into: "code"), kinds: [.observer, .idpRevoked]),
    EventMember(
      field: .optional(.text, "message", into: "message"), kinds: [.observer, .loggedOut]),
    EventMember(field: .optional(.identifier, "idPType", into: "idp_type"), kinds: [.idpRevoked]),
    EventMember(
      field: .optional(.textList, "authMappingList", into: "auth_mapping_list"),
      kinds: [.idpRevoked]),
    EventMember(field: .optional(.identifier, "id", "identifier", into: "push_id"), kinds: [.push]),
    EventMember(field: .optional(.text, "title", into: "push_title"), kinds: [.push]),
    EventMember(field: .optional(.text, "body", into: "push_body"), kinds: [.push]),
    EventMember(
      field: .optional(.flag, "isForeground", into: "push_is_foreground"), kinds: [.push]),
    EventMember(
      field: .optional(.identifier, "actionType", into: "push_action_type"), kinds: [.pushAction]),
    EventMember(field: .optional(.text, "userText", into: "push_user_text"), kinds: [.pushAction]),
  ]
}
