import RecordPipeline
import TestSupport
import Testing

@testable import Loading

/// The progress of a run, as the display shows it.
@Suite(.serialized, .needsServer, .ownDatabase) struct ProgressTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func run(
    _ paths: [String], _ progress: LoadProgress, options: LoadOptions = LoadFixture.options
  ) throws -> RunReport {
    LoadRun(
      options, target: try fixture.database.target, progress: progress
    ).load(try LoadFixture.inputs(paths))
  }

  private func size(of paths: [String]) -> Int {
    paths.map { Input(path: $0, stream: "").sizeOnDisk }.reduce(0, +)
  }

  @Test func `the lines of small files that share a transaction are counted`() throws {
    let paths = try (0..<30).map { number in
      try fixture.folder.write(
        "receipt-\(number + 10).jsonl",
        lines: (0..<10).map { Lines.receipt(["paymentSeq": "\"\(number)-\($0)\""]) })
    }
    let progress = LoadProgress()
    _ = try run(paths, progress)
    #expect(progress.totals.lines == 300)
    #expect(progress.totals.bytes == size(of: paths))
  }

  @Test func `a finished run has counted the bytes of every file once`() throws {
    let big = [Lines.tooLongToShare]
    let paths = try [
      fixture.folder.write("receipt-1.jsonl", lines: big + [Lines.receipt()]),
      fixture.folder.write("receipt-2.jsonl", lines: big + ["x", "y"]),
      fixture.folder.write("receipt-3.jsonl", lines: [Lines.receipt(["paymentSeq": "\"3\""])]),
      fixture.folder.write("receipt-4.jsonl.gz", [0x1F, 0x8B, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
      fixture.folder.write("receipt-5.jsonl.gz", [UInt8](repeating: 0, count: 0)),
      fixture.folder.write("receipt-6.jsonl", lines: big + [Lines.receipt()]),
    ]
    var options = LoadFixture.options
    options.rejectLimit = .count(1)
    let progress = LoadProgress()
    let report = try run(paths, progress, options: options)
    #expect(
      report.files.map(\.status) == [.loaded, .failed, .loaded, .failed, .failed, .alreadyLoaded])
    #expect(progress.totals.bytes == size(of: paths))
  }

  @Test func `the refresh of the reports is a phase of its own`() throws {
    let path = try fixture.folder.write("receipt.jsonl", lines: [Lines.receipt()])
    var options = LoadFixture.options
    for refreshes in [false, true] {
      options.refreshes = refreshes
      let progress = LoadProgress()
      let report = try run([path], progress, options: options)
      #expect(report.exitCode == 0)
      #expect((progress.refresh.current?.phase == (refreshes ? .sums : nil)))
    }
  }

  @Test func `a compressed file never shows more bytes than it has on disk`() throws {
    let lines = (0..<60_000).map { Lines.receipt(["paymentSeq": "\"p\($0)\""]) }
    let plain = try fixture.folder.write("receipt.jsonl", lines: lines)
    let result = try Command("/usr/bin/gzip").run([plain])
    #expect(result.exitCode == 0)
    let path = plain + ".gz"
    let total = size(of: [path])
    let progress = LoadProgress()
    let load = Background { try run([path], progress) }
    let watch = Background { () -> Int in
      var most = 0
      while progress.totals.lines < lines.count { most = max(most, progress.totals.bytes) }
      return most
    }
    #expect(try load.value().exitCode == 0)
    let most = try watch.value()
    #expect(most > 0 && most <= total, "\(most) of \(total) bytes")
    #expect(progress.totals.bytes == total)
  }
}
