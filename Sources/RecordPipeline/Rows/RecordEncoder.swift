/// Encodes lines, one after another, as rows of a batch, or returns the rejection of a line.
///
/// It is the core of `Pipeline`, and also replays stored rejects.
package struct RecordEncoder: ~Copyable {
  private(set) var pipeline: Pipeline
  private var encoder: LineEncoder
  private var router: RowRouter
  /// The rows of the records within the lines; without any when the stream embeds no other one.
  private var embedded: RowRouter
  private var rejects: [RejectedLine] = []
  private var rejectBytes = 0
  private var unknown = UnknownFields()
  private var known: KnownFields
  private var counts = FileTotals()
  /// nil when no user was erased.
  private let erasedUsers: ErasedUsers.LookUp?

  /// - Parameter startsSmall: true for a single file, whose first batches are smaller.
  package init(_ pipeline: Pipeline, routing: RoutingStart, startsSmall: Bool = false) {
    self.pipeline = pipeline
    erasedUsers = pipeline.erasedUsers?.lookUp
    let stream = pipeline.stream
    encoder = LineEncoder(stream, rules: pipeline.rules)
    router = RowRouter(
      routing, of: stream, targetBytes: startsSmall ? Batch.firstBytes : Batch.maxBytes)
    embedded = RowRouter(routing.ofEmbedded, of: stream.embedded ?? stream)
    known = KnownFields(stream)
  }

  /// Starts the next file of a group; the batch and the keys of earlier files stay.
  mutating func beginFile(_ sourceFileID: Int64) {
    pipeline.sourceFileID = sourceFileID
    unknown = UnknownFields()
    known = KnownFields(pipeline.stream)
    counts = FileTotals()
  }

  /// The counts of the current file's lines so far.
  package var totals: FileTotals {
    var totals = counts
    totals.unknownFields = unknown.fields
    totals.knownFields = known.found
    return totals
  }

  /// Encodes a line, and appends its row to the batch.
  ///
  /// - Throws: as `LineEncoder.encode`.
  package mutating func encode(_ line: InputLine) throws(ReadError) -> LineOutcome {
    counts.lineCount += 1
    var outcome = try encoder.encode(line, to: &router.newRows)
    if let erasedUsers, encoder.isDecoded, encoder.isOfAny(erasedUsers) {
      outcome = .suppressed
    } else if encoder.isDecoded {
      // Not before the line is known to be kept: an erased user's line leaves no trace.
      unknown.note(encoder.decoded.unknownNames, line: line.number)
    }
    switch outcome {
    case .row:
      takeRow(line.number)
      return outcome
    case .blank: counts.blankCount += 1
    case .suppressed: counts.suppressedCount += 1
    case .rejected(let rejection):
      counts.rejectedCount += 1
      if rejection.code == .truncatedLine { counts.cutLine = CutLine(line) }
    }
    if encoder.isDecoded { router.newRows.discardRow() }
    return outcome
  }

  private mutating func takeRow(_ lineNumber: Int) {
    known.note(encoder.decoded.present & ~encoder.decoded.stream.inData)
    // An erasure would not find a user in `extra` of lines that belong to no user.
    if erasedUsers != nil, !pipeline.stream.hasUser { encoder.decoded.extra.drop() }
    encoder.decoded.finish(
      &router.newRows, pipeline.sourceFileID, lineNumber: lineNumber)
    router.takeLastRow()
    guard let event = encoder.event, event.content == .receipt else { return }
    // The names of the record's members count with those of the lines, as `data.name`.
    for name in event.receipt.unknownNames {
      (Array("\(EventEncoder.nameOfData).".utf8) + name.buffer).withSlice {
        unknown.note([$0], line: lineNumber)
      }
    }
    event.receipt.finish(
      &event.receiptRow, pipeline.sourceFileID, lineNumber: lineNumber)
    embedded.newRows.append(event.receiptRow.lastRow)
    embedded.takeLastRow()
    counts.embeddedRowCount += 1
  }

  /// True when the batch must be closed before the next line; a short reject takes more memory than its bytes.
  var isBatchFull: Bool {
    router.count + embedded.count + rejectBytes >= router.targetBytes || rejects.count >= 10_000
  }

  /// Closes the batch and returns it; the next lines go to a new one.
  ///
  /// - Parameter byteCount: the number of bytes of the decoded stream that have been read.
  package mutating func closeBatch(byteCount: Int = 0) -> Batch {
    let position = (lines: counts.lineCount, bytes: byteCount)
    let records = pipeline.stream.embeddedStreamName.map { _ in embedded.closeBatch(position) }
    rejectBytes = 0
    return router.closeBatch(position, rejects: exchange(&rejects, with: []), embedded: records)
  }

  /// Appends the line that `encode` has just refused to the rejects of the batch.
  mutating func keep(_ line: InputLine, _ rejection: Rejection) {
    let reject = RejectedLine(line, rejection, owner: encoder.owner, of: pipeline)
    rejects.append(reject)
    rejectBytes += reject.raw.count
  }
}
