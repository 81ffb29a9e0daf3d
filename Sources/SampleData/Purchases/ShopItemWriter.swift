/// Writes an item of the shop in the spelling of an SDK.
struct ShopItemWriter: Sendable {
  private let catalog: ProductCatalog
  private let population: Population

  init(catalog: ProductCatalog, population: Population) {
    self.catalog = catalog
    self.population = population
  }

  /// Appends the item as an object, without a newline.
  func put(_ item: ShopItem, spelling: LineSpelling, into line: inout [UInt8]) {
    switch spelling {
    case .original, .plain:
      write(item, as: item.origin, into: &line)
    case .other(let bits):
      let shapes = PlayerMoment.Shape.allCases
      let step = 1 + Int(bits % UInt64(shapes.count - 1))
      write(item, as: shapes[(item.origin.rawValue + step) % shapes.count], into: &line)
    }
  }

  private func write(_ item: ShopItem, as shape: PlayerMoment.Shape, into line: inout [UInt8]) {
    let product = catalog.products[item.product]
    line.put(#"{"userId":""#)
    population.putUserID(item.user, into: &line)
    line.put(#"","gamebaseProductId":""#)
    line.put(product.gamebaseProductID)
    line.put(#"","marketItemId":""#)
    line.put(product.marketItemID)
    line.put(shape == .relay ? #"","productSeq":"# : #"","itemSeq":"#)
    line.put(number: product.itemSeq)
    putPrice(of: item, product, as: shape, into: &line)
    line.put(#","productType":""#)
    line.put(shape == .unity ? product.kind.unityText : product.kind.text)
    line.put(#"","itemName":""#)
    line.put(product.gamebaseProductID)
    line.put(#"","localizedTitle":""#)
    putTitle(of: item, product, as: shape, into: &line)
    if item.hasDescription {
      line.put(#"","localizedDescription":""#)
      line.put(product.gamebaseProductID)
      line.put(" (1)")
    }
    line.put(shape == .iOS ? #"","active":"# : #"","isActive":"#)
    line.put(item.isActive ? "true" : "false")
    if let store = item.store {
      line.put(shape == .iOS ? #","marketId":""# : #","storeCode":""#)
      line.put(store.code)
      line.put(#"""#)
    }
    line.put(#","eventTime":"#)
    if shape == .relay {
      line.put(#"""#)
      line.put(seoulTime: item.time)
      line.put(#"""#)
    } else {
      line.put(number: UInt64(item.time))
    }
    population.putAppID(item.app, into: &line)
    line.put("}")
  }

  private func putPrice(
    of item: ShopItem, _ product: ProductCatalog.Product, as shape: PlayerMoment.Shape,
    into line: inout [UInt8]
  ) {
    guard let price = catalog.price(ofTier: product.tier, in: item.currency) else { return }
    line.put(#","price":"#)
    switch shape {
    case .iOS: line.put(price.widened)
    case .android, .unity: line.put(price.float)
    case .relay: line.put(price.decimal)
    }
    line.put(#","currency":""#)
    line.put(catalog.currencies[item.currency])
    line.put(#"","localizedPrice":""#)
    line.put(catalog.currencies[item.currency])
    line.put(" ")
    line.put(price.decimal)
    line.put(#"""#)
  }

  /// The title is in the language of the currency's country, so that users of one storefront see one title.
  private func putTitle(
    of item: ShopItem, _ product: ProductCatalog.Product, as shape: PlayerMoment.Shape,
    into line: inout [UInt8]
  ) {
    if catalog.currencies[item.currency] == Array("KRW".utf8) {
      let word = JSONText("상품 ")
      line.put(shape == .unity ? word.ascii : word.plain)
    }
    line.put(product.gamebaseProductID)
  }
}
