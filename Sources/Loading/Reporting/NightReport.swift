/// The part of a run's report that only `run` has.
package struct NightReport: Codable, Sendable, Equatable {
  /// The target of the configuration file; nil: none.
  package var target: String?
  /// The days whose files were expected, such as `2026-01-31`.
  package var days: [String] = []
  /// The figures that were judged before the first commit; empty with `--no-guard`.
  package var guards: [GuardFinding] = []
  /// The feeds after the refresh; empty when nothing was loaded because of a guard.
  package var health: [FeedHealth] = []
  /// The findings of earlier runs in files that this one found loaded.
  package var earlierFindings: [EarlierFinding] = []

  package init(target: String? = nil, days: [String] = []) {
    self.target = target
    self.days = days
  }

  enum CodingKeys: String, CodingKey {
    case target, days, guards, health
    case earlierFindings = "earlier_findings"
  }

  package func encode(to encoder: any Encoder) throws {
    // Every key is always written, with null for a missing value, so that programs can rely on it.
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(target, forKey: .target)
    try container.encode(days, forKey: .days)
    try container.encode(guards, forKey: .guards)
    try container.encode(health, forKey: .health)
    try container.encode(earlierFindings, forKey: .earlierFindings)
  }
}
