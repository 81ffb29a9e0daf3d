/// A subscription receipt of a player, and what joins it to the others of its chain: a subscription and
/// its renewals.
///
/// A receipt is joined to others by the store's references: its original, a Google order number
/// without its number of the renewal, and a payment that another receipt has or names as its
/// original. Receipts without a shared reference are joined by product and store.
struct SubscriptionReceipt {
  let receipt: Receipt
  /// The receipt's own reference in its store; a Google order number without the number of its
  /// renewal, as in GPA.1234..2.
  let payment: TextID
  /// The reference of the subscription's first payment, in the same form.
  let original: TextID
  private(set) var rule = SubscriptionPeriod.Rule.product

  private init(_ receipt: Receipt, _ texts: TextTable) {
    self.receipt = receipt
    payment = Self.unnumbered(receipt.paymentID, texts)
    original = Self.unnumbered(receipt.originalPaymentID, texts)
  }

  /// The references that join the receipt to others, each once.
  private var references: Set<TextID> { Set([payment, original]).subtracting([.null]) }
  var expiresAt: Instant { receipt.expiresAt ?? receipt.purchasedAt }
  /// True for a Google order number with the number of a renewal.
  var isNumbered: Bool { payment != receipt.paymentID }

  /// The chains of one player, each in the order of the receipts.
  static func chains(of receipts: [Receipt], _ texts: TextTable) -> [[SubscriptionReceipt]] {
    var all = receipts.filter(\.isSubscription).map { SubscriptionReceipt($0, texts) }
    let uses = Dictionary(all.flatMap(\.references).map { ($0, 1) }, uniquingKeysWith: +)
    // Sets of places that can be joined. The smaller place is the root; halving the paths alone bounds
    // the work by n log n.
    var parents = Array(all.indices)
    func root(of place: Int) -> Int {
      var place = place
      while parents[place] != place {
        parents[place] = parents[parents[place]]
        place = parents[place]
      }
      return place
    }
    var firsts: [Key: Int] = [:]
    for (place, one) in all.enumerated() {
      if one.original != .null {
        all[place].rule = .original
      } else if isGoogle(one.receipt.paymentID, texts) {
        all[place].rule = .google
      } else if uses[one.payment, default: 0] > 1 {
        all[place].rule = .payment
      }
      let keys: [Key] =
        all[place].rule == .product
        ? [.product(one.receipt.product, one.receipt.store)]
        : one.references.map { .reference($0) }
      for key in keys {
        let roots = (root(of: firsts[key] ?? place), root(of: place))
        firsts[key] = firsts[key] ?? place
        parents[max(roots.0, roots.1)] = min(roots.0, roots.1)
      }
    }
    let chains = Dictionary(grouping: all.indices, by: root)
    return chains.keys.sorted().map { (chains[$0] ?? []).map { all[$0] } }
  }

  private enum Key: Hashable {
    case reference(TextID)
    case product(TextID, TextID)
  }

  private static func isGoogle(_ id: TextID, _ texts: TextTable) -> Bool {
    id != .null && texts[id].starts(with: "GPA.".utf8)
  }

  private static func unnumbered(_ id: TextID, _ texts: TextTable) -> TextID {
    guard isGoogle(id, texts) else { return id }
    let text = texts[id]
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let end = (text.lastIndex { !digits.contains($0) } ?? text.startIndex) + 1
    guard end < text.endIndex, text[..<end].suffix(2).elementsEqual("..".utf8) else { return id }
    // "GPA..1" is "GPA." without a number of an order; the prefix and the two dots may overlap.
    return Array(text[..<(end - 2)]).withUnsafeBytes { texts.id(of: $0) }
  }
}
