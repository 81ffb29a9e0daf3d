extension DecodedLine {
  /// An integer in a range, as a JSON number such as 20 or 20.0; nil when it is absent.
  ///
  /// - Parameters:
  ///   - noun: the value in messages, with its article.
  ///   - range: the description of the values that fit.
  ///   - allowsText: true for a value that may be a string of digits.
  mutating func integer<Integer: FixedWidthInteger>(
    _ raw: RawValue, _ noun: StaticString, _ range: StaticString, allowsText: Bool = false,
    from smallest: Integer = .min
  ) throws(Rejection) -> Integer? {
    if raw.isAbsent { return nil }
    let text = resolved(raw)
    if allowsText, raw.kind == .string {
      guard text.isDigits else {
        throw Rejection(.notAnInteger, "\(noun) written as a string must hold only digits")
      }
    } else if raw.kind != .number {
      throw wrongType("\(noun) must be a number", raw)
    }
    let number = ExactNumber(text).whole()
    guard number.isWhole else {
      throw Rejection(.notAnInteger, "\(noun) must not have a fraction")
    }
    guard let value = number.integer.flatMap(Integer.init(exactly:)), value >= smallest else {
      throw Rejection(.integerOutOfRange, "\(noun) must \(range)")
    }
    return value
  }
}
