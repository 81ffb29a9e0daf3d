extension RecordStream {
  /// Items of the shop as a client was shown them, one for each item and observation.
  ///
  /// - Source: `TCGBPurchasableItem` of the iOS SDK, and the spellings of the other SDKs. It has no time;
  ///   an envelope may add it.
  package static let item = RecordStream(
    name: "item", recordNoun: "purchasable items", table: "item_snapshot",
    fileNamePrefixes: ["item", "purchasable_item", "purchasable-item"],
    key: [
      .optional(.observation, "eventTime", into: "observed_at"),
      .optional(.application, "appId", into: "app_id"),
      .optional(.identifier, "storeCode marketId", into: "store_code"),
      .optional(.identifier, "gamebaseProductId", into: "gamebase_product_id"),
      .optional(.identifier, "marketItemId", into: "market_item_id"),
      .optional(.itemNumber, "itemSeq productSeq", into: "item_seq"),
      .mandatory(.anyOf, "gamebaseProductId marketItemId itemSeq"),
      .optional(.currency, "currency", into: "currency"),
    ],
    values: [
      .optional(.price, "price", into: "amount_minor price_raw price_repaired price_imprecise"),
      .optional(.productType, "productType", into: "product_type product_type_raw"),
      .optional(.text, "itemName", into: "item_name"),
      .optional(.text, "localizedPrice", into: "localized_price"),
      .optional(.text, "localizedTitle", into: "localized_title"),
      .optional(.text, "localizedDescription", into: "localized_description"),
      .optional(.flag, "active isActive", into: "is_active"),
      .optional(.observationSource, into: "observed_at_source"),
      .optional(.unstoredUser, "userId"),
    ])
}
