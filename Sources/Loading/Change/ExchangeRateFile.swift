internal import RecordPipeline

/// The exchange rates of a CSV file, and everything that is wrong with it.
package struct ExchangeRateFile: Sendable, Equatable {
  /// A rate as text, so that no digit is lost on the way to the server.
  package struct Rate: Sendable, Equatable {
    package let currency: String
    /// Such as 2025-07-31.
    package let validOn: String
    /// Such as 0.00072.
    package let rate: String
  }

  package struct Problem: Sendable, Equatable {
    /// From 1.
    package let line: Int
    /// nil: the line as a whole is wrong.
    package let field: String?
    package let reason: String

    /// `line 3, valid_on: …`; holds no value of the file.
    package var sentence: String { "line \(line)\(field.map { ", \($0)" } ?? ""): \(reason)" }
  }

  /// In the order of the file.
  package private(set) var rates: [Rate] = []
  package private(set) var problems: [Problem] = []

  /// The header of every file.
  package static let header = ["currency", "valid_on", "rate"]
  /// The most digits of a rate before the point, and after it: those of the table.
  static let mostDigits = 12

  /// - Parameters:
  ///   - currencies: the ISO 4217 codes that a file may name.
  ///   - base: the base currency; a rate of its own other than 1 shows a file in units of another one.
  package init(_ bytes: [UInt8], currencies: Set<String>, base: String) {
    var reader = CSVReader(bytes)
    do throws(CSVReader.Failure) {
      guard let header = try reader.next(), header.values == Self.header else {
        let expected = Self.header.joined(separator: ",")
        problems = [Problem(line: 1, field: nil, reason: "the header is not \(expected)")]
        return
      }
      var lines: [String: Int] = [:]
      while let record = try reader.next() {
        guard let rate = checkedRate(of: record, currencies: currencies, base: base) else {
          continue
        }
        if let first = lines.updateValue(record.line, forKey: "\(rate.currency) \(rate.validOn)") {
          note(record, "valid_on", "line \(first) has a rate of this currency and day already")
        }
        rates.append(rate)
      }
      if rates.isEmpty, problems.isEmpty {
        problems = [Problem(line: 1, field: nil, reason: "no rate follows the header")]
      }
    } catch {
      problems.append(Problem(line: error.line, field: nil, reason: error.reason))
    }
  }

  /// - Returns: nil when a problem is noted.
  private mutating func checkedRate(
    of record: CSVReader.Record, currencies: Set<String>, base: String
  ) -> Rate? {
    let values = record.values
    guard values.count == Self.header.count else {
      note(record, nil, "there are \(values.count) values, not \(Self.header.count)")
      return nil
    }
    let count = problems.count
    let currency = values[0].uppercased()
    if !currencies.contains(currency) {
      note(record, "currency", "this is no ISO 4217 code with a minor unit; see game.currency")
    }
    if CalendarDay(text: values[1]) == nil {
      note(record, "valid_on", "this is no day such as 2025-07-31")
    }
    if !Self.isPositiveDecimal(values[2]) {
      note(
        record, "rate",
        "this is no decimal number above 0, such as 0.00072, with at most \(Self.mostDigits) digits before and after "
          + "the point, without an exponent, a sign and separators")
    }
    if currency == base, problems.count == count, Double(values[2]) != 1 {
      note(
        record, "rate",
        "\(base) is the base currency, so its rate is 1; the rates of this file have another unit")
    }
    return problems.count == count
      ? Rate(currency: currency, validOn: values[1], rate: values[2]) : nil
  }

  private mutating func note(_ record: CSVReader.Record, _ field: String?, _ reason: String) {
    problems.append(Problem(line: record.line, field: field, reason: reason))
  }

  /// True for digits with at most one point between them and a digit above 0: no sign, no exponent,
  /// no separators of thousands.
  static func isPositiveDecimal(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty }
      && parts.joined().allSatisfy { (0x30...0x39).contains($0) }
      && parts.joined().contains { $0 > 0x30 }
      && parts.allSatisfy { $0.count <= mostDigits }
  }
}
