import Foundation
import TestSupport
import Testing

struct GenerateCommandTests {
  private let folder: TemporaryFolder
  private let program: Command

  init() throws {
    folder = try TemporaryFolder()
    program = try Command.gamebaseIngest
  }

  /// Generates into the folder of a name; returns the sums that the command prints, by stream.
  private func generate(_ name: String, _ arguments: [String]) throws -> [String: [Int]] {
    let result = try program.run(["generate", "\(folder.path)/\(name)"] + arguments)
    try #require(result.exitCode == 0, "\(result.errors)")
    return result.output.split(separator: "\n").dropFirst().reduce(into: [:]) { sums, row in
      let words = row.split(separator: " ").map { String($0) }
      let stream = words[0].split(separator: "/").last.map { String($0) } ?? ""
      sums[stream] = words.dropFirst().compactMap { Int($0) }
    }
  }

  private func lines(_ name: String, _ stream: String, _ file: String) throws -> [String] {
    let path = "\(folder.path)/\(name)/\(stream)/\(stream)-\(file).jsonl"
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      String($0)
    }
  }

  @Test func `each stream can have its own number of lines`() throws {
    let sums = try generate(
      "counts", ["--count", "400", "--receipts", "100", "--level-ups", "300", "--days", "5"])
    #expect(
      sums.mapValues { $0[0...1] } == [
        "receipt": [5, 100], "level_up": [5, 300], "game_user": [5, 400],
        "item": [5, 400], "event": [5, 400],
      ])
    // files, lines, repeats, bad lines, late lines, corrections, bytes
    #expect(sums.values.allSatisfy { $0.count == 7 })
  }

  @Test func `files of a given number have equal numbers of lines`() throws {
    _ = try generate("equal", ["--count", "11", "--files", "3", "--stream", "level_up"])
    #expect(
      try ["0001", "0002", "0003"].map { try lines("equal", "level_up", $0).count } == [4, 4, 3])
  }

  @Test func `several applications share the users`() throws {
    _ = try generate("apps", ["--count", "3000", "--apps", "3", "--files", "1"])
    let text = try lines("apps", "game_user", "0001").joined(separator: "\n")
    let counts = ["Qb2FhTzN", "Kd7RmWxP", "Zt4LsVnC"].map {
      text.components(separatedBy: #""appId":"\#($0)""#).count - 1
    }
    #expect(counts.allSatisfy { $0 > 100 }, "\(counts)")
  }

  @Test func `a stream is the same alone and among others`() throws {
    _ = try generate("all", ["--count", "900", "--days", "3"])
    _ = try generate("alone", ["--count", "900", "--days", "3", "--stream", "game_user"])
    for day in ["2025-07-29", "2025-07-30", "2025-07-31"] {
      #expect(
        try lines("all", "game_user", day) == lines("alone", "game_user", day), "\(day)")
    }
  }

  @Test(arguments: [
    (["--apps", "0"], "--apps must lie in 1...8"), (["--apps", "9"], "--apps must lie in 1...8"),
    (["--receipts=-1"], "must not be negative"), (["--late-share", "0.6"], "late lines"),
    (["--correction-share", "0.2"], "corrections"), (["--users", "0"], "Users"),
  ])
  func `invalid options are refused with a reason`(arguments: [String], reason: String) throws {
    let result = try program.run(["generate", "\(folder.path)/refused"] + arguments)
    #expect(result.exitCode == 64)
    #expect(result.errors.contains(reason), "\(result.errors)")
  }

  @Test func `memory does not grow with the lines`() throws {
    let few = try peak(["--count", "1000"])
    let many = try peak(["--count", "120000"])
    // The lines have 55 MiB, and as records they would take 25 MiB.
    #expect(many - few < 12 * 1024, "\(few) and \(many) KiB")
  }

  /// The most memory, in KiB, that a run needs.
  private func peak(_ arguments: [String]) throws -> Int {
    let running = try program.start(
      ["generate", "\(folder.path)/peak", "--users", "2000", "--stream", "receipt", "--days", "10"]
        + arguments)
    let status = "/proc/\(running.processID)/status"
    var peak = 0
    while let text = try? String(contentsOfFile: status, encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    {
      peak = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? peak
      usleep(1000)
    }
    #expect(try running.wait().exitCode == 0)
    return peak
  }
}
