/// The hours without news after which a stream counts as late, from `--max-age`.
package struct MaxAge: Sendable, Equatable {
  /// nil: every stream that has a limit.
  package let stream: String?
  package let hours: Double

  package init(stream: String?, hours: Double) {
    self.stream = stream
    self.hours = hours
  }

  /// Parses a duration, such as `26h`, or one of a stream, such as `receipt=26h`; nil for any other
  /// text.
  ///
  /// The units are m, h and d: minutes, hours and days of 24 hours.
  package init?(_ text: String) {
    guard let match = text.wholeMatch(of: /(?:([a-z_]+)=)?([0-9]{1,6})([mhd])/),
      let number = Double(match.2)
    else { return nil }
    let hours = ["m": 1.0 / 60, "h": 1, "d": 24]
    self.init(stream: match.1.map { String($0) }, hours: number * (hours[String(match.3)] ?? 1))
  }
}
