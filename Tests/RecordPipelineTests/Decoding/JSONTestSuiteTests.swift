import Foundation
import RecordPipeline
import Testing

/// A case of the public JSONTestSuite: `Tests/Fixtures/json-test-suite/`.
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

  /// The cases of a kind: `y_` must be accepted, `n_` must be refused, `i_` may be either.
  static func of(_ kind: String) -> [JSONSuiteCase] { all.filter { $0.name.hasPrefix(kind) } }

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

/// The public JSONTestSuite through the whole pipeline: each case as the value of a member, and as
/// a line of its own.
///
/// According to the suite, a `y_` case must be accepted and an `n_` case refused. That is also true
/// of a case within a line, because the text around it makes no `n_` case valid. A check with
/// another parser, Python's without its constants, found no exception.
struct JSONTestSuiteTests {
  /// `y_` cases that PostgreSQL cannot store unchanged, with the form that `extra` keeps.
  private static let repaired = [
    "y_object_escaped_null_in_key": #"{"foo\#u{FFFD}bar": 42}"#,
    "y_string_null_escape": "[\"\u{FFFD}\"]",
  ]

  /// The `i_` cases that the JSON grammar allows.
  ///
  /// They are numbers of any size, escapes of lone surrogates, and 500 levels of arrays. All other
  /// `i_` cases are not UTF-8, or start with a byte-order mark.
  private static let acceptedByUs: Set<String> = [
    "i_number_double_huge_neg_exp", "i_number_huge_exp", "i_number_neg_int_huge_exp",
    "i_number_pos_double_huge_exp", "i_number_real_neg_overflow", "i_number_real_pos_overflow",
    "i_number_real_underflow", "i_number_too_big_neg_int", "i_number_too_big_pos_int",
    "i_number_very_big_negative_int", "i_object_key_lone_2nd_surrogate",
    "i_string_1st_surrogate_but_2nd_missing", "i_string_1st_valid_surrogate_2nd_invalid",
    "i_string_incomplete_surrogate_and_escape_valid", "i_string_incomplete_surrogate_pair",
    "i_string_incomplete_surrogates_escape_valid", "i_string_invalid_lonely_surrogate",
    "i_string_invalid_surrogate", "i_string_inverted_surrogates_U+1D11E",
    "i_string_lone_second_surrogate", "i_structure_500_nested_arrays",
  ]

  private func reading(of line: [UInt8], as stream: RecordStream) throws -> Reading {
    // The case is the second line, so that a byte-order mark is not at the start of the file.
    let reading = try Reading(ChunkedSource([0x0A] + line + [0x0A]), as: stream)
    #expect(reading.totals.lineCount == 2)
    return reading
  }

  private func asValue(_ suiteCase: JSONSuiteCase) throws -> Reading {
    let line = levelUp(["x": "?"]).utf8.split(separator: UInt8(ascii: "?"))
    return try reading(of: line[0] + suiteCase.bytes + line[1], as: .levelUp)
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

  @Test func `the suite is complete`() {
    #expect(["y_", "n_", "i_"].map { JSONSuiteCase.of($0).count } == [95, 188, 35])
    #expect(JSONSuiteCase.all.count == 318)
    let fitting = JSONSuiteCase.all.filter(\.fitsOnALine)
    #expect(
      ["y_", "n_", "i_"].map { kind in fitting.filter { $0.name.hasPrefix(kind) }.count }
        == [91, 182, 35])
    #expect(
      JSONSuiteCase.all.first { $0.name == "n_structure_open_array_object" }?.bytes.count
        == 250_001)
    #expect(
      Self.acceptedByUs.union(Self.repaired.keys)
        .isSubset(of: JSONSuiteCase.all.map(\.name)))
  }

  @Test(arguments: JSONSuiteCase.of("y_").filter(\.fitsOnALine))
  func `cases that must be accepted are accepted`(suiteCase: JSONSuiteCase) throws {
    let asValue = try asValue(suiteCase)
    #expect(asValue.rejects.map(\.rejection) == [])
    let text = Self.repaired[suiteCase.name] ?? String(decoding: suiteCase.trimmed, as: UTF8.self)
    #expect(asValue.rows.map { $0["extra"] } == ["{\"x\":\(text)}"])
    let isRepaired = Self.repaired[suiteCase.name] != nil
    #expect(asValue.rows.map { $0["text_repaired"] } == ["\(isRepaired)"])

    for stream in StreamCatalog.all {
      let code = try reading(of: suiteCase.bytes, as: stream).rejects.first?.rejection.code
      if suiteCase.trimmed.first == UInt8(ascii: "{") {
        // The object has no mandatory fields, but it is valid JSON.
        #expect(code == .missingField)
      } else {
        #expect(code == .notAnObject)
      }
    }
  }

  @Test(arguments: JSONSuiteCase.of("n_").filter(\.fitsOnALine))
  func `cases that must be refused are refused`(suiteCase: JSONSuiteCase) throws {
    let asValue = try asValue(suiteCase)
    #expect(asValue.rows.map(\.description) == [])
    #expect(isRefusal(asValue.rejects.first?.rejection.code, of: suiteCase))

    for stream in StreamCatalog.all {
      let alone = try reading(of: suiteCase.bytes, as: stream)
      if suiteCase.trimmed.isEmpty {
        #expect(alone.totals.blankCount == alone.totals.lineCount)
      } else {
        #expect(isRefusal(alone.rejects.first?.rejection.code, of: suiteCase))
      }
    }
  }

  @Test(arguments: JSONSuiteCase.of("i_").filter(\.fitsOnALine))
  func `each undefined case has one fixed verdict`(suiteCase: JSONSuiteCase) throws {
    let asValue = try asValue(suiteCase)
    let alone = try reading(of: suiteCase.bytes, as: .levelUp)
    let code = alone.rejects.first?.rejection.code
    if Self.acceptedByUs.contains(suiteCase.name) {
      #expect(asValue.rejects.map(\.rejection) == [])
      #expect(code.map { [.notAnObject, .missingField].contains($0) } == true)
    } else {
      #expect(isRefusal(asValue.rejects.first?.rejection.code, of: suiteCase))
      #expect(isRefusal(code, of: suiteCase))
    }
    let again = try self.asValue(suiteCase)
    #expect(again.rows.map(\.description) == asValue.rows.map(\.description))
    #expect(again.rejects.map(\.rejection) == asValue.rejects.map(\.rejection))
  }
}
