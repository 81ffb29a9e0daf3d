/// A fault for which a loader with default limits and time unit rejects a line.
///
/// There are no faults that depend on options, and none that the loader repairs, such as NUL in a
/// payload.
///
/// The raw values are names for the generator's report; they are not the loader's reject codes.
package enum BadLineKind: String, CaseIterable, Sendable {
  /// The line is cut at a random byte within its object.
  case cutOff = "cut_off"
  /// The line is an array with the object in it.
  case array = "array"
  /// A comma precedes the closing brace.
  case trailingComma = "trailing_comma"
  /// The user id holds bytes that are not UTF-8.
  case invalidUTF8 = "invalid_utf8"
  /// The line is `{}`.
  case emptyObject = "empty_object"
  /// No `userId`.
  case missingUserID = "missing_user_id"
  /// No `paymentSeq`.
  case missingPaymentSeq = "missing_payment_seq"
  /// No `purchaseTime`.
  case missingPurchaseTime = "missing_purchase_time"
  /// No `price`.
  case missingPrice = "missing_price"
  /// No `currency`.
  case missingCurrency = "missing_currency"
  /// No `userLevel`.
  case missingUserLevel = "missing_user_level"
  /// No `levelUpTime`.
  case missingLevelUpTime = "missing_level_up_time"
  /// No `eventTime`.
  case missingEventTime = "missing_event_time"
  /// No `category`.
  case missingCategory = "missing_category"
  /// The user id is `"0"`, the vendor's mark for no user.
  case userIDZero = "user_id_zero"
  /// The user id holds a lone surrogate.
  case userIDLoneSurrogate = "user_id_lone_surrogate"
  /// The user id holds U+0000.
  case userIDNUL = "user_id_nul"
  /// The user id is a number with a fraction.
  case userIDFraction = "user_id_fraction"
  /// The line has two user ids that differ.
  case userIDTwice = "user_id_twice"
  /// The time is in seconds instead of milliseconds.
  case timeInSeconds = "time_in_seconds"
  /// The price is 2.295 USD.
  case priceTooPrecise = "price_too_precise"
  /// The price is -5, not the vendor's -1 for no price.
  case priceNegative = "price_negative"
  /// The currency is `ZZZ`, which ISO 4217 does not have.
  case currencyUnknown = "currency_unknown"
  /// The purchase token is a number.
  case tokenNumber = "token_number"
  /// The level is 20.5.
  case levelFraction = "level_fraction"
  /// The level is -3.
  case levelNegative = "level_negative"
  /// The level is a word.
  case levelText = "level_text"

  /// The faults that lines of a stream can have.
  package static func kinds(of stream: SampleStream) -> [BadLineKind] {
    let everywhere: [BadLineKind] = [
      .cutOff, .array, .trailingComma, .invalidUTF8, .emptyObject, .missingUserID, .userIDZero,
      .userIDLoneSurrogate, .userIDNUL, .userIDFraction, .userIDTwice, .timeInSeconds,
    ]
    let levels: [BadLineKind] = [.missingUserLevel, .levelFraction, .levelNegative, .levelText]
    switch stream {
    case .receipt:
      return everywhere + [
        .missingPaymentSeq, .missingPurchaseTime, .missingPrice, .missingCurrency,
        .priceTooPrecise, .priceNegative, .currencyUnknown, .tokenNumber,
      ]
    case .levelUp: return everywhere + levels + [.missingLevelUpTime]
    case .gameUser: return everywhere + levels
    case .item:
      // The user of an item is optional.
      return everywhere.filter { ![.missingUserID, .userIDZero].contains($0) } + [
        .missingCurrency, .priceTooPrecise, .priceNegative, .currencyUnknown,
      ]
    case .event:
      // A message may lack a user.
      return everywhere.filter { $0 != .missingUserID && $0 != .userIDZero }
        + [.missingEventTime, .missingCategory]
    }
  }
}
