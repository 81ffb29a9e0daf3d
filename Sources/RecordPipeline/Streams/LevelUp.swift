extension RecordStream {
  /// Level-up traces, one for each level that a user's character reached.
  ///
  /// - Source: `TCGBAnalyticsLevelUpData` of the iOS SDK. It has no user; an envelope adds it.
  package static let levelUp = RecordStream(
    name: "level_up", recordNoun: "level-up traces", table: "level_up",
    fileNamePrefixes: ["levelup", "level_up", "level-up"],
    naturalKey: ["app_id", "user_id", "character_id", "user_level", "leveled_up_at"]
  ) {
    Field<MandatoryTime>("levelUpTime", into: "leveled_up_at")
    Field<UserID>("userId", into: "user_id")
    Field<Level>("userLevel", into: "user_level")
    Field<AppID>("appId", into: "app_id")
    Field<Identifier>("characterId", into: "character_id")
  } values: {
    Field<Identifier>("channelId", into: "channel_id")
    Field<Identifier>("classId", "characterClassId", into: "class_id")
    Field<CheckedTime>("eventTime")
  }
}
