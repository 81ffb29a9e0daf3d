/// How a field's value is judged: the rules of the data contract by name, for explanations.
///
/// The rule itself is the accessor of `DecodedLine` that a stream calls; this describes it, and
/// tests hold the two together.
package struct FieldRule: Sendable, Equatable {
  /// What the value is, and what is accepted.
  package let summary: String
  /// A JSON text that every line may hold there; nil for an optional field, which may be absent.
  package let sample: StaticString?

  package var isMandatory: Bool { sample != nil }

  private init(_ summary: String, sample: StaticString? = nil) {
    self.summary = summary
    self.sample = sample
  }

  package static func == (left: Self, right: Self) -> Bool { left.summary == right.summary }
}

extension FieldRule {
  package static let identifier = FieldRule("identifier: text, or digits as written")
  package static let mandatoryIdentifier = FieldRule(
    "identifier, mandatory: text, or digits as written", sample: "\"x\"")
  package static let userID = FieldRule(
    "user, mandatory: an identifier, not \"0\"", sample: "\"x\"")
  package static let itemNumber = FieldRule("item number: a whole number of 64 bits")
  package static let level = FieldRule(
    "level, mandatory: a whole number from 0 to 2147483647", sample: "0")
  package static let time = FieldRule("time: epoch milliseconds, or RFC 3339 with an offset")
  package static let mandatoryTime = FieldRule(
    "time, mandatory: epoch milliseconds, or RFC 3339 with an offset", sample: "1577836800000")
  package static let expiryTime = FieldRule("end of a period: a time; 0 and negative mean none")
  package static let currency = FieldRule(
    "currency, mandatory: an ISO 4217 code valid at the purchase", sample: "\"USD\"")
  package static let price = FieldRule(
    "price, mandatory: a number no finer than the minor unit; -1 means none", sample: "0")
  package static let productType = FieldRule("product type: text; an unknown one becomes UNKNOWN")
  package static let freeText = FieldRule("free text")
  package static let token = FieldRule("token: text, of which the SHA-256 is kept")
  package static let flag = FieldRule("flag: true, false, 1, 0, or those as text")
  package static let purchaseType = FieldRule("purchase type: Test, Promo or Promotion")
}
