import Foundation
import Loading
import RecordPipeline
import TestSupport
import Testing

/// Lines that agree give the same rows in one file, and in any files with little memory of keys.
@Suite(.serialized, .needsServer, .ownDatabaseAlsoOnCluster) struct OrderTests {
  /// Random on every run; a failure prints its seed, and `ORDER_SEED` repeats it.
  private static let seed =
    ProcessInfo.processInfo.environment["ORDER_SEED"].flatMap { UInt64($0) }
    ?? .random(in: .min ... .max)

  /// By stream: a member of the key, and members that a line may lack.
  static let members: [String: (key: String, others: KeyValuePairs<String, String>)] = [
    "receipt": ("paymentSeq", ["storeCode": #""GG""#, "payload": #""x""#, "itemSeq": "5"]),
    "level_up": ("appId", ["channelId": #""ch""#, "classId": #""c""#]),
    "game_user": ("appId", ["classId": #""c""#]),
    "item": ("eventTime", ["itemName": #""x""#, "active": "true"]),
    "event": ("eventId", ["data": #"{"a":1}"#]),
  ]

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `any order and any files give the rows of one file`(stream: String) throws {
    var random = SplitMix(state: Self.seed)
    let (key, others) = try #require(Self.members[stream])
    let line = try #require(Lines.all[stream])
    var keys: Set<Int> = []
    // More than two thousand keys fill the smallest table. A quarter of the lines repeat a key.
    var lines = (0..<6000).map { place in
      let isNew = Int.random(in: 0..<4, using: &random) > 0
      let number = isNew ? place : Int.random(in: 0...place, using: &random)
      keys.insert(number)
      var changes: [String: String?] = [
        key: key == "eventTime" ? "\(1_751_328_000_000 + number)" : "\"\(10_000 + number)\""
      ]
      for (name, value) in others where Bool.random(using: &random) { changes[name] = value }
      return line(changes)
    }
    let expected = try rows(stream, [lines], keyMemory: LoadFixture.options.keyMemory)
    #expect(expected?.hasPrefix("\(keys.count) rows") == true, "seed \(Self.seed)")
    if Bool.random(using: &random) { lines.shuffle(using: &random) }
    var files = [[String]](repeating: [], count: .random(in: 1...2, using: &random))
    for line in lines { files[Int.random(in: 0..<files.count, using: &random)].append(line) }
    #expect(try rows(stream, files, keyMemory: 0) == expected, "seed \(Self.seed)")
  }

  /// The number and a digest of the rows that files become, without their lines.
  private func rows(_ stream: String, _ files: [[String]], keyMemory: Int) throws -> String? {
    let fixture = try LoadFixture()
    var options = LoadFixture.options
    options.keyMemory = keyMemory
    let paths = try files.indices.map { try fixture.folder.write("\($0)", lines: files[$0]) }
    let report = try fixture.load(paths, stream: stream, options: options)
    #expect(report.exitCode == 0, "seed \(Self.seed): \(report.files)")
    let table = try #require(StreamCatalog.stream(named: stream)).targetTable
    return try fixture.digests(ignoring: ["source_file_id", "line_number", "row_digest"])[table]
  }
}
