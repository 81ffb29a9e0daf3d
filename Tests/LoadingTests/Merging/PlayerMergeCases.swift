extension MergeCase {
  private static let levelKey = #"["", "u1", null, 5, "2025-07-01T00:00:00+00:00"]"#
  private static let userKey = #"["", "u1", null, null, "2025-07-01T00:00:00+00:00"]"#

  static let players = [
    MergeCase(
      name: "level-ups without a character have the same key", stream: "level_up",
      files: [
        [Lines.levelUp(), Lines.levelUp(["characterId": "null"])],
        [Lines.levelUp(["characterId": #""""#])],
      ],
      counts: [.init(1, 0, 1, 0), .init(0, 0, 1, 0)], row: ["character_id": nil]),
    MergeCase(
      name: "a level-up's class is filled, then contradicted", stream: "level_up",
      files: [
        [Lines.levelUp()],
        [
          Lines.levelUp(["classId": #""c""#]), Lines.levelUp(["characterClassId": #""d""#]),
          Lines.levelUp(["channelId": #""ch""#]),
        ],
      ],
      counts: [.init(1, 0, 0, 0), .init(0, 2, 0, 1)], row: ["class_id": "c", "channel_id": "ch"],
      conflicts: [["class_id", "c", "d", "2", "2"]],
      fills: [["channel_id", "2", "3"], ["class_id", "2", "1"]], key: levelKey),
    MergeCase(
      name: "a snapshot's level is compared as a non-key column", stream: "game_user",
      files: [
        [Lines.gameUser()],
        [Lines.gameUser(["userLevel": "6"]), Lines.gameUser(["classId": #""c""#])],
      ],
      counts: [.init(1, 0, 0, 0), .init(0, 1, 0, 1)], row: ["user_level": "5", "class_id": "c"],
      conflicts: [["user_level", "5", "6", "2", "1"]], fills: [["class_id", "2", "2"]],
      key: userKey),
    MergeCase(
      name: "spellings of the same level are duplicates", stream: "game_user",
      files: [[Lines.gameUser(), Lines.gameUser(["userLevel": "5.0"])]],
      counts: [.init(1, 0, 1, 0)], row: ["user_level": "5"]),
  ]

  /// Similar lines with different keys: as many rows as lines.
  static let differentKeys: [(stream: String, lines: [String])] = [
    (
      "receipt",
      [
        Lines.receipt(), Lines.receipt(["paymentSeq": #""P1""#]),
        Lines.receipt(["paymentSeq": #""p1 ""#]), Lines.receipt(["paymentSeq": #""e\u0301""#]),
        Lines.receipt(["paymentSeq": #""\u00e9""#]),
      ]
    ),
    (
      "level_up",
      [
        Lines.levelUp(), Lines.levelUp(["userLevel": "6"]), Lines.levelUp(["userId": #""u2""#]),
        Lines.levelUp(["appId": #""a""#]), Lines.levelUp(["characterId": #""c""#]),
        Lines.levelUp(["levelUpTime": "1751328000001"]),
      ]
    ),
    (
      "game_user",
      [
        Lines.gameUser(), Lines.gameUser(["userId": #""u2""#]),
        Lines.gameUser(["appId": #""a""#]), Lines.gameUser(["channelId": #""c""#]),
        Lines.gameUser(["characterId": #""c""#]), Lines.gameUser(["eventTime": "1751328000001"]),
      ]
    ),
  ]
}
