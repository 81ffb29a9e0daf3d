import Foundation
import TestSupport
import Testing

/// A crash must not leave the program's memory on disk or in the output.
struct CrashTests {
  @Test func `a crash dumps no core and prints no memory`() throws {
    let folder = try TemporaryFolder()
    let pipe = "\(folder.path)/receipt.jsonl"
    #expect(mkfifo(pipe, 0o600) == 0)
    var program = try Command.gamebaseIngest
    program.environment["SWIFT_BACKTRACE"] = .some(nil)
    program.input = pipe
    // Without a writer, the start would wait for one.
    let writer = open(pipe, O_RDWR | O_CLOEXEC)
    let running = try program.start(["validate", "-", "--stream", "receipt"])
    // More than a pipe holds, so the write returns once the program reads.
    let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 256 * 1024)
    #expect(write(writer, blanks, blanks.count) == blanks.count)
    let limits = try String(contentsOfFile: "/proc/\(running.processID)/limits", encoding: .utf8)
    let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
    #expect(core?.split(separator: " ").suffix(3) == ["0", "0", "bytes"])
    // The kernel makes root the owner of the /proc files of a process that must not be dumped.
    var status = stat()
    #expect(stat("/proc/\(running.processID)/environ", &status) == 0)
    if geteuid() != 0 { #expect(status.st_uid == 0) }
    running.signal(SIGABRT)
    close(writer)
    let result = try running.wait()
    #expect(result.exitCode == 128 + SIGABRT)
    #expect(result.errors.isEmpty)
  }
}
