import TestSupport

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
  static let all = [
    "receipt": receipt, "level_up": levelUp, "game_user": gameUser, "item": item, "event": event,
  ]

  private static func text(
    _ column: String, _ name: String, _ values: [String], or spelling: String? = nil,
    absent: Int = 1
  ) -> [Choice] {
    values.map { Choice("\"\(name)\":\"\($0)\"", [column: $0]) }
      + values.prefix(1).map { Choice("\"\(spelling ?? name)\":\"\($0)\"", [column: $0]) }
      + (0..<absent).map { Choice($0 == 0 ? nil : "\"\(name)\":null") }
  }

  private static let prices = [
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
  ]

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
      prices,
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
  private static let item = OracleLines(
    rules: .init(
      keys: [
        "observed_at", "app_id", "store_code", "gamebase_product_id", "market_item_id", "item_seq",
        "currency",
      ],
      compared: ["amount_minor", "product_type", "item_name", "is_active"],
      followers: [
        "amount_minor": ["price_raw", "price_repaired", "price_imprecise"],
        "product_type": ["product_type_raw"],
      ]),
    columns: [
      "observed_at", "app_id", "store_code", "gamebase_product_id", "market_item_id", "item_seq",
      "currency", "amount_minor", "price_raw", "price_repaired", "price_imprecise", "product_type",
      "product_type_raw", "item_name", "is_active", "observed_at_source", "source_file_id",
      "line_number",
    ],
    fields: [
      apps, text("store_code", "storeCode", ["AS"], or: "marketId", absent: 1),
      text("gamebase_product_id", "gamebaseProductId", ["g"], absent: 0),
      text("market_item_id", "marketItemId", ["m"], absent: 2),
      [Choice(nil), Choice(#""itemSeq":5"#, ["item_seq": "5"])],
      [Choice(#""currency":"usd""#, ["currency": "USD"])], prices,
      [
        Choice(nil), Choice(#""productType":"CONSUMABLE""#, ["product_type": "CONSUMABLE"]),
        Choice(
          #""productType":"consumable""#,
          ["product_type": "CONSUMABLE", "product_type_raw": "consumable"]),
      ],
      text("item_name", "itemName", ["x", "x", "y"], absent: 2),
      [
        Choice(nil), Choice(#""active":true"#, ["is_active": "t"]),
        Choice(#""isActive":"1""#, ["is_active": "t"]),
      ],
      [Choice(nil), Choice(#""userId":"u1""#), Choice(#""userId":"u2""#)],
      [
        Choice(
          #""eventTime":1751328000000"#,
          ["observed_at": "2025-07-01 00:00:00+00", "observed_at_source": "line"]),
        Choice(nil, ["observed_at": "2026-01-01 00:00:00+00", "observed_at_source": "load_start"]),
      ],
    ])

  private static let event = OracleLines(
    rules: .init(
      keys: ["occurred_at", "app_id", "event_id"],
      compared: ["user_id", "category", "message", "data"],
      followers: ["category": ["category_raw", "event_group"]]),
    columns: [
      "occurred_at", "app_id", "event_id", "user_id", "category", "category_raw", "event_group",
      "message", "data", "source_file_id", "line_number",
    ],
    fields: [
      text("event_id", "eventId", ["e1", "E1"], absent: 0), apps,
      text("user_id", "userId", ["u1", "u1", "u1", "u2"], absent: 3),
      [
        Choice(#""eventTime":1751328000000"#, ["occurred_at": "2025-07-01 00:00:00+00"]),
        Choice(
          #""eventTime":"2025-06-30T23:59:59.999Z""#,
          ["occurred_at": "2025-06-30 23:59:59.999+00"]),
      ],
      [
        Choice(#""category":"loggedOut""#, loggedOut),
        Choice(#""category":"loggedOut","data":"""#, loggedOut),
        Choice(
          #""category":"kTCGBLoggedOut","data":{"message":"m"}"#,
          loggedOut.merging(["category_raw": "kTCGBLoggedOut", "message": "m"]) { $1 }),
        Choice(
          #""category":"loggedOut","data":"{\"a\":1, \"message\":\"m\",\"b\":[2]}""#,
          loggedOut.merging(["message": "m", "data": #"{"a":1,"b":[2]}"#]) { $1 }),
        Choice(
          #""type":"loggedOut","data":{"a":1}"#,
          loggedOut.merging(["data": #"{"a":1}"#]) { $1 }),
        Choice(
          #""category":"x","data":"m""#,
          ["category": "x", "event_group": "other", "data": #""m""#]),
      ],
    ])

  private static let loggedOut = ["category": "loggedOut", "event_group": "logged_out"]
}
