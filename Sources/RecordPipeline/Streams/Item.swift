extension RecordStream {
  /// Items of the shop as a client was shown them, one for each item and observation.
  ///
  /// - Source: `TCGBPurchasableItem` of the iOS SDK, and the spellings of the other SDKs. It has no time;
  ///   an envelope may add it.
  package static let item = RecordStream(
    name: "item", recordNoun: "purchasable items", table: "item_snapshot",
    fileNamePrefixes: ["item", "purchasable_item", "purchasable-item"],
    naturalKey: [
      "observed_at", "app_id", "store_code", "gamebase_product_id", "market_item_id", "item_seq",
      "currency",
    ]
  ) {
    Field<ObservedTime>("eventTime", into: "observed_at")
    Field<AppID>("appId", into: "app_id")
    Field<Identifier>("storeCode", "marketId", into: "store_code")
    ItemIDs(
      product: Field("gamebaseProductId", into: "gamebase_product_id"),
      marketItem: Field("marketItemId", into: "market_item_id"),
      number: Field("itemSeq", "productSeq", into: "item_seq"))
    ShownCurrency(currency: Field("currency", into: "currency"))
  } values: {
    ShownPrice(
      price: Field("price", into: "amount_minor", "price_raw", "price_repaired", "price_imprecise"))
    Field<NormalizedProductType>("productType", into: "product_type", "product_type_raw")
    Field<FreeText>("itemName", into: "item_name")
    Field<FreeText>("localizedPrice", into: "localized_price")
    Field<FreeText>("localizedTitle", into: "localized_title")
    Field<FreeText>("localizedDescription", into: "localized_description")
    Field<Flag>("active", "isActive", into: "is_active")
    ObservedTime.Source(into: "observed_at_source")
    Field<UnstoredUserID>("userId")
  }
}

/// The id in the vendor's console, which stands for the three ids of an item when all are missing.
private enum ItemProductID: IndependentKind {
  static let summary = "identifier, mandatory without marketItemId and itemSeq"
  static var sample: StaticString? { "\"x\"" }
  static let isMandatory = false

  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> KeptText? { try line.identifier(raw, isMandatory: false) }
}

/// The three ids of an item, of which a line has at least one.
private struct ItemIDs: StreamPart {
  let product: Field<ItemProductID>
  let marketItem: Field<Identifier>
  let number: Field<ItemNumber>

  func declare(in stream: inout StreamDeclaration) -> Writer {
    stream.columns += product.columns + marketItem.columns + number.columns
    return Writer(
      product: stream.addNames(of: product), marketItem: stream.addNames(of: marketItem),
      number: stream.addNames(of: number))
  }

  struct Writer: PartWriter {
    let product, marketItem, number: FieldSlots

    @inline(__always)
    func write(_ line: inout DecodedLine, to row: inout RowBuffer) throws(Rejection) {
      let product = try line.value(product, ItemProductID.normalize)
      let marketItem = try line.value(marketItem, Identifier.normalize)
      let number = try line.value(number, ItemNumber.normalize)
      if product == nil, marketItem == nil, number == nil {
        let name = line.spelling(of: self.product)
        throw Rejection(
          .missingField, field: name,
          "\(name) is mandatory when marketItemId and itemSeq are absent, too")
      }
      row.text(product)
      row.text(marketItem)
      row.bigint(number)
    }
  }
}

/// The currency of an item, valid at the time of the observation.
private struct ShownCurrency: StreamPart {
  let currency: Field<OptionalCurrency>

  func declare(in stream: inout StreamDeclaration) -> Writer {
    guard let time = stream.field(of: ObservedTime.self) else {
      preconditionFailure("an item declares its time before its currency")
    }
    stream.columns += currency.columns
    return Writer(currency: stream.addNames(of: currency, dependingOn: [time]), time: time)
  }

  struct Writer: PartWriter {
    let currency, time: FieldSlots

    @inline(__always)
    func write(_ line: inout DecodedLine, to row: inout RowBuffer) throws(Rejection) {
      let shownAt = try line.value(time, ObservedTime.normalize) ?? line.rules.observedAt
      let currency = try line.optionalCurrency(currency, at: shownAt)
      line.minorUnit = currency?.minorUnit
      if let currency { row.text(packedLetters: currency.packedCode) } else { row.null() }
    }
  }
}

/// The price of an item in the currency of the line.
private struct ShownPrice: StreamPart {
  let price: Field<OptionalPrice>

  func declare(in stream: inout StreamDeclaration) -> Writer {
    guard let currency = stream.field(of: OptionalCurrency.self) else {
      preconditionFailure("an item declares its currency before its price")
    }
    stream.columns += price.columns
    return Writer(
      price: stream.addNames(of: price, dependingOn: [currency]), currency: currency)
  }

  struct Writer: PartWriter {
    let price, currency: FieldSlots

    @inline(__always)
    func write(_ line: inout DecodedLine, to row: inout RowBuffer) throws(Rejection) {
      let price = try line.optionalPrice(price, minorUnit: line.minorUnit, missing: currency)
      row.bigint(price?.amountMinor)
      row.text(price?.keptText)
      row.boolean(price?.isRepaired ?? false)
      row.boolean(price?.isImprecise ?? false)
    }
  }
}
