import Testing

@testable import Loading

/// The exit code of a run with refused lines or conflicts.
struct FindingsPolicyTests {
  private func exitCode(
    _ policy: FindingsPolicy, code: Int32 = 3, rejected: Int = 0, conflicts: Int = 0,
    embeddedConflicts: Int = 0
  ) -> Int32 {
    var file = FileReport(path: "e", stream: "event", status: .loaded)
    (file.lines, file.rejected, file.conflicts) = (1000, rejected, conflicts)
    file.embedded?.conflicts = embeddedConflicts
    var report = RunReport(exitCode: code, files: [file])
    report.loadExitCode = code
    policy.apply(to: &report)
    #expect(report.loadExitCode == code)
    return report.exitCode
  }

  @Test func `without options the code stays`() {
    #expect(exitCode(FindingsPolicy(), rejected: 1) == 3)
  }

  @Test func `refused lines within the limit are no finding, and conflicts always are one`() {
    let policy = FindingsPolicy(accepted: .percentage(1))
    #expect(exitCode(policy, rejected: 10) == 0)
    #expect(exitCode(policy, rejected: 11) == 3)
    #expect(exitCode(policy, rejected: 1, conflicts: 1) == 3)
    #expect(exitCode(policy, rejected: 1, embeddedConflicts: 1) == 3)
    #expect(exitCode(FindingsPolicy(accepted: .unlimited), rejected: 1000) == 0)
  }

  @Test func `another code replaces 3 and no other code`() {
    let policy = FindingsPolicy(accepted: .count(1), exitCode: 0)
    #expect(exitCode(policy, rejected: 2, conflicts: 5) == 0)
    for code: Int32 in [0, 4, 5, 7, 69] { #expect(exitCode(policy, code: code) == code) }
    #expect(exitCode(FindingsPolicy(exitCode: 42), conflicts: 1) == 42)
  }
}
