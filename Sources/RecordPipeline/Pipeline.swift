internal import Crypto

/// The whole way from a file's bytes to rows and rejects; knows no database.
///
///     bytes ── LineReader ── lines ── LineDecoder ── values ── stream.encode ── rows ── RowRouter
///       └─ SHA-256                        └───────────── Rejection ─────────────┘          │
///                                                            └──────── Batch ◀─────────────┘
///
/// A line that breaks a rule becomes a `RejectedLine` and the next line is read; only bytes that
/// cannot be read at all (`ReadError`) end a run.
package struct Pipeline {
  package let stream: RecordStream
  package let rules: NormalizationRules
  /// What rows and rejects say they came from.
  package let sourceFileID: Int64
  private let columnCount: Int

  package init(stream: RecordStream, rules: NormalizationRules, sourceFileID: Int64) {
    self.stream = stream
    self.rules = rules
    self.sourceFileID = sourceFileID
    columnCount = stream.allColumns.count
  }

  /// How a table stands when a file is started: see `RowRouter`.
  package struct RoutingStart: Sendable {
    package var largestKnownKey: [UInt8]?
    package var memory: Int
    package var seed: UInt64

    package init(largestKnownKey: [UInt8]?, memory: Int, seed: UInt64) {
      self.largestKnownKey = largestKnownKey
      self.memory = memory
      self.seed = seed
    }
  }

  /// Reads a source to its end.
  ///
  /// - Parameters:
  ///   - emit: takes each batch as it is full, and the last one; it may wait, which is how a slow
  ///     database holds the reader back.
  ///   - progress: hears the decoded stream's offset about once per read.
  /// - Returns: what was read, with the digest of all bytes.
  package func run(
    _ source: any ByteSource, routing: RoutingStart, emit: (Batch) throws -> Void,
    progress: (_ bytes: Int, _ lines: Int) -> Void = { _, _ in }
  ) throws -> FileTotals {
    var totals = FileTotals()
    let digest = RunningDigest()
    let reader = LineReader(source, limit: rules.limits.lineBytes) { digest.update($0) }
    let decoder = LineDecoder(names: stream.fields, rules: rules, limits: rules.limits)
    var router = RowRouter(
      floor: routing.largestKnownKey, memory: routing.memory, seed: routing.seed)
    var batch = Batch()

    while let line = try reader.next() {
      totals.lineCount += 1
      if !line.isTooLong, line.bytes.isBlank {
        totals.blankCount += 1
      } else {
        do throws(Rejection) {
          try encode(line, with: decoder, into: batch, router: &router)
        } catch {
          batch.add(reject(line, error))
          totals.rejectedCount += 1
        }
      }
      if batch.isFull {
        batch.position = (totals.lineCount, reader.byteOffset)
        try emit(batch)
        batch = Batch()
        progress(reader.byteOffset, totals.lineCount)
      }
    }
    if !batch.isEmpty {
      batch.position = (totals.lineCount, reader.byteOffset)
      try emit(batch)
    }
    progress(reader.byteOffset, totals.lineCount)
    totals.byteCount = reader.byteOffset
    totals.sha256 = digest.value
    return totals
  }

  private func encode(
    _ line: InputLine, with decoder: LineDecoder, into batch: Batch, router: inout RowRouter
  ) throws(Rejection) {
    if line.isTooLong {
      throw Rejection(
        .lineTooLong, "it has \(line.byteCount) bytes; the limit is \(rules.limits.lineBytes)")
    }
    let rows = batch.newRows
    let start = rows.count
    do throws(Rejection) {
      try decoder.decode(line.bytes)
      let decoded = decoder.line
      rows.beginRow(columnCount: columnCount)
      try stream.encode(decoded, rows)
      rows.finishRow(decoded, sourceFileID: sourceFileID, lineNumber: line.number)
    } catch {
      rows.truncate(to: start)
      throw error
    }
    let key = rows.key(ofRowAt: start, columnCount: stream.keyColumnCount)
    if stream.isPartitionedByMonth { batch.note(timeOf: key.first) }
    if !router.isCertainlyNew(key: key.all, orderKey: key.first) {
      rows.moveLastRow(from: start, to: batch.possiblyKnownRows)
    }
  }

  private func reject(_ line: InputLine, _ rejection: Rejection) -> RejectedLine {
    // A line that is no object may be a string that holds one.
    let isObject =
      switch rejection.code {
      case .malformedJSON, .invalidUTF8, .notAnObject, .lineTooLong, .nestingTooDeep: false
      default: true
      }
    let masked =
      isObject
      ? SecretMasking.masked(jsonAndItsStrings: line.bytes)
      : SecretMasking.masked(malformed: line.bytes)
    return RejectedLine(
      rejection: rejection, lineNumber: line.number, byteOffset: line.byteOffset,
      raw: Array(masked.prefix(RejectedLine.rawLimit)), rawByteCount: line.byteCount)
  }
}

/// What was read of a file, apart from what the database made of its rows.
package struct FileTotals: Sendable, Equatable {
  package var lineCount = 0
  package var blankCount = 0
  package var rejectedCount = 0
  /// Of the decoded stream.
  package var byteCount = 0
  package var sha256: [UInt8] = []

  /// Lines that became rows.
  package var rowCount: Int { lineCount - blankCount - rejectedCount }

  package init() {}
}

/// A SHA-256 that bytes are added to as they pass by.
package final class RunningDigest {
  private var hash = SHA256()

  package init() {}

  package func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

  package var value: [UInt8] { Array(hash.finalize()) }

  /// The digest of a whole source, and how many bytes it has.
  ///
  /// - Parameter check: called at each read; ends it by throwing.
  package static func digest(
    of source: any ByteSource, checking check: () throws -> Void = {}
  ) throws -> (sha256: [UInt8], byteCount: Int) {
    let digest = RunningDigest()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 64)
    defer { buffer.deallocate() }
    var total = 0
    while true {
      try check()
      let count = try source.read(into: buffer)
      if count == 0 { return (digest.value, total) }
      digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      total += count
    }
  }
}
