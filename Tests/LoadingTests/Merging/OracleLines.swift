/// Random lines over few keys and few values, so that duplicates, fills and conflicts are frequent.
struct OracleLines {
  /// A possible field of a line: its JSON, and the resulting columns.
  private struct Choice {
    var json: String?
    var values: [String: String] = [:]

    init(_ json: String?, _ values: [String: String] = [:]) {
      self.json = json
      self.values = values
    }
  }

  let rules: Oracle.Rules
  /// The columns that the oracle computes and the test compares with the table.
  let columns: [String]
  private let fields: [[Choice]]

  func line(using random: inout SplitMix) -> Oracle.Line {
    var members: [String] = []
    var values: [String: String] = [:]
    for choices in fields {
      guard let choice = choices.randomElement(using: &random) else { continue }
      if let json = choice.json { members.append(json) }
      values.merge(choice.values, uniquingKeysWith: { $1 })
    }
    members.shuffle(using: &random)
    return Oracle.Line(json: "{" + members.joined(separator: ",") + "}", values: values)
  }

  /// By stream name.
  static let all = ["receipt": receipt, "level_up": levelUp, "game_user": gameUser]

  private static func text(
    _ column: String, _ name: String, _ values: [String], or spelling: String? = nil,
    absent: Int = 1
  ) -> [Choice] {
    values.map { Choice("\"\(name)\":\"\($0)\"", [column: $0]) }
      + values.prefix(1).map { Choice("\"\(spelling ?? name)\":\"\($0)\"", [column: $0]) }
      + (0..<absent).map { Choice($0 == 0 ? nil : "\"\(name)\":null") }
  }

  private static let receipt = OracleLines(
    rules: .init(
      keys: ["payment_seq"],
      compared: [
        "app_id", "user_id", "store_code", "payload", "product_type", "amount_minor", "is_sandbox",
        "item_seq",
      ],
      followers: [
        "amount_minor": ["price_raw", "price_repaired", "price_imprecise"],
        "product_type": ["product_type_raw"],
      ],
      emptyIsAbsent: ["app_id"]),
    columns: [
      "payment_seq", "app_id", "user_id", "store_code", "payload", "product_type",
      "product_type_raw", "amount_minor", "price_raw", "price_repaired", "price_imprecise",
      "is_sandbox", "item_seq", "source_file_id", "line_number",
    ],
    fields: [
      text("payment_seq", "paymentSeq", ["p1", "p2", "P2"], absent: 0),
      [
        Choice(nil, ["app_id": ""]), Choice(#""appId":"""#, ["app_id": ""]),
        Choice(#""appId":"a""#, ["app_id": "a"]), Choice(#""appId":"a""#, ["app_id": "a"]),
        Choice(#""appId":"b""#, ["app_id": "b"]),
      ],
      text("user_id", "userId", ["u1", "u1", "u1", "u1", "u1", "u1", "u1", "u2"], absent: 0),
      text("store_code", "storeCode", ["GG", "GG", "AS"], or: "marketId", absent: 3),
      text("payload", "payload", ["x", "x", "x", "é"], absent: 4),
      [
        Choice(nil), Choice(#""productType":"""#),
        Choice(#""productType":"CONSUMABLE""#, ["product_type": "CONSUMABLE"]),
        Choice(
          #""productType":"consumable""#,
          ["product_type": "CONSUMABLE", "product_type_raw": "consumable"]),
      ],
      [
        Choice(#""price":-1"#, ["price_repaired": "f", "price_imprecise": "f"]),
        Choice(
          #""price":4.99"#,
          ["amount_minor": "499", "price_repaired": "f", "price_imprecise": "f"]),
        Choice(
          #""price":"4.989999771118164""#,
          [
            "amount_minor": "499", "price_repaired": "t", "price_imprecise": "f",
            "price_raw": "4.989999771118164",
          ]),
      ],
      [
        Choice(nil), Choice(nil), Choice(#""sandboxPayment":false"#, ["is_sandbox": "f"]),
        Choice(#""isTestPurchase":"0""#, ["is_sandbox": "f"]),
      ],
      [
        Choice(nil), Choice(#""itemSeq":5"#, ["item_seq": "5"]),
        Choice(#""productSeq":"5""#, ["item_seq": "5"]),
      ],
      [Choice(#""purchaseTime":1751328000000,"currency":"USD""#)],
    ])

  private static let characters = text("character_id", "characterId", ["c"], absent: 2)
  private static let classes = text(
    "class_id", "classId", ["k", "k", "l"], or: "characterClassId", absent: 2)
  private static let apps = [
    Choice(nil, ["app_id": ""]), Choice(#""appId":"a""#, ["app_id": "a"]),
  ]

  private static let levelUp = OracleLines(
    rules: .init(
      keys: ["app_id", "user_id", "character_id", "user_level", "leveled_up_at"],
      compared: ["channel_id", "class_id"]),
    columns: [
      "app_id", "user_id", "character_id", "user_level", "leveled_up_at", "channel_id", "class_id",
      "source_file_id", "line_number",
    ],
    fields: [
      text("user_id", "userId", ["u1"], absent: 0), apps, characters, classes,
      text("channel_id", "channelId", ["x", "y"], absent: 3),
      [Choice(#""userLevel":2"#, ["user_level": "2"])],
      [
        Choice(#""levelUpTime":1751328000000"#, ["leveled_up_at": "2025-07-01 00:00:00+00"]),
        Choice(
          #""levelUpTime":"2025-06-30T23:59:59.999Z""#,
          ["leveled_up_at": "2025-06-30 23:59:59.999+00"]),
      ],
    ])

  private static let gameUser = OracleLines(
    rules: .init(
      keys: ["app_id", "user_id", "channel_id", "character_id", "observed_at"],
      compared: ["user_level", "class_id"]),
    columns: [
      "app_id", "user_id", "channel_id", "character_id", "observed_at", "user_level", "class_id",
      "observed_at_source", "source_file_id", "line_number",
    ],
    fields: [
      text("user_id", "userId", ["u1"], absent: 0), apps, characters, classes,
      text("channel_id", "channelId", ["x"], absent: 2),
      [
        Choice(#""userLevel":2"#, ["user_level": "2"]),
        Choice(#""userLevel":2.0"#, ["user_level": "2"]),
        Choice(#""userLevel":3"#, ["user_level": "3"]),
      ],
      [
        Choice(
          #""eventTime":1751328000000"#,
          ["observed_at": "2025-07-01 00:00:00+00", "observed_at_source": "line"]),
        Choice(nil, ["observed_at": "2026-01-01 00:00:00+00", "observed_at_source": "load_start"]),
      ],
    ])
}
