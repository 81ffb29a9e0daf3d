/// The reason why a line was refused.
package struct Rejection: Error, Sendable, Equatable {
  package let code: RejectCode
  /// The field at fault, as spelled in the line; nil when the whole line is, and while a value's field is unknown.
  package let field: String?
  /// A short text for messages, which never contains the value.
  package let reason: String

  package init(_ code: RejectCode, field: String? = nil, _ reason: String) {
    self.code = code
    self.field = field
    self.reason = reason
  }

  /// The rejection of an object for which there was no memory; the file fails, because its line may be valid.
  static let outOfMemory = Rejection(.malformedJSON, "there is no memory to read the line")

  var isOutOfMemory: Bool { reason == Self.outOfMemory.reason }

  /// The rejection of a line without a line feed: one that is no JSON is the last line of a truncated file.
  var ofLastLine: Rejection {
    guard field == nil, code == .malformedJSON || code == .invalidUTF8 else { return self }
    return Rejection(
      .truncatedLine, "\(reason), and no line feed ends it: the file looks truncated")
  }

  /// The rejection of a value with the name of its field, or of a member with that of the field around it.
  func within(_ outer: String) -> Rejection {
    Rejection(code, field: field.map { "\(outer).\($0)" } ?? outer, reason)
  }
}

/// The reason why a line was refused, as a code by which reports group lines, stored in `ingest.reject.code`.
///
/// New codes may be added, but a code keeps its name and its meaning, which `docs/data-contract.md` gives.
package enum RejectCode: String, Sendable, CaseIterable {
  // The line
  case malformedJSON = "malformed_json"
  case invalidUTF8 = "invalid_utf8"
  case notAnObject = "not_an_object"
  case truncatedLine = "truncated_line"
  case lineTooLong = "line_too_long"
  case nestingTooDeep = "nesting_too_deep"
  case ambiguousField = "ambiguous_field"

  // Any field
  case missingField = "missing_field"
  case wrongType = "wrong_type"
  case invalidCharacter = "invalid_character"
  case textTooLong = "text_too_long"

  // Identifiers and integers
  case emptyIdentifier = "empty_identifier"
  case identifierTooLong = "identifier_too_long"
  case notLoggedIn = "not_logged_in"
  case notAnInteger = "not_an_integer"
  case integerOutOfRange = "integer_out_of_range"

  // Times
  case invalidTime = "invalid_time"
  case timeInSeconds = "time_in_seconds"
  case timeInMicroseconds = "time_in_microseconds"
  case timeInNanoseconds = "time_in_nanoseconds"
  case timeTooPrecise = "time_too_precise"
  case timeWithoutZone = "time_without_zone"
  case timeOutOfRange = "time_out_of_range"

  // Money
  case invalidPrice = "invalid_price"
  case negativePrice = "negative_price"
  case priceTooPrecise = "price_too_precise"
  case priceOutOfRange = "price_out_of_range"
  case invalidCurrency = "invalid_currency"
  case currencyNotValidAtTime = "currency_not_valid_at_time"
  case currencyWithoutMinorUnit = "currency_without_minor_unit"

  // Flags
  case invalidFlag = "invalid_flag"
  case invalidPurchaseType = "invalid_purchase_type"

  // Events
  case invalidEventData = "invalid_event_data"
}
