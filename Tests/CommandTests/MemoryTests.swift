import Foundation
import TestSupport
import Testing

/// The program's memory stays bounded whatever a file holds.
@Suite(.serialized, .needsServer, .ownDatabase) struct MemoryTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  /// The most memory, in KiB, that a program needs until its end.
  ///
  /// The kernel keeps the peak, so sampling it is enough. The peak from `wait4` includes the memory
  /// of the parent process and cannot be used.
  private func peak(of running: Command.Running) -> Int {
    let status = "/proc/\(running.processID)/status"
    var peak = 0
    while let text = try? String(contentsOfFile: status, encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    {
      peak = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? peak
      usleep(1000)
    }
    return peak
  }

  /// Loads a file and returns how much memory that took at most, in MiB.
  private func peak(loading path: String, expecting rejects: [[String]]) throws -> Int {
    let running = try fixture.program.start([
      "load", path, "--stream", "receipt", "--max-rejects", "unlimited", "--quiet", "--database",
      fixture.database.conninfo,
    ])
    let peak = self.peak(of: running)
    let result = try running.wait()
    #expect(result.exitCode == 3, "\(result.errors)")
    let stored = try fixture.database.rows(
      "select line_number, code, raw_byte_count from ingest.reject order by 1")
    #expect(stored == rejects)
    #expect(try fixture.database.value("select count(*) from game.receipt") == "1")
    return peak / 1024
  }

  private static let good = Array((CommandFixture.receipt(1) + "\n").utf8)

  @Test func `a line of 300 MiB is skipped within bounded memory`() throws {
    let path = try fixture.folder.write("receipt.jsonl", Self.good)
    let size = 300 * 1024 * 1024
    // A hole in the file reads as NULs and costs nothing.
    truncate(path, off_t(Self.good.count + size))
    let peak = try peak(loading: path, expecting: [["2", "line_too_long", "\(size)"]])
    #expect(peak > 4 && peak < 256, "\(peak) MiB")
  }

  @Test func `a gibibyte in 32 KiB of zstd is read within bounded memory`() throws {
    let blocks = 8192
    var archive: [UInt8] = []
    // A frame with the good line uncompressed, then one of blocks that each repeat one byte 128 KiB
    // times.
    let header: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 7 << 3]
    func blockHeader(size: Int, type: Int, isLast: Bool) -> [UInt8] {
      let word = size << 3 | type << 1 | (isLast ? 1 : 0)
      return [UInt8(word & 0xFF), UInt8(word >> 8 & 0xFF), UInt8(word >> 16 & 0xFF)]
    }
    archive += header + blockHeader(size: Self.good.count, type: 0, isLast: true) + Self.good
    archive += header
    for block in 1...blocks {
      archive += blockHeader(size: 128 * 1024, type: 1, isLast: block == blocks)
      archive.append(UInt8(ascii: "x"))
    }
    let path = try fixture.folder.write("receipt.jsonl.zst", archive)
    let peak = try peak(
      loading: path, expecting: [["2", "line_too_long", "\(blocks * 128 * 1024)"]])
    #expect(peak > 4 && peak < 256, "\(peak) MiB")
  }

  private static let start = String(CommandFixture.receipt(2).dropLast())

  @Test(arguments: [
    ("", "[", "", "nesting_too_deep"), ("", "\"", "", "malformed_json"),
    (start, ",\"\":1", "}", "text_too_long"),
    ("\(start),\"payload\":\"", "\\u0041", "\"}", "text_too_long"),
    ("\(start),\"payload\":\"{", "\\\"purchaseToken\\\":\\\"x\\\",", "\"}", "text_too_long"),
  ])
  func
    `16 MiB of brackets, quotes, members, escapes or names of tokens are refused within bounded memory`(
      start: String, unit: String, end: String, code: String
    ) throws
  {
    let count = (16 * 1024 * 1024 - start.utf8.count - end.utf8.count) / unit.utf8.count
    let line = start + String(repeating: unit, count: count) + end
    let path = try fixture.folder.write("receipt.jsonl", Self.good + Array(line.utf8) + [0x0A])
    let peak = try peak(loading: path, expecting: [["2", code, "\(line.utf8.count)"]])
    #expect(peak > 4 && peak <= 128, "\(peak) MiB")
  }

  @Test func `a thousand files are checked within bounded memory`() throws {
    for number in 0..<1000 {
      _ = try fixture.folder.write("receipt-of-the-night-\(number).jsonl", Self.good)
    }
    let running = try fixture.program.start(["validate", fixture.folder.path])
    let peak = self.peak(of: running) / 1024
    #expect(try running.wait().exitCode == 0)
    #expect(peak > 4 && peak <= 128, "\(peak) MiB")
  }

  @Test func `what generate needs does not grow with the lines`() throws {
    let peaks: [Int] = try [2, 200].map { days in
      let running = try fixture.program.start([
        "generate", "\(fixture.folder.path)/\(days)", "--users", "3000", "--days", "\(days)",
      ])
      let peak = self.peak(of: running)
      #expect(try running.wait().exitCode == 0)
      return peak
    }
    // The lines have 60 MiB.
    #expect(peaks[1] - peaks[0] < 12 * 1024, "\(peaks) KiB")
  }
}
