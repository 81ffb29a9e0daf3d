/// The amounts of ten price tiers in each currency of the generated shop.
///
/// Amounts are in ISO 4217 minor units. They are below the amounts from which a 32-bit float is
/// imprecise (16777216 without decimals, 131072.00 with two, 16384.000 with three), so that every
/// spelling of a price normalizes to the same amount. For this reason IDR has no price in the
/// higher tiers.
enum PriceTable {
  struct Row: Sendable {
    let currency: String
    /// The number of decimals of the currency in ISO 4217.
    let digits: Int
    /// The share of purchases in this currency, in percent.
    let weight: Int
    let minorUnits: [Int]
  }

  static let tierCount = 10

  static let rows: [Row] = [
    Row(
      currency: "KRW", digits: 0, weight: 38,
      minorUnits: [1200, 2500, 3900, 5900, 12_000, 19_000, 25_000, 39_000, 65_000, 119_000]),
    Row(
      currency: "USD", digits: 2, weight: 18,
      minorUnits: [99, 199, 299, 499, 999, 1499, 1999, 2999, 4999, 9999]),
    Row(
      currency: "JPY", digits: 0, weight: 14,
      minorUnits: [160, 300, 480, 800, 1600, 2400, 3000, 4800, 8000, 15_800]),
    Row(
      currency: "EUR", digits: 2, weight: 8,
      minorUnits: [99, 229, 349, 549, 1099, 1699, 2199, 3299, 5499, 10_999]),
    Row(
      currency: "TWD", digits: 2, weight: 6,
      minorUnits: [
        3000, 6000, 9000, 15_000, 33_000, 49_000, 67_000, 99_000, 169_000, 329_000,
      ]),
    Row(
      currency: "IDR", digits: 2, weight: 4,
      minorUnits: [1_500_000, 2_900_000, 4_900_000, 7_900_000, 12_900_000]),
    Row(
      currency: "THB", digits: 2, weight: 3,
      minorUnits: [3500, 6900, 9900, 17_900, 34_900, 49_900, 69_900, 99_900, 179_000, 349_000]),
    Row(
      currency: "BRL", digits: 2, weight: 3,
      minorUnits: [590, 1190, 1790, 2990, 5990, 8990, 11_990, 17_990, 29_990, 59_990]),
    Row(
      currency: "GBP", digits: 2, weight: 2,
      minorUnits: [99, 199, 299, 499, 999, 1499, 1999, 2999, 4999, 9999]),
    Row(
      currency: "HUF", digits: 2, weight: 2,
      minorUnits: [
        39_900, 79_900, 129_000, 199_000, 399_000, 599_000, 799_000, 1_299_000, 1_999_000,
        3_999_000,
      ]),
    Row(
      currency: "VND", digits: 0, weight: 1,
      minorUnits: [
        25_000, 49_000, 79_000, 129_000, 249_000, 399_000, 499_000, 799_000, 1_299_000, 2_499_000,
      ]),
    Row(
      currency: "KWD", digits: 3, weight: 1,
      minorUnits: [305, 610, 915, 1525, 3075, 4600, 6150, 9225, 15_375, 30_750]),
  ]
}
