/// How a field's value is judged: the rules of the data contract by name, for explanations.
///
/// The rule itself is the accessor of `DecodedLine` that a stream calls; this describes it, and
/// tests hold the two together.
package struct FieldRule: Sendable, Equatable {
  /// What the value is, in few words; the data contract has all of them.
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
  package static let identifier = FieldRule("identifier")
  package static let mandatoryIdentifier = FieldRule("identifier, mandatory", sample: "\"x\"")
  package static let userID = FieldRule("user, mandatory", sample: "\"x\"")
  package static let itemNumber = FieldRule("whole number")
  package static let level = FieldRule("level, mandatory", sample: "0")
  package static let time = FieldRule("time: epoch ms or RFC 3339")
  package static let mandatoryTime = FieldRule(
    "time, mandatory: epoch ms or RFC 3339", sample: "1577836800000")
  package static let expiryTime = FieldRule("time, or 0 for none")
  package static let currency = FieldRule("ISO 4217 code, mandatory", sample: "\"USD\"")
  package static let price = FieldRule("price, mandatory; -1 is none", sample: "0")
  package static let productType = FieldRule("product type")
  package static let freeText = FieldRule("free text")
  package static let token = FieldRule("token, kept as SHA-256")
  package static let flag = FieldRule("flag: true, false, 1, 0")
  package static let purchaseType = FieldRule("Test, Promo or Promotion")
}
