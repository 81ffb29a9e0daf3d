import Testing

@testable import RecordPipeline

/// The diagnosis of files without a valid line.
struct FileDiagnosisTests {
  private func diagnosis(
    of bytes: [UInt8], as stream: RecordStream = .receipt,
    rules: NormalizationRules = standardRules
  ) throws -> FileDiagnosis {
    let reading = try Reading(ChunkedSource(bytes), as: stream, rules: rules)
    #expect(reading.totals.hasNoGoodLine)
    var sample = RejectSample()
    sample.note(reading.rejects)
    return FileDiagnosis(sample, stream: stream, rules: rules)
  }

  private func diagnosis(
    of lines: [String], as stream: RecordStream = .receipt,
    rules: NormalizationRules = standardRules
  ) throws -> FileDiagnosis {
    try diagnosis(of: Array(lines.map { $0 + "\n" }.joined().utf8), as: stream, rules: rules)
  }

  // MARK: - Other formats

  private static let header = "userId,paymentSeq,purchaseTime,price,currency"

  @Test(arguments: [
    (
      Array("PK\u{3}\u{4}\u{14}\0\0\0".utf8), FileDiagnosis.Kind.archive, "looks like a zip archive"
    ),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 0x0A, 0x01], .archive, "looks like an xz file"),
    (Array("BZh91AY&SY".utf8), .archive, "looks like a bzip2 file"),
    ([0x1F, 0x8B, 0x08, 0x00], .archive, "looks like a gzip file within an archive"),
    (Array("PAR1\u{15}".utf8), .binary, "looks like a Parquet file"),
    (Array("<!DOCTYPE html>\n<html>".utf8), .html, "looks like HTML"),
    (Array("<?xml version=\"1.0\"?>".utf8), .xml, "looks like XML"),
    (Array("\(header)\nu1,p1,1,1.5,USD\n".utf8), .csv, "looks like CSV"),
    (Array("\"userId\",\"price\"\r\n\"u1\",1\r\n".utf8), .csv, "looks like CSV"),
    (Array("userId;price\nu1;1\n".utf8), .csv, "looks like CSV with semicolons"),
    (Array("userId\tprice\nu1\t1\n".utf8), .tsv, "looks like TSV"),
    (
      Array("\n{\n  \"userId\": \"u1\"\n}\n".utf8), .prettyPrinted,
      "looks like JSON over several lines"
    ),
    (Array("[\n{\"userId\": \"u1\"}\n]".utf8), .array, "looks like one JSON array"),
    (
      Array("[{\"userId\": \"u1\"}, {\"userId\": \"u2\"}]".utf8), .array,
      "looks like one JSON array"
    ),
  ])
  func `another format is recognized by its first bytes`(
    bytes: [UInt8], kind: FileDiagnosis.Kind, guess: String
  ) throws {
    let diagnosis = try diagnosis(of: bytes)
    #expect(diagnosis.kind == kind)
    #expect(diagnosis.guess.hasPrefix(guess), "\(diagnosis.guess)")
    #expect(diagnosis.options == nil)
  }

  @Test func `a tar archive is recognized by its magic number`() throws {
    var header = Array("receipt.jsonl".utf8)
    header += [UInt8](repeating: 0, count: 257 - header.count) + Array("ustar\0".utf8)
    header += [UInt8](repeating: 0, count: 512 - header.count) + Array((receipt() + "\n").utf8)
    #expect(try diagnosis(of: header).guess.hasPrefix("looks like a tar archive"))
  }

  @Test(arguments: ["UTF-16LE", "UTF-16BE"], [true, false])
  func `UTF-16 is recognized with its byte order, with and without a mark`(
    name: String, hasMark: Bool
  )
    throws
  {
    let text = (hasMark ? "\u{FEFF}" : "") + receipt() + "\n" + receipt()
    let bytes = text.utf16.flatMap { unit in
      let pair = [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
      return name == "UTF-16LE" ? pair : pair.reversed()
    }
    let diagnosis = try diagnosis(of: bytes)
    #expect(diagnosis.kind == .wideText)
    #expect(diagnosis.guess == "looks like \(name); convert it: iconv -f \(name) -t UTF-8")
  }

  @Test func `an array longer than the line limit is recognized by its beginning`() throws {
    var rules = standardRules
    rules.limits.lineBytes = 100
    let text = "[" + (0..<20).map { _ in receipt() }.joined(separator: ",") + "]"
    #expect(try diagnosis(of: [text], rules: rules).kind == .array)
  }

  // MARK: - Wrong options

  private func seconds(_ number: Int) -> String {
    receipt(["paymentSeq": "\(number)", "purchaseTime": "1616649225"])
  }

  @Test func `times in another unit are reported with the option that loads them`() throws {
    let diagnosis = try diagnosis(of: (0..<40).map(seconds))
    #expect(diagnosis.kind == .otherOptions)
    #expect(diagnosis.guess == "all times look like seconds: --time-unit s")
    var corrected = standardRules
    corrected.timeUnit = .seconds
    #expect(try Reading(seconds(1), as: .receipt, rules: corrected).rows.count == 1)
    let micro = receipt(["purchaseTime": "1616649225531000"])
    #expect(try self.diagnosis(of: [micro]).options == "--time-unit us")
    #expect(try self.diagnosis(of: [receipt()], rules: corrected).options == "--time-unit ms")
  }

  @Test func `level-ups in seconds are not mistaken for game users`() throws {
    let line = levelUp(["levelUpTime": "1616649225"])
    #expect(try diagnosis(of: [line, line], as: .levelUp).options == "--time-unit s")
    let broken = levelUp(["levelUpTime": #""yesterday""#])
    let diagnosis = try diagnosis(of: [broken], as: .levelUp)
    #expect(diagnosis.kind == .unknown)
    #expect(diagnosis.guess == "all are refused with invalid_time (levelUpTime)")
  }

  @Test func `lines of another stream are reported with the stream that matches most of them`()
    throws
  {
    #expect(try diagnosis(of: [levelUp(), levelUp()]).options == "--stream level_up")
    #expect(try diagnosis(of: [gameUser()]).options == "--stream game_user")
    let guess = try diagnosis(of: [receipt()], as: .levelUp).guess
    #expect(guess == "the lines look like purchase receipts: --stream receipt")
  }

  @Test(arguments: [
    (#"{"time":1,"log":\#(receipt())}"#, "--unwrap log"),
    (#"{"meta":{"a":1},"a b":"\#(receipt().replacing("\"", with: "\\\""))"}"#, "--unwrap 'a b'"),
  ])
  func `records within a field are reported with the field`(line: String, options: String) throws {
    #expect(try diagnosis(of: [line, line]).options == options)
  }

  @Test func `a wrong --unwrap option is reported`() throws {
    var rules = standardRules
    rules.unwrapField = "log"
    #expect(try diagnosis(of: [receipt()], rules: rules).options == "no --unwrap")
  }

  @Test func `a few other faults do not hide the correction, but many do`() throws {
    let other = receipt(["userId": #""0""#, "purchaseTime": "1616649225"])
    #expect(try diagnosis(of: (0..<9).map(seconds) + [other]).options == "--time-unit s")
    let mixed = try diagnosis(of: [seconds(1), other, other])
    #expect(mixed.options == nil && mixed.kind == .unknown)
  }

  @Test func `times in nanoseconds are reported without an option`() throws {
    let diagnosis = try diagnosis(of: [receipt(["purchaseTime": "1616649225531000000"])])
    #expect(diagnosis.kind == .nanoseconds && diagnosis.options == nil)
  }

  @Test func `no guess contains a value of a line`() throws {
    let line = receipt(["userId": "0", "payload": #""SECRET""#, "purchaseToken": #""SECRET""#])
    let diagnosis = try diagnosis(of: [line, "SECRET"])
    #expect(!diagnosis.guess.contains("SECRET"))
    #expect(diagnosis.guess == "1 of the first 2 are refused with malformed_json")
  }

  @Test func `all rejections are counted, and few are sampled`() throws {
    let other = receipt(["price": "-5"])
    let reading = try Reading(
      ([other] + (0..<50).map(seconds)).joined(separator: "\n"), as: .receipt)
    var sample = RejectSample()
    sample.note(reading.rejects)
    #expect(sample.lines.count == RejectSample.size)
    #expect(sample.countsByCode == ["negative_price": 1, "time_in_seconds": 50])
  }
}
