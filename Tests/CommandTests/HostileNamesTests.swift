import Foundation
import TestSupport
import Testing

/// File names are data: a message must not let one forge the program's output.
struct HostileNamesTests {
  private let program: Command
  private let folder: TemporaryFolder

  init() throws {
    program = try .gamebaseIngest
    folder = try TemporaryFolder()
  }

  /// A line break that forges an entry, a color, a bidirectional override, a C1 control.
  private static let name = "receipt-\nload 1, exit 0\u{1B}[2J\u{202E}\u{9B}\u{2028}.jsonl"

  private func isSafe(_ text: String) -> Bool {
    !text.unicodeScalars.contains { scalar in
      scalar != "\n"
        && [.control, .format, .lineSeparator].contains(scalar.properties.generalCategory)
    } && !text.split(separator: "\n").contains { $0.hasPrefix("load 1, exit 0") }
  }

  @Test(arguments: [
    ["validate"], ["validate", "--format", "json"],
    ["load", "--database", "host=/nonexistent", "--retries", "0"], ["explain"],
    ["load", "--no-such-option"],
  ])
  func `line breaks and control characters of a file name are escaped in every message`(
    command: [String]
  ) throws {
    for name in [Self.name, "\(Self.name).gz", "-\(Self.name)"] {
      let path = try folder.write(name, lines: ["x", #"{"\#u{202E}":1}"#])
      for argument in [path, "--\(Self.name)", "--\(Self.name)=1", "--stream=\(Self.name)"] {
        let place = command[0] == "explain" ? "\(argument):1" : argument
        let result = try program.run(command + [place])
        #expect(result.exitCode != 0)
        #expect(isSafe(result.output), "\(command) \(result.output)")
        #expect(isSafe(result.errors), "\(command) \(result.errors)")
        #expect(!result.output.isEmpty || !result.errors.isEmpty)
      }
    }
  }

  @Test func `JSON output holds the exact name`() throws {
    let path = try folder.write(Self.name, lines: ["x"])
    let output = try program.run(["validate", path, "--format", "json"]).output
    let json = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    let files = json?["files"] as? [[String: Any]]
    #expect((files?.first?["path"] as? String)?.utf8.elementsEqual(path.utf8) == true)
  }

  @Test func `an unreadable folder fails by name, and the other inputs are processed`() throws {
    try folder.write("inbox/receipts/receipt.jsonl", lines: [CommandFixture.receipt(1)])
    try folder.write("inbox/z/receipt.jsonl", lines: [CommandFixture.receipt(2)])
    // Another user reads the files.
    try #require(chmod(folder.path, 0o755) == 0)
    let closed = "\(folder.path)/inbox/receipts"
    chmod(closed, 0o000)
    defer { chmod(closed, 0o700) }
    // Root can read everything, so the program runs as another user.
    let other =
      geteuid() == 0
      ? try Command("/usr/bin/env").run([
        "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", program.program,
        "validate", "\(folder.path)/inbox",
      ]) : try program.run(["validate", "\(folder.path)/inbox"])
    #expect(other.exitCode == 5)
    #expect(
      other.errors.contains("\(closed): is a folder that cannot be searched: Permission denied"))
    #expect(other.output.contains("\(folder.path)/inbox/z/receipt.jsonl  receipt  good"))
  }
}
