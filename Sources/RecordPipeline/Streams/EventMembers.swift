/// The members that the data of event messages can have, and the columns for them.
struct EventMembers {
  let names: FieldNames
  let descriptions: [FieldDescription]
  let code, message, idpType, mappings: Spellings
  let pushID, title, body, isForeground: Spellings
  let actionType, userText: Spellings
  /// In the order of the event's columns.
  let columns: [Column]

  static let all = EventMembers()

  private init() {
    var stream = StreamDeclaration()
    func add<Kind>(_ field: Field<Kind>) -> Spellings {
      stream.columns += field.columns
      return stream.addNames(of: field)
    }
    code = add(Field<EventCode>("code", into: "code"))
    message = add(Field<FreeText>("message", into: "message"))
    idpType = add(Field<Identifier>("idPType", into: "idp_type"))
    mappings = add(Field<TextList>("authMappingList", into: "auth_mapping_list"))
    pushID = add(Field<Identifier>("id", "identifier", into: "push_id"))
    title = add(Field<FreeText>("title", into: "push_title"))
    body = add(Field<FreeText>("body", into: "push_body"))
    isForeground = add(Field<Flag>("isForeground", into: "push_is_foreground"))
    actionType = add(Field<Identifier>("actionType", into: "push_action_type"))
    userText = add(Field<FreeText>("userText", into: "push_user_text"))
    names = stream.names
    descriptions = stream.descriptions
    columns = stream.columns
  }

  /// The members of the messages of a kind of category.
  func known(in kind: EventCategory.Kind) -> UInt64 {
    switch kind {
    case .observer: slots(code, message)
    case .loggedOut: slots(message)
    case .idpRevoked: slots(code, idpType, mappings)
    case .push: inPush
    case .pushAction: slots(actionType, userText)
    case .receipt, .serverPush, .other: 0
    }
  }

  var nameOfMessage: String { names.names[message.firstSlot] }

  /// The members of a push message.
  var inPush: UInt64 { slots(pushID, title, body, isForeground) }

  private func slots(_ fields: Spellings...) -> UInt64 {
    fields.reduce(0) { $0 | $1.slots }
  }
}
