/// The limits of a line and of its texts, constants of the data contract.
///
/// Tests set smaller ones, to reach them with short lines.
package struct Limits: Sendable, Equatable {
  /// Bytes of a line, without its line break.
  package var lineBytes = 16 * 1024 * 1024
  /// Levels of arrays and objects; the line's own object is level 1.
  package var nesting = 512
  /// UTF-8 bytes of an identifier: the longest natural key has four and a time, and PostgreSQL refuses a B-tree entry
  /// above about 2,700 bytes.
  package var identifierBytes = 512
  /// UTF-8 bytes of a free text.
  package var textBytes = 1024 * 1024

  /// Bytes of a refused line that are stored, which bounds the space of one bad line in the database.
  package static let rejectedLineBytes = 64 * 1024
  /// The levels of arrays and objects in a text whose nesting has been judged, or does not matter.
  static let anyNesting = 1 << 16

  package init() {}
}

/// The unit of times that are given as numbers.
package enum TimeUnit: String, Sendable, CaseIterable, Decodable {
  case seconds = "s"
  case milliseconds = "ms"
  case microseconds = "us"

  /// The power of ten from the unit to milliseconds.
  var power: Int {
    switch self {
    case .seconds: 3
    case .milliseconds: 0
    case .microseconds: -3
    }
  }
}

/// The limits of all times.
package enum TimeRule {
  /// 2000-01-01: no store was open before it, so an earlier time is a mistake.
  package static let earliestPossible: EpochMilliseconds = 946_684_800_000
  /// 2100-01-01, the latest possible end of a subscription.
  static let latestExpiry: EpochMilliseconds = 4_102_444_800_000
  /// The range of a time given as an option.
  ///
  /// `--observed-at` can become a key, and keys are compared as unsigned bytes, so none may be before 2000.
  package static let possibleOptions = earliestPossible...latestExpiry
}

/// All settings that decide the outcome of a line: the same at any time and on any machine.
package struct NormalizationRules: Sendable, Equatable {
  package var limits = Limits()
  package var timeUnit = TimeUnit.milliseconds
  /// Start of the run, or the time of `--as-of`, in epoch milliseconds.
  ///
  /// The start is by the server's clock if there is a server, else by this machine's.
  package var startOfRun: EpochMilliseconds
  /// The `app_id` of lines that name no application.
  package var appID = ""
  /// The applications that lines may belong to, as bytes; nil allows any.
  package var allowedApps: Set<[UInt8]>?
  /// The time of game users and items without a time of their own, given by an option; nil: `startOfRun`.
  package var observedAt: EpochMilliseconds?
  /// The field of a line that holds the record, as an object or as a string; nil when the line is the record.
  package var unwrapField: String?
  /// True when purchase tokens are stored beside their digests.
  package var storesPurchaseTokens = false
  /// The key of the rows' digests; nil when no database compares them, which leaves the digest NULL.
  package var rowDigestKey: RowDigest.Key?

  package static let millisecondsPerDay: Int64 = 86_400_000

  package init(startOfRun: EpochMilliseconds) { self.startOfRun = startOfRun }

  /// The latest time of a record, one day after `startOfRun`; a subscription may end later.
  package var latestTime: EpochMilliseconds { startOfRun + Self.millisecondsPerDay }
}
