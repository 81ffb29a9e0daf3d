extension MergeCase {
  static let receipts: [MergeCase] = outcomes + followers + orders

  private static let outcomes = [
    MergeCase(
      name: "a line twice in one file", files: [[receipt(), receipt()]],
      counts: [.init(1, 0, 1, 0)],
      row: ["source_file_id": "1", "line_number": "1"]),
    MergeCase(
      name: "a line twice in two files", files: [[receipt()], [" " + receipt()]],
      counts: [.init(1, 0, 0, 0), .init(0, 0, 1, 0)], row: ["source_file_id": "1"]),
    MergeCase(
      name: "fewer fields are a duplicate",
      files: [[receipt(["storeCode": #""GG""#, "payload": #""x""#])], [receipt()]],
      counts: [.init(1, 0, 0, 0), .init(0, 0, 1, 0)], row: ["store_code": "GG", "payload": "x"]),
    MergeCase(
      name: "an absent value is filled", files: [[receipt()], [receipt(["storeCode": #""GG""#])]],
      counts: [.init(1, 0, 0, 0), .init(0, 1, 0, 0)],
      row: ["store_code": "GG", "source_file_id": "1", "line_number": "1"],
      fills: [["store_code", "2", "1"]]),
    MergeCase(
      name: "one line fills several values",
      files: [[receipt(), receipt(["payload": #""x""#, "itemSeq": "5", "storeCode": #""GG""#])]],
      counts: [.init(1, 1, 0, 0)], row: ["payload": "x", "item_seq": "5", "store_code": "GG"],
      fills: [["item_seq", "1", "2"], ["payload", "1", "2"], ["store_code", "1", "2"]]),
    MergeCase(
      name: "another value is a conflict, and the first wins",
      files: [[receipt()], [receipt(["userId": #""u2""#])]],
      counts: [.init(1, 0, 0, 0), .init(0, 0, 0, 1)], row: ["user_id": "u1"],
      conflicts: [["user_id", "u1", "u2", "2", "1"]]),
    MergeCase(
      name: "each differing column is a row of one conflict",
      files: [[receipt(), receipt(["price": "5", "currency": #""EUR""#, "userId": #""u2""#])]],
      counts: [.init(1, 0, 0, 1)], row: ["amount_minor": "499", "currency": "USD"],
      conflicts: [
        ["amount_minor", "499", "500", "1", "2"], ["currency", "USD", "EUR", "1", "2"],
        ["user_id", "u1", "u2", "1", "2"],
      ]),
    MergeCase(
      name: "a conflict fills nothing",
      files: [[receipt(), receipt(["userId": #""u2""#, "storeCode": #""GG""#])]],
      counts: [.init(1, 0, 0, 1)], row: ["store_code": nil],
      conflicts: [["user_id", "u1", "u2", "1", "2"]]),
    MergeCase(
      name: "a missing flag is filled with false, and false is not true",
      files: [
        [
          receipt(), receipt(["sandboxPayment": "false"]), receipt(["isTestPurchase": "\"0\""]),
          receipt(["bIsTestPurchase": "true"]),
        ]
      ],
      counts: [.init(1, 1, 1, 1)], row: ["is_sandbox": "f"],
      conflicts: [["is_sandbox", "false", "true", "1", "4"]], fills: [["is_sandbox", "1", "2"]]),
    MergeCase(
      name: "tokens are compared by their digests",
      files: [[receipt(["purchaseToken": #""a""#]), receipt(["accessToken": #""b""#])]],
      counts: [.init(1, 0, 0, 1)],
      conflicts: [
        [
          "purchase_token_sha256",
          #"\xca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"#,
          #"\x3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"#, "1", "2",
        ]
      ]),
    MergeCase(
      name: "a conflict of two times shows them as the server prints them",
      files: [[receipt(), receipt(["purchaseTime": "1751328000001"])]],
      counts: [.init(1, 0, 0, 1)],
      conflicts: [
        ["purchased_at", "2025-07-01 00:00:00+00", "2025-07-01 00:00:00.001+00", "1", "2"]
      ]),
    MergeCase(
      name: "two spellings are a duplicate",
      files: [
        [
          receipt(["marketItemId": #""m""#, "itemSeq": "5", "storeCode": #""GG""#]),
          receipt([
            "productId": #""m""#, "productSeq": #""5""#, "marketId": #""GG""#,
            "purchaseTime": #""2025-07-01T09:00:00+09:00""#, "price": "\"4.990\"",
            "currency": #""usd""#,
          ]),
        ]
      ],
      counts: [.init(1, 0, 1, 0)], row: ["currency": "USD", "amount_minor": "499"]),
    MergeCase(
      name: "the remaining columns are not compared and not filled",
      files: [[receipt(["a": "1"]), receipt(["a": "2"])], [receipt(), receipt(["b": "3"])]],
      counts: [.init(1, 0, 1, 0), .init(0, 0, 2, 0)], row: ["extra": #"{"a":1}"#]),
    MergeCase(
      name: "an empty application is filled",
      files: [
        [receipt()], [receipt(["appId": #""a""#])], [receipt(), receipt(["appId": #""""#])],
      ],
      counts: [.init(1, 0, 0, 0), .init(0, 1, 0, 0), .init(0, 0, 2, 0)], row: ["app_id": "a"],
      fills: [["app_id", "2", "1"]]),
    MergeCase(
      name: "two applications are a conflict",
      files: [[receipt(["appId": #""a""#]), receipt(["appId": #""b""#]), receipt()]],
      counts: [.init(1, 0, 1, 1)], row: ["app_id": "a"],
      conflicts: [["app_id", "a", "b", "1", "2"]]),
  ]

  private static let followers = [
    MergeCase(
      name: "a filled price brings its original text",
      files: [[receipt(["price": "-1"])], [receipt(["price": "4.989999771118164"])]],
      counts: [.init(1, 0, 0, 0), .init(0, 1, 0, 0)],
      row: [
        "amount_minor": "499", "price_raw": "4.989999771118164", "price_repaired": "t",
        "price_imprecise": "f", "line_number": "1", "source_file_id": "1",
      ],
      fills: [["amount_minor", "2", "1"]]),
    MergeCase(
      name: "a known price keeps its original text",
      files: [[receipt(), receipt(["price": "4.989999771118164", "storeCode": #""GG""#])]],
      counts: [.init(1, 1, 0, 0)],
      row: ["price_raw": nil, "price_repaired": "f", "store_code": "GG"],
      fills: [["store_code", "1", "2"]]),
    MergeCase(
      name: "a missing price is a duplicate of any",
      files: [[receipt(["price": "200000.5"]), receipt(["price": "-1"])]],
      counts: [.init(1, 0, 1, 0)],
      row: ["amount_minor": "20000050", "price_raw": "200000.5", "price_imprecise": "t"]),
    MergeCase(
      name: "a product type brings its own text",
      files: [[receipt(), receipt(["productType": #""Season Pass""#])]],
      counts: [.init(1, 1, 0, 0)],
      row: ["product_type": "UNKNOWN", "product_type_raw": "Season Pass"],
      fills: [["product_type", "1", "2"]]),
    MergeCase(
      name: "another text for the same product type is a duplicate",
      files: [
        [
          receipt(["productType": #""CONSUMABLE""#]), receipt(["productType": #""consumable""#]),
          receipt(["productType": #""Season Pass""#]),
        ]
      ],
      counts: [.init(1, 0, 1, 1)], row: ["product_type": "CONSUMABLE", "product_type_raw": nil],
      conflicts: [["product_type", "CONSUMABLE", "UNKNOWN", "1", "3"]]),
  ]

  private static let orders = [
    MergeCase(
      name: "later lines are compared with the filled value",
      files: [
        [
          receipt(), receipt(["storeCode": #""GG""#]), receipt(["storeCode": #""AS""#]),
          receipt(["storeCode": #""GG""#]),
        ]
      ],
      counts: [.init(1, 1, 1, 1)], row: ["store_code": "GG"],
      conflicts: [["store_code", "GG", "AS", "1", "3"]], fills: [["store_code", "1", "2"]]),
    MergeCase(
      name: "the earlier of two fills wins, and the later one fills nothing",
      files: [
        [receipt()],
        [
          receipt(["storeCode": #""GG""#]),
          receipt(["storeCode": #""AS""#, "payload": #""x""#]),
        ],
      ],
      counts: [.init(1, 0, 0, 0), .init(0, 1, 0, 1)], row: ["store_code": "GG", "payload": nil],
      conflicts: [["store_code", "GG", "AS", "2", "2"]], fills: [["store_code", "2", "1"]]),
    MergeCase(
      name: "a fill after a conflict counts",
      files: [[receipt(), receipt(["userId": #""u2""#]), receipt(["storeCode": #""GG""#])]],
      counts: [.init(1, 1, 0, 1)], row: ["user_id": "u1", "store_code": "GG"],
      conflicts: [["user_id", "u1", "u2", "1", "2"]], fills: [["store_code", "1", "3"]]),
    MergeCase(
      name: "lines that fill one value each need as many rounds",
      files: [
        [receipt(["price": "-1"])],
        [
          receipt(["price": "-1", "storeCode": #""GG""#]),
          receipt(["price": "-1", "payload": #""x""#]),
          receipt(["price": "-1", "itemSeq": "5"]), receipt(["paymentId": #""i""#]),
          receipt(["originalPaymentId": #""o""#, "payload": #""x""#]),
          receipt(["payload": #""y""#]), receipt(["storeCode": #""GG""#]),
          receipt(["expiryTime": "1751500800000"]), receipt(["expiryTime": "-1"]),
        ],
      ],
      counts: [.init(1, 0, 0, 0), .init(0, 6, 2, 1)],
      row: [
        "store_code": "GG", "payload": "x", "item_seq": "5", "payment_id": "i",
        "original_payment_id": "o", "amount_minor": "499", "expires_at": "2025-07-03 00:00:00+00",
      ],
      conflicts: [["payload", "x", "y", "2", "6"]],
      fills: [
        ["amount_minor", "2", "4"], ["expires_at", "2", "8"], ["item_seq", "2", "3"],
        ["original_payment_id", "2", "5"], ["payload", "2", "2"], ["payment_id", "2", "4"],
        ["store_code", "2", "1"],
      ]),
    MergeCase(
      name: "a duplicate before a fill and a conflict after it",
      files: [
        [
          receipt(), receipt(), receipt(["payload": #""x""#]), receipt(),
          receipt(["payload": #""z""#]),
        ]
      ],
      counts: [.init(1, 1, 2, 1)], row: ["payload": "x"],
      conflicts: [["payload", "x", "z", "1", "5"]], fills: [["payload", "1", "3"]]),
  ]
}
