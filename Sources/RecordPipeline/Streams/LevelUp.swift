extension RecordStream {
  /// Level-up traces, one for each level that a user's character reached.
  ///
  /// - Source: `TCGBAnalyticsLevelUpData` of the iOS SDK. It has no user; an envelope adds it.
  package static let levelUp = RecordStream(
    name: "level_up", recordNoun: "level-up traces", table: "level_up",
    fileNamePrefixes: ["levelup", "level_up", "level-up"],
    key: [
      .mandatory(.time, "levelUpTime", into: "leveled_up_at"),
      .mandatory(.user, "userId", into: "user_id"),
      .mandatory(.level, "userLevel", into: "user_level"),
      .optional(.application, "appId", into: "app_id"),
      .optional(.identifier, "characterId", into: "character_id"),
    ],
    values: [
      .optional(.identifier, "channelId", into: "channel_id"),
      .optional(.identifier, "classId characterClassId", into: "class_id"),
      .optional(.checkedTime, "eventTime"),
    ])
}
