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
        .eventCategory, "category", orElse: "type",
        into: "category", "category_raw", "event_group"),
    ] + eventMembers.map(\.withoutSpellings) + [
      .optional(.derived, into: "payment_seq"),
      .optional(.eventData, "data", into: "data"),
    ],
    embedding: "receipt")

  /// The members of the data that have a column, in the order of the columns; `EventCategory.Kind.members` says in
  /// which messages.
  static let eventMembers: [DeclaredField] = [
    .mandatory(.code, "code", into: "code"),
    .optional(.text, "message", into: "message"),
    .optional(.identifier, "idPType", into: "idp_type"),
    .optional(.textList, "authMappingList", into: "auth_mapping_list"),
    .optional(.identifier, "id", "identifier", into: "push_id"),
    .optional(.text, "title", into: "push_title"),
    .optional(.text, "body", into: "push_body"),
    .optional(.flag, "isForeground", into: "push_is_foreground"),
    .optional(.identifier, "actionType", into: "push_action_type"),
    .optional(.text, "userText", into: "push_user_text"),
  ]
}
