import Loading
import Testing

@Suite struct DistributionTests {
  @Test(arguments: ["13.1-1", "13.2-1", "13.10-1"])
  func `a version that works is taken`(version: String) {
    #expect(Distribution.problem(ofVersion: version) == nil)
  }

  @Test(arguments: ["13.0-1", "12.1-1", "9.5-1", "unknown"])
  func `an older version is refused, and the message says what to install`(version: String) throws {
    let problem = try #require(Distribution.problem(ofVersion: version))
    #expect(
      problem.hasPrefix(
        "Citus has version \(version), and this program needs 13.1 or a later 13: install it on all servers"
      ))
    #expect(problem.contains("alter extension citus update"))
  }

  @Test(arguments: ["14.0-1", "100.1-1"])
  func `a newer major version is refused`(version: String) throws {
    let problem = try #require(Distribution.problem(ofVersion: version))
    #expect(problem.contains("needs 13.1 or a later 13: install it on all servers"))
    #expect(!problem.contains("alter extension"))
  }
}
