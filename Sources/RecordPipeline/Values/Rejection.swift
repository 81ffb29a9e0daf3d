/// A problem of one value, without the field that holds it.
///
/// `reason` is a short text for messages. It never contains the value.
package struct ValueProblem: Error, Sendable, Equatable {
  package let code: RejectCode
  package let reason: String

  package init(_ code: RejectCode, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}

/// The reason why a line was refused.
///
/// `field` is the field at fault, as spelled in the line; nil when the whole line is at fault.
package struct Rejection: Error, Sendable, Equatable {
  package let code: RejectCode
  package let field: String?
  package let reason: String

  package init(_ code: RejectCode, field: String? = nil, _ reason: String) {
    self.code = code
    self.field = field
    self.reason = reason
  }

  /// The rejection of a line that cannot be read as JSON and has no line feed, as the last line of a
  /// truncated file; any other rejection stays as it is.
  var ofLastLine: Rejection {
    switch code {
    case .malformedJSON where field == nil, .invalidUTF8 where field == nil:
      Rejection(.truncatedLine, "\(reason), and no line feed ends it: the file looks truncated")
    default: self
    }
  }

  init(_ problem: ValueProblem, field: String) {
    self.init(problem.code, field: field, problem.reason)
  }

  /// The rejection of a member, with the name of the field that holds its object.
  func within(_ outer: String) -> Rejection {
    Rejection(code, field: field.map { "\(outer).\($0)" } ?? outer, reason)
  }
}

/// The reason why a line was refused, as a code by which reports group lines.
///
/// The raw value is stored in `ingest.reject.code`. New codes may be added, but a code is never
/// renamed and never changes its meaning.
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

  /// One sentence for the table of reject codes in the documentation.
  package var summary: String {
    switch self {
    case .malformedJSON: "The line is not exactly one RFC 8259 value."
    case .invalidUTF8: "The line is not UTF-8."
    case .notAnObject: "The line is JSON, but not an object."
    case .truncatedLine:
      "The last line has no line feed and is not exactly one RFC 8259 value in UTF-8: the file looks truncated."
    case .lineTooLong: "The line is longer than the limit."
    case .nestingTooDeep: "Arrays and objects are nested deeper than the limit."
    case .ambiguousField: "A field occurs twice, or in two spellings, with different values."
    case .missingField: "A mandatory field is absent, null or empty."
    case .wrongType: "A field holds another JSON type than its rule allows."
    case .invalidCharacter: "An identifier holds a NUL or half of a surrogate pair."
    case .textTooLong: "A free text, or what has no column together, is longer than the limit."
    case .emptyIdentifier: "An identifier that is mandatory holds only white space."
    case .identifierTooLong: "An identifier is longer than the limit."
    case .notLoggedIn: "The user id is \"0\", the vendor's mark for \"not logged in\"."
    case .notAnInteger: "A number that must be whole has a fraction."
    case .integerOutOfRange: "A whole number is outside the range of its field."
    case .invalidTime: "A time is neither epoch milliseconds nor an RFC 3339 text."
    case .timeInSeconds: "A time has the size of epoch seconds; the contract is milliseconds."
    case .timeInMicroseconds:
      "A time has the size of epoch microseconds; the contract is milliseconds."
    case .timeInNanoseconds:
      "A time has the size of epoch nanoseconds; the contract is milliseconds."
    case .timeTooPrecise: "A time is finer than a millisecond."
    case .timeWithoutZone: "A time text has no offset from UTC."
    case .timeOutOfRange: "A time is outside the years that can be meant."
    case .invalidPrice: "A price is no number."
    case .negativePrice: "A price is negative, and not the vendor's -1 for \"no price\"."
    case .priceTooPrecise: "A price is finer than the currency's minor unit."
    case .priceOutOfRange: "A price is larger than can be stored."
    case .invalidCurrency: "A currency is not an ISO 4217 code."
    case .currencyNotValidAtTime: "A currency code was not valid at the time of the purchase."
    case .currencyWithoutMinorUnit: "A currency code names no money: a metal, a test, a unit."
    case .invalidFlag: "A flag is none of true, false, 1, 0 and those as strings."
    case .invalidPurchaseType: "purchaseType is none of Test, Promo and Promotion."
    case .invalidEventData: "The data of an event, or its message, is not one JSON object."
    }
  }
}
