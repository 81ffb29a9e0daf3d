import Foundation
import TestSupport
import Testing

/// The private server of `--local`; it needs PostgreSQL's programs, not `TEST_DATABASE`.
@Suite(
  .serialized,
  .enabled(
    if: TestServer.mustExist || FileManager.default.fileExists(atPath: "/usr/lib/postgresql"),
    "PostgreSQL's server programs are not here"))
final class LocalCommandTests {
  let program: Command
  let folder: TemporaryFolder
  private var made: [String] = []

  init() throws {
    program = try .gamebaseIngest
    folder = try TemporaryFolder()
    try folder.write("receipt.jsonl", lines: [CommandFixture.receipt(1)])
  }

  deinit {
    for directory in made { _ = try? program.run(["local", "destroy", "--directory", directory]) }
  }

  private var input: String { folder.path + "/receipt.jsonl" }

  /// A folder for a test's server; the server is always destroyed at the end.
  private func directory(_ name: String) -> String {
    let path = "\(folder.path)/\(name)"
    made.append(path)
    return path
  }

  private func local(_ command: String, _ directory: String) throws -> Command.Result {
    try program.run(["local", command, "--directory", directory])
  }

  @Test(arguments: [0.0, 0.2, 0.5])
  func `a creation that was killed stops neither the next one nor a removal`(seconds: Double) throws
  {
    for isRemoved in [true, false] {
      let directory = directory("killed-\(seconds)-\(isRemoved)")
      let creation = try program.start(["local", "start", "--directory", directory])
      #expect(creation.waitForError("creating a private PostgreSQL cluster"))
      Thread.sleep(forTimeInterval: seconds)
      creation.signal(SIGKILL)
      _ = try creation.wait()
      if !isRemoved {
        let started = try local("start", directory)
        #expect(started.exitCode == 0, "\(started.errors)")
      }
      let removal = try local("destroy", directory)
      #expect(removal.exitCode == 0, "\(removal.errors)")
      #expect(!FileManager.default.fileExists(atPath: directory))
    }
  }

  @Test func `programs that start the same server at once share it`() throws {
    let directory = directory("shared")
    let started = try (0..<6).map { _ in
      try program.start(["load", input, "--local", directory])
    }
    let results = try started.map { try $0.wait() }
    #expect(results.map(\.exitCode) == Array(repeating: 0, count: 6), "\(results.map(\.errors))")
    let loaded = results.filter { !$0.output.contains("already_loaded") }
    #expect(loaded.count == 1)
  }
}
