extension DecodedLine {
  /// The time of an event, from 2000-01-01 to one day after the start of the run.
  mutating func eventTime(_ raw: RawValue) throws(ValueProblem) -> EpochMilliseconds? {
    let rule = TimeRule(
      earliest: TimeRule.earliestPossible, latest: rules.latestTime, hasSentinels: false)
    return try time(raw, rule)
  }

  fileprivate mutating func time(_ raw: RawValue, _ rule: TimeRule) throws(ValueProblem)
    -> EpochMilliseconds?
  {
    if raw.isAbsent { return nil }
    let time: EpochMilliseconds
    switch raw.kind {
    case .number:
      guard let number = try number(raw.text, rule) else { return nil }
      time = number
    case .string:
      let text = raw.isEscaped ? arena.unescape(raw.text).bytes : raw.text
      if ScaledNumber.isDigits(text) {
        guard let number = try number(text, rule) else { return nil }
        time = number
      } else {
        time = try parseRFC3339(text)
      }
    case .null, .true, .false, .array, .object:
      throw ValueProblem(
        .wrongType, "a time must be epoch milliseconds or an RFC 3339 string, not \(raw.kindName)")
    }
    guard time >= rule.earliest, time <= rule.latest else {
      throw ValueProblem(
        .timeOutOfRange,
        rule.hasSentinels
          ? "it is not between 2000-01-01 and 2100-01-01"
          : "it is before 2000-01-01 or more than a day after the start of the run, by the clock of the "
            + "database server (in validate, of this machine)")
    }
    return time
  }

  /// The time that a number gives in the unit of `--time-unit`; nil for a sentinel.
  private func number(
    _ text: ByteSlice, _ rule: TimeRule
  ) throws(ValueProblem) -> EpochMilliseconds? {
    let power =
      switch rules.timeUnit {
      case .seconds: 3
      case .milliseconds: 0
      case .microseconds: -3
      }
    let number = ScaledNumber(text, timesTenTo: power)
    if number.isZero || number.isNegative {
      if rule.hasSentinels { return nil }
      throw ValueProblem(.timeOutOfRange, "0 and negative numbers are not times")
    }
    if rules.timeUnit == .milliseconds, let problem = unitMistake(number) { throw problem }
    guard number.isWhole else {
      throw ValueProblem(.timeTooPrecise, "it has a fraction of a millisecond")
    }
    guard let time = number.integer else {
      throw ValueProblem(.timeOutOfRange, "it does not fit 64 bits")
    }
    return time
  }

  /// The problem of a number that is, by its size, in another unit than milliseconds; nil when it
  /// may be milliseconds.
  ///
  /// For times from 2000 to 2286 the four units do not overlap: seconds have nine or ten digits,
  /// milliseconds twelve or thirteen, and so on.
  private func unitMistake(_ number: ScaledNumber) -> ValueProblem? {
    guard let magnitude = number.magnitude else { return nil }
    let first: UInt64 = 946_684_800
    let hint =
      "times are epoch milliseconds; if the whole file has this unit, load it with --time-unit"
    switch magnitude {
    case first..<10_000_000_000:
      return ValueProblem(.timeInSeconds, "it has the size of epoch seconds; \(hint) s")
    case first * 1_000_000..<10_000_000_000_000_000:
      return ValueProblem(.timeInMicroseconds, "it has the size of epoch microseconds; \(hint) us")
    case first * 1_000_000_000..<10_000_000_000_000_000_000:
      return ValueProblem(
        .timeInNanoseconds, "it has the size of epoch nanoseconds; times are epoch milliseconds")
    default:
      return nil
    }
  }
}

/// A kind of value that is the time of an event.
protocol TimeKind: IndependentKind where Value == EpochMilliseconds {}

extension TimeKind {
  static var columns: [Column] { [Column(.timestamptz)] }

  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> Value? { try line.eventTime(raw) }

  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer) {
    row.time(value)
  }
}

/// The time of an event, which every line must have.
enum MandatoryTime: TimeKind {
  static let summary = "time, mandatory: epoch ms or RFC 3339"
  static var sample: StaticString? { "1577836800000" }
}

/// The time of an event message, which every line must have; an envelope may add it.
enum MessageTime: TimeKind {
  static let summary = MandatoryTime.summary
  static var sample: StaticString? { MandatoryTime.sample }
  static let isInEnvelope = true
}

/// An additional time of a record that has a time of its own; it is only checked, and kept in
/// `extra` as written.
enum CheckedTime: TimeKind {
  static let summary = "time: epoch ms or RFC 3339"
  static let columns: [Column] = []
  static let isInEnvelope = true

  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer) {}
}

/// The time of an observation: from the line, else from `--observed-at`, else the start of the
/// load.
enum ObservedTime: TimeKind {
  static let summary = CheckedTime.summary
  static let isInEnvelope = true
  static let hasDefault = true

  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer) {
    line.hasObservedTime = value != nil
    row.time(value ?? line.rules.observedAt)
  }

  /// A column for the origin of the time: `line`, `option` or `load_start`.
  struct Source: StreamPart {
    private let column: String

    init(into column: String) { self.column = column }

    func declare(in stream: inout StreamDeclaration) -> Writer {
      stream.add(Column(column, .text, .remark), to: ObservedTime.self)
      return Writer()
    }

    struct Writer: PartWriter {
      @inline(__always)
      func write(_ line: inout DecodedLine, to row: inout RowBuffer) {
        if line.hasObservedTime {
          row.text("line" as StaticString)
        } else {
          row.text(line.rules.isObservedAtGiven ? "option" : "load_start" as StaticString)
        }
      }
    }
  }
}

/// The end of a subscription's period; 0 and negative numbers mean "no subscription".
///
/// - Source: in the vendor's samples, receipts for consumables have 0.
enum ExpiryTime: IndependentKind {
  static let summary = "time, or 0 for none"
  static let columns = [Column(.timestamptz)]

  /// A value of the field.
  ///
  /// Without a time it means "no subscription". Both this and an absent field are stored as NULL,
  /// but only this one must agree with the line's other values of the field.
  struct PeriodEnd: Equatable {
    let time: EpochMilliseconds?
  }

  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> PeriodEnd? {
    if raw.isAbsent { return nil }
    let rule = TimeRule(
      earliest: TimeRule.earliestPossible, latest: TimeRule.latestExpiry, hasSentinels: true)
    return PeriodEnd(time: try line.time(raw, rule))
  }

  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer) {
    row.time(value?.time)
  }
}

extension RecordStream {
  /// True when `--observed-at` gives the time of lines without one.
  package var isObserved: Bool { field(of: ObservedTime.self) != nil }
}
