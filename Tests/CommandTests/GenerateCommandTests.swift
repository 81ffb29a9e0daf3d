import Foundation
import TestSupport
import Testing

struct GenerateCommandTests {
  @Test func `memory does not grow with the lines`() throws {
    let few = try peak(days: 2)
    let many = try peak(days: 200)
    // The lines have 60 MiB.
    #expect(many - few < 12 * 1024, "\(few) and \(many) KiB")
  }

  /// The most memory, in KiB, that a run needs.
  private func peak(days: Int) throws -> Int {
    let folder = try TemporaryFolder()
    let running = try Command.gamebaseIngest.start([
      "generate", folder.path, "--users", "3000", "--days", "\(days)",
    ])
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
