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
      .mandatory(.eventCategory, "category type", into: "category category_raw event_group"),
      // A `pushClickAction` has the members of a push message in a message of its own.
      .mandatory(.code, "code", into: "code").inData(of: .observer, .idpRevoked),
      .optional(.text, "message", into: "message").inData(of: .observer, .loggedOut),
      .optional(.identifier, "idPType", into: "idp_type").inData(of: .idpRevoked),
      .optional(.textList, "authMappingList", into: "auth_mapping_list").inData(of: .idpRevoked),
      .optional(.identifier, "id identifier", into: "push_id").inData(of: .push),
      .optional(.text, "title", into: "push_title").inData(of: .push),
      .optional(.text, "body", into: "push_body").inData(of: .push),
      .optional(.flag, "isForeground", into: "push_is_foreground").inData(of: .push),
      .optional(.identifier, "actionType", into: "push_action_type").inData(of: .pushAction),
      .optional(.text, "userText", into: "push_user_text").inData(of: .pushAction),
      .optional(.derived, into: "payment_seq"),
      .optional(.eventData, "data", into: "data"),
    ],
    embedding: "receipt")
}
