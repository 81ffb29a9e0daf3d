import Testing

@testable import Configuration

/// The place that each value comes from.
struct OptionValuesTests {
  private func values(
    given: Set<String> = [], _ environment: [String: String] = [:], file: String? = nil,
    accepts: (String) -> Bool = { _ in true }
  ) throws -> OptionValues {
    let configuration = try file.map { try ConfigurationTests.configuration($0) }
    return try OptionValues(
      options: ConfigurationTests.options, given: given, accepts: accepts,
      environment: environment, configuration: configuration,
      target: try configuration?.target(named: nil))
  }

  private func origin(_ values: OptionValues, _ name: String) -> String? {
    values.entries.first { $0.option.name == name }?.origin.description
  }

  private let file = "[defaults]\njobs = 1\nquiet = true\n[targets.kr]\njobs = 2\n"

  @Test func `the command line goes before the environment, the target, the defaults`() throws {
    let environment = ["GAMEBASE_INGEST_JOBS": "3"]
    #expect(try values(file: "[defaults]\njobs = 1").arguments == ["--jobs=1"])
    #expect(try values(file: file).arguments == ["--jobs=2", "--quiet"])
    #expect(try values(environment, file: file).arguments == ["--jobs=3", "--quiet"])
    let all = try values(given: ["jobs"], environment, file: file)
    #expect(all.arguments == ["--quiet"])
    #expect(origin(all, "jobs") == "command line")
    #expect(origin(all, "quiet") == "c.toml, [defaults]")
    #expect(origin(try values(environment), "jobs") == "GAMEBASE_INGEST_JOBS")
    #expect(origin(try values(file: file), "jobs") == "c.toml, [targets.kr]")
    #expect(origin(try values(), "jobs") == "default")
  }

  @Test(arguments: [
    ("true", ["--quiet"]), ("1", ["--quiet"]), ("YES", ["--quiet"]), ("false", []), ("0", []),
    ("no", []),
  ])
  func `a flag in the environment is a word`(text: String, arguments: [String]) throws {
    #expect(try values(["GAMEBASE_INGEST_QUIET": text]).arguments == arguments)
  }

  @Test func `a flag that is off in a higher place is off`() throws {
    let off = try values(["GAMEBASE_INGEST_QUIET": "false"], file: "[defaults]\nquiet = true")
    #expect(off.arguments == [])
    #expect(origin(off, "quiet") == "GAMEBASE_INGEST_QUIET")
  }

  @Test func `an empty variable counts as not set`() throws {
    #expect(
      try values(["GAMEBASE_INGEST_JOBS": ""], file: file).arguments == ["--jobs=2", "--quiet"])
  }

  @Test func `a repeated option takes one value or a JSON array`() throws {
    #expect(try values(["GAMEBASE_INGEST_MAX_AGE": "26h"]).arguments == ["--max-age=26h"])
    #expect(
      try values(["GAMEBASE_INGEST_MAX_AGE": #"["receipt=1h", "2h"]"#]).arguments
        == ["--max-age=receipt=1h", "--max-age=2h"])
    #expect(throws: ConfigurationError.self) { try values(["GAMEBASE_INGEST_MAX_AGE": "[26h"]) }
    #expect(throws: ConfigurationError.self) { try values(["GAMEBASE_INGEST_QUIET": "perhaps"]) }
  }

  @Test func `a lower place does not add the other option of a pair`() throws {
    let file = "[defaults]\ndatabase = 'service=games'\n"
    #expect(try values(given: ["local"], file: file).arguments == [])
    #expect(try values(["GAMEBASE_INGEST_LOCAL": "/srv"], file: file).arguments == ["--local=/srv"])
    #expect(try values(["GAMEBASE_INGEST_LOCAL": "true"], file: file).arguments == ["--local"])
    #expect(try values(file: file).arguments == ["--database=service=games"])
  }

  @Test func `options that are not accepted come from the command line only`() throws {
    let some = try values(["GAMEBASE_INGEST_JOBS": "3"], file: file) { $0 != "jobs" }
    #expect(some.arguments == ["--quiet"])
    #expect(origin(some, "jobs") == "default")
  }
}
