extension RecordStream {
  /// Game-user data: what was known of a user's character at one time.
  ///
  /// - Source: `TCGBAnalyticsGameUserData` of the iOS SDK. It holds neither a user nor a time; both
  ///   ride beside it.
  package static let gameUser: RecordStream = {
    let gameUser = GameUser()
    return RecordStream(
      name: "game_user", recordNoun: "game-user snapshots",
      targetTable: "game.game_user_snapshot",
      fileNamePrefixes: ["gameuser", "game_user", "game-user"],
      columns: [
        Column("observed_at", .timestamptz),
        Column("user_id", .text),
        Column("app_id", .text),
        Column("channel_id", .text, isOptionalKey: true),
        Column("character_id", .text, isOptionalKey: true),
        Column("user_level", .integer),
        Column("class_id", .text),
        Column("observed_at_source", .text),
      ],
      keyColumnCount: 5, isPartitionedByMonth: true, fields: gameUser.names,
      encode: gameUser.encode)
  }()
}

/// The fields of a game-user line under all their names, and the way from them to a row.
private struct GameUser {
  let names: FieldNames
  private let userID, appID, eventTime, level, channelID, characterID, classID: Field

  init() {
    var names = FieldNames()
    userID = names.add("userId", as: .userID, into: ["user_id"], isCarried: true)
    appID = names.add("appId", as: .identifier, into: ["app_id"], isCarried: true)
    eventTime = names.add(
      "eventTime", as: .time, into: ["observed_at", "observed_at_source"], isCarried: true)
    level = names.add("userLevel", as: .level, into: ["user_level"])
    channelID = names.add("channelId", as: .identifier, into: ["channel_id"])
    characterID = names.add("characterId", as: .identifier, into: ["character_id"])
    classID = names.add("classId", "characterClassId", as: .identifier, into: ["class_id"])
    self.names = names
  }

  func encode(_ line: DecodedLine, _ row: RowBuffer) throws(Rejection) {
    let lineTime = try line.time(eventTime)
    row.time(lineTime ?? line.rules.observedAt)
    row.text(try line.userID(userID))
    row.appID(try line.identifier(appID), line.rules)
    row.text(try line.identifier(channelID))
    row.text(try line.identifier(characterID))
    row.integer(try line.level(level))
    row.text(try line.identifier(classID))
    if lineTime != nil {
      row.text("line" as StaticString)
    } else {
      row.text(line.rules.isObservedAtGiven ? "option" : "load_start" as StaticString)
    }
  }
}
