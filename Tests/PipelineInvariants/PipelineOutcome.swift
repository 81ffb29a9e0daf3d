import RecordPipeline

/// The complete output of a pipeline for some bytes, read as one file.
struct PipelineOutcome {
  private(set) var newRows: [UInt8] = []
  private(set) var possiblyKnownRows: [UInt8] = []
  private(set) var rowCount = 0
  /// The rows of records within the lines, new ones and others.
  private(set) var embeddedRows: [UInt8] = []
  private(set) var embeddedRowCount = 0
  private(set) var rejects: [RejectedLine] = []
  private(set) var months: Set<Int> = []
  private(set) var totals = FileTotals()

  static let sourceFileID: Int64 = 7

  /// - Parameter chunk: the largest number of bytes in one read.
  init(
    of bytes: [UInt8], as stream: RecordStream, rules: NormalizationRules, chunk: Int = .max
  ) throws {
    let pipeline = Pipeline(stream: stream, rules: rules, sourceFileID: Self.sourceFileID)
    let start = RoutingStart(largestKnownKey: nil, memory: 0, seed: 1)
    totals = try pipeline.run(MemorySource(bytes, chunk: chunk), routing: start) { batch in
      newRows += batch.newRows.bytes
      possiblyKnownRows += batch.possiblyKnownRows.bytes
      rowCount += batch.newRows.rowCount + batch.possiblyKnownRows.rowCount
      if let embedded = batch.embedded {
        embeddedRows += Array(embedded.newRows.bytes) + Array(embedded.possiblyKnownRows.bytes)
        embeddedRowCount += embedded.newRows.rowCount + embedded.possiblyKnownRows.rowCount
      }
      rejects += batch.rejects
      months.formUnion(batch.months)
    }
  }

  /// The first difference from another outcome; nil when there is none.
  func difference(from other: PipelineOutcome) -> String? {
    if totals != other.totals { return "totals \(totals) and \(other.totals)" }
    if newRows != other.newRows { return "new rows" }
    if possiblyKnownRows != other.possiblyKnownRows { return "possibly known rows" }
    if embeddedRows != other.embeddedRows { return "rows of records within lines" }
    if months != other.months { return "months" }
    for (one, two) in zip(rejects, other.rejects)
    where one.rejection != two.rejection || one.lineNumber != two.lineNumber
      || one.byteOffset != two.byteOffset || one.raw != two.raw
      || one.rawByteCount != two.rawByteCount
    {
      return "the reject of line \(one.lineNumber)"
    }
    return rejects.count == other.rejects.count ? nil : "the number of rejects"
  }
}

/// Bytes in memory, handed out in pieces.
private final class MemorySource: ByteSource {
  private let bytes: [UInt8]
  private let chunk: Int
  private var position = 0

  init(_ bytes: [UInt8], chunk: Int) {
    self.bytes = bytes
    self.chunk = max(1, chunk)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    let count = min(chunk, buffer.count, bytes.count - position)
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }
}
