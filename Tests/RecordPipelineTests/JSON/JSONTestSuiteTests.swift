import Foundation
import PipelineInvariants
import RecordPipeline
import Testing

/// A case of `Tests/Fixtures/json-test-suite/`: `y_` must be accepted, `n_` must be refused, `i_` may
/// be either.
struct JSONSuiteCase: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]

  var testDescription: String { name }

  /// False for a case with a line feed, which cannot be one line.
  var fitsOnALine: Bool { !bytes.contains(0x0A) }
  var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// The case without surrounding white space.
  var trimmed: [UInt8] {
    let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0D, 0x0A].contains($0) }
    return Array(bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }

  static let all: [JSONSuiteCase] = {
    var file = URL(filePath: #filePath)
    for _ in 0..<3 { file.deleteLastPathComponent() }
    file.append(path: "Fixtures/json-test-suite/cases.tsv")
    // Without the file there are no cases, and the test that counts them fails.
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      var bytes = unescaped(fields.count > 1 ? fields[1] : "")
      if fields.count == 4 {
        bytes = [[UInt8]](repeating: bytes, count: Int(fields[2]) ?? 0).flatMap(\.self)
        bytes += unescaped(fields[3])
      }
      return JSONSuiteCase(name: fields[0], bytes: bytes)
    }
  }()

  private static func unescaped(_ text: String) -> [UInt8] {
    var rest = Array(text.utf8)[...]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      if rest.first == UInt8(ascii: "\\") {
        bytes.append(byte)
        rest = rest.dropFirst()
      } else {
        let digits = String(decoding: rest.dropFirst().prefix(2), as: UTF8.self)
        bytes.append(UInt8(digits, radix: 16) ?? 0)
        rest = rest.dropFirst(3)
      }
    }
    return bytes
  }
}

/// The cases of the public JSONTestSuite, and some of our own, through the whole pipeline: each as
/// the value of a member, and as a line of its own.
///
/// A `y_` case must be accepted and an `n_` case refused. The text around an `n_` case makes none
/// valid. The oracle, a second parser, decides the `i_` cases, strictly by the grammar.
struct JSONTestSuiteTests {
  /// `y_` cases that PostgreSQL cannot store unchanged, with the form that `extra` keeps.
  private static let repaired = [
    "y_object_escaped_null_in_key": #"{"foo\#u{FFFD}bar": 42}"#,
    "y_string_null_escape": "[\"\u{FFFD}\"]",
  ]

  private func reading(of line: [UInt8], as stream: RecordStream) throws -> Reading {
    // The case is the second line, so that a byte-order mark is not at the start of the file.
    let reading = try Reading(ChunkedSource([0x0A] + line + [0x0A]), as: stream)
    #expect(reading.totals.lineCount == 2)
    return reading
  }

  private func isJSON(_ bytes: [UInt8]) -> Bool {
    ![.malformed, .notUTF8].contains(JSONOracle.verdict(on: bytes[...]))
  }

  /// True when the reject code fits the case; `invalid_utf8` fits only bytes that are not UTF-8.
  private func isRefusal(_ code: RejectCode?, of suiteCase: JSONSuiteCase) -> Bool {
    switch code {
    case .malformedJSON: true
    case .invalidUTF8: !suiteCase.isUTF8
    case .nestingTooDeep: suiteCase.name == "n_structure_100000_opening_arrays"
    default: false
    }
  }

  @Test func `the suite is complete, and the oracle agrees with it`() {
    let suite = JSONSuiteCase.all.filter { !$0.name.contains("_own_") }
    func count(_ kind: String, _ condition: (JSONSuiteCase) -> Bool = { _ in true }) -> Int {
      suite.count { $0.name.hasPrefix(kind) && condition($0) }
    }
    let counts: [Int] = [count("y_"), count("n_"), count("i_"), suite.count]
    #expect(counts == [95, 188, 35, 318])
    #expect(count("y_", \.fitsOnALine) == 91 && count("n_", \.fitsOnALine) == 182)
    #expect(JSONSuiteCase.all.count == 318 + 255)
    // Numbers of any size, escapes of lone surrogates, and 500 levels of arrays.
    #expect(count("i_") { isJSON($0.bytes) } == 21)
    for suiteCase in JSONSuiteCase.all where !suiteCase.name.hasPrefix("i_") {
      #expect(isJSON(suiteCase.bytes) == suiteCase.name.hasPrefix("y_"), "\(suiteCase.name)")
    }
  }

  @Test(arguments: JSONSuiteCase.all.filter(\.fitsOnALine))
  func `JSON is accepted and anything else refused, as a value and as a line`(
    suiteCase: JSONSuiteCase
  ) throws {
    let isJSON = isJSON(suiteCase.bytes)
    let line = levelUp(["x": "?"]).utf8.split(separator: UInt8(ascii: "?"))
    let asValue = try reading(of: line[0] + suiteCase.bytes + line[1], as: .levelUp)
    #expect(asValue.rows.count == (isJSON ? 1 : 0))
    #expect(isJSON || isRefusal(asValue.rejects.first?.rejection.code, of: suiteCase))
    if suiteCase.name.hasPrefix("y_") {
      let text = Self.repaired[suiteCase.name] ?? String(decoding: suiteCase.trimmed, as: UTF8.self)
      #expect(asValue.rows.map { $0["extra"] } == ["{\"x\":\(text)}"])
      let isRepaired = Self.repaired[suiteCase.name] != nil
      #expect(asValue.rows.map { $0["text_repaired"] } == ["\(isRepaired)"])
    }
    for stream in StreamCatalog.all {
      let alone = try reading(of: suiteCase.bytes, as: stream)
      let code = alone.rejects.first?.rejection.code
      if suiteCase.trimmed.isEmpty {
        #expect(alone.totals.blankCount == alone.totals.lineCount)
      } else if isJSON {
        // An object of the suite lacks the mandatory fields.
        let isObject = suiteCase.trimmed.first == UInt8(ascii: "{")
        let expected: RejectCode = isObject ? .missingField : .notAnObject
        #expect(code == expected)
      } else {
        #expect(isRefusal(code, of: suiteCase))
      }
    }
  }

  // MARK: - One line, changed

  @Test func `every prefix of a line is refused`() throws {
    let line = Array(gameUser(["x": #"{"a":[1.5,true,null,"\u00e9\ud83d\ude00é"]}"#]).utf8)
    for length in 1...line.count {
      let prefix = Array(line[..<length]) + [0x0A]
      let code = try Reading(ChunkedSource(prefix), as: .gameUser).rejects.first?.rejection.code
      let isRefused = code == .malformedJSON || code == .invalidUTF8
      #expect(isRefused == (length < line.count), "\(length)")
    }
  }

  @Test func `no changed byte crashes the parser, and no control character passes`() throws {
    let line = Array(gameUser(["x": #"{"a":[1.5,true,"\u00e9"]}"#]).utf8)
    for index in line.indices {
      var changed: [UInt8] = []
      for byte in UInt8.min...UInt8.max where byte != 0x0A {
        var copy = line
        copy[index] = byte
        changed += copy + [0x0A]
      }
      let reading = try Reading(ChunkedSource(changed), as: .gameUser)
      #expect(reading.totals.lineCount == 255)
      let refused = Set(reading.rejects.map(\.lineNumber))
      // Lines 1...10 hold the bytes 0...9; later lines are one lower, because one byte is left out.
      let controls = (1...31).filter { $0 != 10 && $0 != 13 }
      #expect(controls.allSatisfy { refused.contains($0) })
    }
  }
}
