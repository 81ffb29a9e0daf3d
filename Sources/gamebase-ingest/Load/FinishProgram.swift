internal import Configuration
internal import Foundation

/// The program of `--on-finish`, which gets the report of a run on its standard input.
struct FinishProgram {
  struct Failure: Error, CustomStringConvertible { let description: String }

  private let command: [String]
  /// Seconds after which the program is killed.
  private let timeout: Double

  /// Variables that can hold secrets of the database and of storage, or settings of this program.
  private static let keptPrefixes = ["PG", "AWS_", OptionKey.environmentPrefix]

  init(_ command: [String], timeout: Double = 60) {
    self.command = command
    self.timeout = timeout
  }

  /// Runs the program to its end; its output goes to standard error.
  ///
  /// - Throws: `Failure` when it cannot be started, takes too long, or does not end with 0.
  func run(input: Data) throws {
    let program = command[0]
    let path = NSTemporaryDirectory() + "gamebase-ingest-report-\(getpid())"
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure(description: "cannot keep the report for \(program): \(Self.text(errno))")
    }
    // Only the open file is used, so no other program can change what it reads.
    unlink(path)
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: input)
    lseek(descriptor, 0, SEEK_SET)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    let environment = ProcessInfo.processInfo.environment.filter { entry in
      !Self.keptPrefixes.contains { entry.key.hasPrefix($0) }
    }
    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    var child = pid_t()
    let code = posix_spawn(&child, program, &actions, nil, arguments, variables)
    guard code == 0 else {
      throw Failure(description: "cannot run \(program): \(Self.text(code))")
    }
    try wait(for: child)
  }

  private func wait(for child: pid_t) throws(Failure) {
    let start = ContinuousClock.now
    var status: Int32 = 0
    while true {
      let ended = waitpid(child, &status, WNOHANG)
      if ended == child || (ended < 0 && errno != EINTR) { break }
      if ContinuousClock.now - start > .seconds(timeout) {
        kill(child, SIGKILL)
        waitpid(child, &status, 0)
        throw Failure(description: "\(command[0]) took more than \(Int(timeout)) s and was killed")
      }
      usleep(20_000)
    }
    guard status != 0 else { return }
    let signal = status & 0x7F
    throw Failure(
      description: signal != 0
        ? "\(command[0]) was ended by signal \(signal)"
        : "\(command[0]) ended with \((status >> 8) & 0xFF)")
  }

  private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
