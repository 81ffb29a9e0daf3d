extension RecordStream {
  /// Level-up traces: a character of a user reached a level.
  ///
  /// - Source: `TCGBAnalyticsLevelUpData` of the iOS SDK, with the user that rides beside it.
  package static let levelUp: RecordStream = {
    let levelUp = LevelUp()
    return RecordStream(
      name: "level_up", recordNoun: "level-up traces", targetTable: "game.level_up",
      fileNamePrefixes: ["levelup", "level_up", "level-up"],
      columns: [
        Column("leveled_up_at", .timestamptz),
        Column("user_id", .text),
        Column("user_level", .integer),
        Column("app_id", .text),
        Column("character_id", .text, isOptionalKey: true),
        Column("channel_id", .text),
        Column("class_id", .text),
      ],
      keyColumnCount: 5, isPartitionedByMonth: true, fields: levelUp.names,
      encode: levelUp.encode)
  }()
}

/// The fields of a level-up trace under all their names, and the way from them to a row.
private struct LevelUp {
  let names: FieldNames
  private let userID, appID, eventTime, level, time, channelID, characterID, classID: Field

  init() {
    var names = FieldNames()
    userID = names.add("userId", as: .userID, into: ["user_id"], isCarried: true)
    appID = names.add("appId", as: .identifier, into: ["app_id"], isCarried: true)
    eventTime = names.add("eventTime", as: .time, into: ["extra"], isCarried: true)
    level = names.add("userLevel", as: .level, into: ["user_level"])
    time = names.add("levelUpTime", as: .mandatoryTime, into: ["leveled_up_at"])
    channelID = names.add("channelId", as: .identifier, into: ["channel_id"])
    characterID = names.add("characterId", as: .identifier, into: ["character_id"])
    classID = names.add("classId", "characterClassId", as: .identifier, into: ["class_id"])
    self.names = names
  }

  func encode(_ line: DecodedLine, _ row: RowBuffer) throws(Rejection) {
    row.time(try line.mandatoryTime(time))
    row.text(try line.userID(userID))
    row.integer(try line.level(level))
    row.appID(try line.identifier(appID), line.rules)
    row.text(try line.identifier(characterID))
    row.text(try line.identifier(channelID))
    row.text(try line.identifier(classID))
    _ = try line.time(eventTime)
  }
}
