extension RecordStream {
  /// Game-user data: a snapshot of a user's character.
  ///
  /// - Source: `TCGBAnalyticsGameUserData` of the iOS SDK. It has neither a user nor a time; an
  ///   envelope adds the user, and may add the time.
  package static let gameUser = RecordStream(
    name: "game_user", recordNoun: "game-user snapshots", table: "game_user_snapshot",
    fileNamePrefixes: ["gameuser", "game_user", "game-user"],
    key: [
      .optional(.observation, "eventTime", into: "observed_at"),
      .mandatory(.user, "userId", into: "user_id"),
      .optional(.application, "appId", into: "app_id"),
      .optional(.identifier, "channelId", into: "channel_id"),
      .optional(.identifier, "characterId", into: "character_id"),
    ],
    values: [
      .mandatory(.level, "userLevel", into: "user_level"),
      .optional(.identifier, "classId characterClassId", into: "class_id"),
      .optional(.observationSource, into: "observed_at_source"),
    ])
}
