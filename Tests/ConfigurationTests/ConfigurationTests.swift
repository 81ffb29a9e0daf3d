import Foundation
import Testing

@testable import Configuration

/// The contents of a configuration file, checked against the options of the commands.
struct ConfigurationTests {
  static let options = [
    OptionKey(name: "jobs", kind: .option), OptionKey(name: "quiet", kind: .flag),
    OptionKey(name: "database", kind: .option), OptionKey(name: "local", kind: .option),
    OptionKey(name: "max-age", kind: .option, isRepeating: true),
  ]

  static func configuration(
    _ text: String
  ) throws(ConfigurationError) -> Configuration {
    try Configuration(
      ConfigurationFile(path: "c.toml", text: text), options: options,
      suggestion: { name, names in names.first { $0.first == name.first } })
  }

  private func message(_ text: String) -> String? {
    do throws(ConfigurationError) {
      _ = try Self.configuration(text)
      return nil
    } catch {
      #expect(error.kind == .file)
      return error.message
    }
  }

  @Test func `defaults, targets and sources are read`() throws {
    let configuration = try Self.configuration(
      """
      [defaults]
      jobs = 2
      quiet = true
      max-age = ["receipt=26h", "item=8d"]

      [targets.kr]
      database = "service=kr"

      [[targets.kr.sources]]
      paths = "in/receipt-%Y-%m-%d*"
      stream = "receipt"
      min-files = 2

      [[targets.kr.sources]]
      paths = ["a", "b"]
      """)
    #expect(
      configuration.defaults == [
        "jobs": .integer(2), "quiet": .flag(true),
        "max-age": .list([.text("receipt=26h"), .text("item=8d")]),
      ])
    let target = try #require(try configuration.target(named: nil))
    #expect(target.name == "kr" && target.options == ["database": .text("service=kr")])
    #expect(
      target.sources == [
        .init(paths: ["in/receipt-%Y-%m-%d*"], stream: "receipt", minFiles: 2),
        .init(paths: ["a", "b"]),
      ])
  }

  @Test func `an empty file has no target`() throws {
    let configuration = try Self.configuration("")
    #expect(try configuration.target(named: nil) == nil)
    #expect(
      throws: ConfigurationError(.usage, "c.toml has no target kr")
    ) { try configuration.target(named: "kr") }
  }

  @Test func `of several targets one must be named`() throws {
    let configuration = try Self.configuration("[targets.kr]\n[targets.jp]\n")
    #expect(try configuration.target(named: nil) == nil)
    #expect(try configuration.target(named: "jp")?.name == "jp")
    #expect(
      throws: ConfigurationError(.usage, "c.toml has no target us; its targets are jp, kr")
    ) { try configuration.target(named: "us") }
  }

  @Test(arguments: [
    ("[default]", "default is no key; did you mean defaults?"),
    ("x = 1", "x is no key; the keys are defaults, targets"),
    ("[defaults]\njob = 1", "defaults.job is no key; did you mean jobs?"),
    ("[targets.kr]\nsource = 1", "targets.kr.source is no key; did you mean sources?"),
    (
      "[[targets.kr.sources]]\npath = 1",
      "targets.kr.sources.1.path is no key; did you mean paths?"
    ),
    ("[[targets.kr.sources]]\nstream = 'x'", "targets.kr.sources.1.paths needs at least one path"),
    ("[[targets.kr.sources]]\npaths = []", "targets.kr.sources.1.paths needs at least one path"),
    (
      "[[targets.kr.sources]]\npaths = [1]",
      "targets.kr.sources.1.paths must be a text, and is an integer"
    ),
    (
      "[[targets.kr.sources]]\npaths = 'a'\nmin-files = -1",
      "targets.kr.sources.1.min-files needs an integer of at least 0"
    ),
    ("defaults = 1", "defaults must be a table, and is an integer"),
    ("[targets]\nkr = 'x'", "targets.kr must be a table, and is a text"),
    ("[targets.kr]\nsources = 'x'", "targets.kr.sources must be a list, and is a text"),
    ("[defaults]\njobs = true", "defaults.jobs needs a value, and not true or false"),
    ("[defaults]\nquiet = 'yes'", "defaults.quiet must be true or false, and is a text"),
    ("[defaults]\njobs = [1]", "defaults.jobs takes one value, and not a list"),
    ("[defaults]\nmax-age = [1]", "defaults.max-age must be a text, and is an integer"),
    ("[defaults]\njobs = 2025-01-01", "defaults.jobs cannot be a date or time"),
    ("[defaults.jobs]\nx = 1", "defaults.jobs cannot be a table"),
  ])
  func `an error names its place`(text: String, problem: String) {
    #expect(message(text) == "c.toml: \(problem)")
  }

  @Test func `an error of the syntax names its line`() throws {
    let message = try #require(self.message("[defaults]\njobs = \n"))
    #expect(message.hasPrefix("the configuration file c.toml has an error in line 2, column "))
    #expect(self.message("[defaults]\njobs = 1\njobs = 2")?.contains("line 3") == true)
  }
}

/// The file itself: its rights and its bytes.
struct ConfigurationFileTests {
  let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).toml")
    .path(percentEncoded: false)

  private func file(_ bytes: [UInt8], mode: Int = 0o600) throws -> ConfigurationFile {
    try Data(bytes).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try ConfigurationFile(path: path)
  }

  @Test(
    arguments: [
      (0o600, nil), (0o644, nil), (0o664, "can be written by other users"),
      (0o646, "can be written by other users"),
    ] as [(Int, String?)])
  func `others must not be able to write it`(mode: Int, risk: String?) throws {
    #expect(try file(Array("x = 1".utf8), mode: mode).risk == risk)
  }

  @Test(
    arguments: [
      ([0xFF], "is no text in UTF-8"), ([0x78, 0x3D, 0x31, 0x00], "is no text in UTF-8"),
      ([UInt8](repeating: 0x20, count: 1_048_577), "is larger than 1 MiB"),
    ] as [([UInt8], String)])
  func `bytes that are no text are refused`(bytes: [UInt8], problem: String) {
    #expect(
      throws: ConfigurationError(.file, "the configuration file \(path) \(problem)")
    ) { try file(bytes) }
  }

  @Test func `a folder and a missing file are refused`() {
    #expect(throws: ConfigurationError(.file, "the configuration file / is no regular file")) {
      try ConfigurationFile(path: "/")
    }
    #expect(throws: ConfigurationError.self) { try ConfigurationFile(path: path) }
  }

  @Test func `a large file within the limit is read`() throws {
    let text = (0..<20_000).map { "key\($0) = '\($0)'\n" }.joined()
    #expect(try file(Array(text.utf8)).entries["key19999"] == .text("19999"))
  }
}
