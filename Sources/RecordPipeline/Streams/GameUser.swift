extension RecordStream {
  /// Game-user data: a snapshot of a user's character.
  ///
  /// - Source: `TCGBAnalyticsGameUserData` of the iOS SDK. It has neither a user nor a time; an
  ///   envelope adds the user, and may add the time.
  package static let gameUser = RecordStream(
    name: "game_user", recordNoun: "game-user snapshots", table: "game_user_snapshot",
    fileNamePrefixes: ["gameuser", "game_user", "game-user"],
    naturalKey: ["app_id", "user_id", "channel_id", "character_id", "observed_at"]
  ) {
    Field<ObservedTime>("eventTime", into: "observed_at")
    Field<UserID>("userId", into: "user_id")
    Field<AppID>("appId", into: "app_id")
    Field<Identifier>("channelId", into: "channel_id")
    Field<Identifier>("characterId", into: "character_id")
  } values: {
    Field<Level>("userLevel", into: "user_level")
    Field<Identifier>("classId", "characterClassId", into: "class_id")
    ObservedTime.Source(into: "observed_at_source")
  }
}
