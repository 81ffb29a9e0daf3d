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

  @Test func `a private server is created, reused, stopped, started and destroyed`() throws {
    let directory = directory("server")
    let first = try program.run(["load", input, "--local", directory])
    #expect(first.exitCode == 0, "\(first.errors)")
    #expect(first.errors.contains("creating a private PostgreSQL cluster in \(directory)\n"))
    let second = try program.run(["load", input, "--local", directory])
    #expect(second.exitCode == 0)
    #expect(second.errors.isEmpty)
    #expect(second.output.contains("already_loaded"))

    #expect(try local("stop", directory).exitCode == 0)
    #expect(try local("stop", directory).exitCode == 0)
    let started = try local("start", directory)
    #expect(started.exitCode == 0)
    #expect(started.errors == "started the private PostgreSQL server in \(directory)\n")
    #expect(started.output == "host='\(directory)/socket' user=gamebase dbname=gamebase\n")
    let running = try local("start", directory)
    #expect(running.output == started.output)
    #expect(running.errors.isEmpty)
    let third = try program.run(["load", input, "--local", directory])
    #expect(third.output.contains("already_loaded"))
    // Any program can use the connection string.
    let status = try program.run([
      "status", "--database", started.output.trimmingCharacters(in: .newlines),
    ])
    #expect(status.exitCode == 0)

    #expect(try local("destroy", directory).exitCode == 0)
    #expect(!FileManager.default.fileExists(atPath: directory))
    let gone = try local("destroy", directory)
    #expect(gone.exitCode == 78)
    #expect(gone.errors == "gamebase-ingest: there is no private server in \(directory)\n")
  }

  @Test func `a variable names the folder of the server's programs`() throws {
    let directory = directory("named")
    var other = program
    other.environment["GAMEBASE_INGEST_SERVER_PROGRAMS"] = folder.path
    let wrong = try other.run(["local", "start", "--directory", directory])
    #expect(wrong.exitCode == 78)
    #expect(
      wrong.errors
        == "gamebase-ingest: GAMEBASE_INGEST_SERVER_PROGRAMS names no folder with initdb, pg_ctl and "
        + "postgres of version 15 or later; correct or unset it\n")
    #expect(!FileManager.default.fileExists(atPath: "\(directory)/data"))
  }

  @Test func `a path too long for a socket still works`() throws {
    let directory = directory(String(repeating: "long-name-", count: 12))
    let result = try program.run(["load", input, "--local", directory])
    #expect(result.exitCode == 0, "\(result.errors)")
    let host = try local("start", directory).output.split(separator: "'").dropFirst().first ?? ""
    #expect(host.hasPrefix("/tmp/gamebase-ingest-"))
    #expect(FileManager.default.fileExists(atPath: "\(host)/.s.PGSQL.5432"))
    #expect(try local("destroy", directory).exitCode == 0)
    #expect(!FileManager.default.fileExists(atPath: String(host)))
  }

  @Test func `a path with quotes, commas and spaces works`() throws {
    let directory = directory("it's a server, really")
    let result = try program.run(["load", input, "--local", directory])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try local("destroy", directory).exitCode == 0)
  }

  @Test(arguments: ["$HOME", "a\"b", "a`b`", "a\\b", "a\nb"])
  func `a path with characters special to a shell is refused`(name: String) throws {
    let directory = "\(folder.path)/\(name)"
    let result = try program.run(["load", input, "--local", directory])
    #expect(result.exitCode == 78)
    #expect(result.errors.contains("because pg_ctl passes the path to a shell"))
    #expect(!FileManager.default.fileExists(atPath: directory))
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

  @Test func `a folder without the marker file is refused and left unchanged`() throws {
    let ours = try folder.write("other/file", lines: ["mine"])
    let other = "\(folder.path)/other"
    for arguments in [
      ["load", input, "--local", other], ["local", "start", "--directory", other],
    ] {
      let result = try program.run(arguments)
      #expect(result.exitCode == 78)
      #expect(
        result.errors.contains("\(other) is not empty and is not the folder of a private server"))
    }
    for command in ["stop", "destroy"] {
      #expect(try local(command, other).exitCode == 78)
    }
    #expect(FileManager.default.contents(atPath: ours) == Data("mine\n".utf8))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can switch to another user"))
  func `a user other than root can run a private server`() throws {
    let home = "\(folder.path)/home"
    try FileManager.default.createDirectory(
      atPath: home, withIntermediateDirectories: false,
      attributes: [.ownerAccountName: "nobody"])
    let directory = directory("home/server")
    var env = Command("/usr/bin/env")
    env.environment["HOME"] = home
    let asNobody = ["setpriv", "--reuid", "nobody", "--clear-groups", program.program]
    let result = try env.run(asNobody + ["load", input, "--local", directory])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try env.run(asNobody + ["local", "destroy", "--directory", directory]).exitCode == 0)
  }
}
