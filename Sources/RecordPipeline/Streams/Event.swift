extension RecordStream {
  /// Event messages of the client: logouts, kickouts, pushes, and the receipts of `purchaseUpdated`.
  ///
  /// `EventEncoder` reads the members of the data.
  /// - Source: `TCGBGamebaseEventMessage` of the iOS SDK, and `GamebaseEventMessage` of the other
  ///   SDKs. It has neither a user nor a time; an envelope adds them.
  package static let event = RecordStream(
    name: "event", recordNoun: "event messages", table: "event",
    fileNamePrefixes: ["event", "gamebase_event", "gamebase-event"],
    naturalKey: ["occurred_at", "app_id", "event_id"],
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

  private init(_ field: DeclaredField, of kinds: EventCategory.Kind...) {
    self.field = field
    self.kinds = Set(kinds)
  }

  /// In the order of the event's columns.
  ///
  /// A `pushClickAction` has the members of a push message in a message of its own.
  static let all = [
    EventMember(.mandatory(.code, "code", into: "code"), of: .observer, .idpRevoked),
    EventMember(.optional(.text, "message", into: "message"), of: .observer, .loggedOut),
    EventMember(.optional(.identifier, "idPType", into: "idp_type"), of: .idpRevoked),
    EventMember(
      .optional(.textList, "authMappingList", into: "auth_mapping_list"), of: .idpRevoked),
    EventMember(.optional(.identifier, "id", "identifier", into: "push_id"), of: .push),
    EventMember(.optional(.text, "title", into: "push_title"), of: .push),
    EventMember(.optional(.text, "body", into: "push_body"), of: .push),
    EventMember(.optional(.flag, "isForeground", into: "push_is_foreground"), of: .push),
    EventMember(.optional(.identifier, "actionType", into: "push_action_type"), of: .pushAction),
    EventMember(.optional(.text, "userText", into: "push_user_text"), of: .pushAction),
  ]
}
