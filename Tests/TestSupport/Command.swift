package import Foundation

/// Runs programs like a shell and captures their output.
///
/// Foundation's `Process` is not used: it waits for everything that the program leaves running,
/// such as a private server.
package struct Command: Sendable {
  package struct Result: Sendable {
    /// The exit code as a shell reports it: 128 plus the signal's number after a signal.
    package let exitCode: Int32
    package let output: String
    package let errors: String
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package let program: String
  /// Added to the environment; nil removes a variable.
  package var environment: [String: String?] = [:]
  package var input = "/dev/null"

  package init(_ program: String) { self.program = program }

  /// The program under test, which is in the folder of the test bundle.
  package static var gamebaseIngest: Command {
    get throws {
      let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      let program = bundle.deletingLastPathComponent().appendingPathComponent("gamebase-ingest")
      guard FileManager.default.isExecutableFile(atPath: program.path) else {
        throw Failure(description: "\(program.path) is not there; run swift build --build-tests")
      }
      return Command(program.path)
    }
  }

  /// Runs the program to its end.
  package func run(_ arguments: [String]) throws -> Result { try start(arguments).wait() }

  /// Starts the program and returns at once.
  package func start(_ arguments: [String]) throws -> Running {
    let folder = try TemporaryFolder()
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &files, STDOUT_FILENO, "\(folder.path)/output", O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(
      &files, STDERR_FILENO, "\(folder.path)/errors", O_WRONLY | O_CREAT, 0o600)

    // Database settings in the environment must not affect a test.
    var merged = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PG") }
    for (name, value) in environment { merged[name] = value }
    let argv = ([program] + arguments).map { strdup($0) } + [nil]
    let envp = merged.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    // The threads of tests block signals, and a child inherits the mask.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var child = pid_t()
    let code = posix_spawn(&child, program, &files, &attributes, argv, envp)
    guard code == 0 else {
      throw Failure(description: "cannot run \(program): \(String(cString: strerror(code)))")
    }
    return Running(processID: child, folder: folder)
  }

  package struct Running: Sendable {
    package let processID: pid_t
    fileprivate let folder: TemporaryFolder

    package func signal(_ number: Int32) { kill(processID, number) }

    /// The text that the program has written to standard error so far.
    package var errorsSoFar: String { text("errors") }

    /// True when the program has ended; its exit code waits for `wait`.
    package var hasEnded: Bool {
      let status = FileManager.default.contents(atPath: "/proc/\(processID)/stat") ?? Data()
      return String(decoding: status, as: UTF8.self).contains(") Z ")
    }

    /// Waits until standard error contains a text, for at most half a minute, or until the end.
    ///
    /// - Returns: false when the program has not written the text.
    package func waitForError(_ text: String) -> Bool {
      for _ in 0..<3000 {
        if errorsSoFar.contains(text) { return true }
        if hasEnded { return errorsSoFar.contains(text) }
        Thread.sleep(forTimeInterval: 0.01)
      }
      return false
    }

    private func text(_ name: String) -> String {
      FileManager.default.contents(atPath: "\(folder.path)/\(name)")
        .map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    package func wait() throws -> Result {
      var status: Int32 = 0
      while waitpid(processID, &status, 0) < 0 {
        guard errno == EINTR else { throw Failure(description: "waitpid failed") }
      }
      let signal = status & 0x7F
      return Result(
        exitCode: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, output: text("output"),
        errors: text("errors"))
    }
  }
}
