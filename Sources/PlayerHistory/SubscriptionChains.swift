/// The subscription receipts of one player, joined into chains: a subscription and its renewals.
///
/// A receipt is joined to others by the store's references: its original, a Google order number
/// without its number of the renewal, and a payment that another receipt has or names as its
/// original. Receipts without a shared reference are joined by product and store.
struct SubscriptionChains {
  /// The rule that joins a receipt to its chain: the first that applies to the receipt itself.
  enum Rule: UInt8, Sendable {
    case original
    case google
    case payment
    case product
  }

  /// The references of a receipt, Google's without the number of the renewal.
  private(set) var references: [StoreReferences]
  private(set) var rules: [Rule]
  /// The place of the receipt that names the chain: the one with the smallest payment number.
  private(set) var chains: [Int]

  /// - Parameter receipts: the subscription receipts of one player.
  init(of receipts: [Receipt], texts: TextTable) {
    references = receipts.map { StoreReferences(of: $0, texts: texts) }
    var uses: [TextID: Int] = [:]
    for one in references {
      if one.payment != .null { uses[one.payment, default: 0] += 1 }
      // A receipt that names itself as its original uses its key once.
      if one.original != .null, one.original != one.payment { uses[one.original, default: 0] += 1 }
    }
    rules = references.map { one in
      if one.original != .null { return .original }
      if one.isGoogle { return .google }
      return one.payment != .null && uses[one.payment, default: 0] > 1 ? .payment : .product
    }
    var sets = DisjointSets(count: receipts.count)
    var firstByReference: [TextID: Int] = [:]
    var firstByProduct: [ProductKey: Int] = [:]
    for (place, one) in references.enumerated() {
      switch rules[place] {
      case .original:
        sets.join(place, firstPlace(of: one.original, place, &firstByReference))
        if one.payment != .null, one.payment != one.original, uses[one.payment, default: 0] > 1 {
          sets.join(place, firstPlace(of: one.payment, place, &firstByReference))
        }
      case .google, .payment:
        sets.join(place, firstPlace(of: one.payment, place, &firstByReference))
      case .product:
        let key = ProductKey(product: receipts[place].product, store: receipts[place].store)
        sets.join(place, firstPlace(of: key, place, &firstByProduct))
      }
    }
    var smallest: [Int: Int] = [:]
    for place in receipts.indices {
      let root = sets.root(of: place)
      let known = smallest[root] ?? place
      smallest[root] =
        texts.precedes(receipts[place].paymentSeq, receipts[known].paymentSeq) ? place : known
    }
    chains = receipts.indices.map { place in smallest[sets.root(of: place)] ?? place }
  }

  private struct ProductKey: Hashable {
    let product: TextID
    let store: TextID
  }
}

/// The first place at which a key was seen.
private func firstPlace<Key: Hashable>(
  of key: Key, _ place: Int, _ places: inout [Key: Int]
) -> Int {
  if let known = places[key] { return known }
  places[key] = place
  return place
}

/// A receipt's own reference in its store, and that of the subscription's first payment.
struct StoreReferences {
  /// A Google order number without the number of its renewal, as in GPA.1234..2.
  let payment: TextID
  let original: TextID
  let isGoogle: Bool
  /// True for a Google order number with the number of a renewal.
  let isNumbered: Bool

  init(of receipt: Receipt, texts: TextTable) {
    let whole = receipt.paymentID
    isGoogle = Self.isGoogle(whole, texts)
    payment = Self.unnumbered(whole, texts)
    original = Self.unnumbered(receipt.originalPaymentID, texts)
    isNumbered = payment != whole
  }

  private static func isGoogle(_ id: TextID, _ texts: TextTable) -> Bool {
    id != .null && texts[id].starts(with: "GPA.".utf8)
  }

  private static func unnumbered(_ id: TextID, _ texts: TextTable) -> TextID {
    guard isGoogle(id, texts) else { return id }
    let text = texts[id]
    var end = text.endIndex
    while end > text.startIndex, text[end - 1] >= UInt8(ascii: "0"),
      text[end - 1] <= UInt8(ascii: "9")
    {
      end -= 1
    }
    guard end < text.endIndex, text[..<end].suffix(2).elementsEqual("..".utf8) else { return id }
    // "GPA..1" is "GPA." without a number of an order; the prefix and the two dots may overlap.
    return texts.id(ofFirst: end - 2 - text.startIndex, of: id)
  }
}

/// Sets of places that can be joined, in nearly constant time each.
private struct DisjointSets {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  mutating func root(of place: Int) -> Int {
    var place = place
    while parents[place] != place {
      parents[place] = parents[parents[place]]
      place = parents[place]
    }
    return place
  }

  mutating func join(_ left: Int, _ right: Int) {
    let roots = (root(of: left), root(of: right))
    // The smaller place becomes the root; halving paths alone bounds the work by n log n.
    parents[max(roots.0, roots.1)] = min(roots.0, roots.1)
  }
}
