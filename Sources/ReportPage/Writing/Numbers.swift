internal import Foundation
internal import Loading

/// How the page writes numbers: a comma between thousands, a point before decimals.
enum Numbers {
  static let none = "–"

  static func count(_ number: Int) -> String { grouped(String(number)) }

  static func count(_ number: Int?) -> String { number.map { count($0) } ?? none }

  /// An amount rounded to a number of decimals; all of its digits if it is too long to round.
  static func money(_ amount: Amount?, digits: Int) -> String {
    guard let amount else { return none }
    guard amount.text.count < 36, var exact = Decimal(string: amount.text) else {
      return grouped(amount.text)
    }
    var rounded = Decimal()
    NSDecimalRound(&rounded, &exact, digits, .plain)
    let parts = "\(rounded)".split(separator: ".", omittingEmptySubsequences: false)
    let decimals = parts.count > 1 ? String(parts[1]) : ""
    let padded = decimals + String(repeating: "0", count: max(0, digits - decimals.count))
    return grouped(String(parts[0])) + (padded.isEmpty ? "" : ".\(padded)")
  }

  /// A rounded number of at most four figures, for an axis: 1.5k, 20M.
  static func short(_ value: Double) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")]
    for (size, unit) in units where abs(value) >= size { return plain(value / size) + unit }
    return plain(value)
  }

  /// A share from 0 to 1 as a percentage.
  static func percent(_ share: Double?, digits: Int = 1) -> String {
    guard let share, share.isFinite else { return none }
    return String(format: "%.\(digits)f %%", share * 100)
  }

  /// The change from one value to the next, with its sign; nil without a value before.
  static func change(from earlier: Double, to later: Double) -> String? {
    guard earlier > 0 else { return nil }
    return String(format: "%+.1f %%", (later / earlier - 1) * 100)
  }

  /// Minutes as a length of time in its best unit.
  static func duration(minutes: Amount?) -> String {
    guard let minutes = minutes?.value else { return none }
    if minutes < 120 { return String(format: "%.0f min", minutes) }
    if minutes < 48 * 60 { return String(format: "%.1f h", minutes / 60) }
    return String(format: "%.1f d", minutes / 1440)
  }

  /// A coordinate of a drawing, with at most one decimal.
  static func place(_ value: Double) -> String { plain((value * 10).rounded() / 10) }

  private static func plain(_ value: Double) -> String {
    let text = String(format: "%.2f", value)
    let trimmed = text.replacing(/\.?0+$/, with: "")
    return text.contains(".") ? String(trimmed == "-0" ? "0" : trimmed) : text
  }

  private static func grouped(_ digits: String) -> String {
    let sign = digits.hasPrefix("-") ? "-" : ""
    let whole = digits.drop { $0 == "-" }.prefix { $0 != "." }
    let rest = digits.drop { $0 != "." }
    let places = whole.enumerated().map { place, digit in
      place > 0 && (whole.count - place) % 3 == 0 ? ",\(digit)" : String(digit)
    }
    return sign + places.joined() + rest
  }
}

/// The form in which the page shows texts of the database.
///
/// Control characters and marks that change the reading direction become visible as `\u{…}`; the
/// templates escape what HTML gives a meaning.
enum ForeignText {
  static func shown(_ text: String) -> String { printable(text) }

  /// A text, or a word for NULL.
  static func shown(_ text: String?, else word: String) -> String { text.map { shown($0) } ?? word }

  /// The name of an application.
  static func application(_ appID: String?) -> String {
    switch appID {
    case nil: "no application"
    case "": "unknown application"
    case .some(let appID): shown(appID)
    }
  }

  /// The last component of a path.
  static func fileName(_ path: String) -> String {
    shown(path.split(separator: "/").last.map { String($0) } ?? path)
  }
}
