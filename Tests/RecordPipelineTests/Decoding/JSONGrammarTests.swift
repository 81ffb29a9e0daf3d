import RecordPipeline
import Testing

/// The JSON grammar, with cases like those of the public JSONTestSuite.
struct JSONGrammarTests {
  private func code(_ line: String) throws -> RejectCode? {
    let reading = try Reading(line + "\n", as: .gameUser)
    #expect(reading.rows.count + reading.rejects.count == 1)
    return reading.rejects.first?.rejection.code
  }

  private func code(bytes: [UInt8]) throws -> RejectCode? {
    try Reading(ChunkedSource(bytes + [0x0A]), as: .gameUser).rejects.first?.rejection.code
  }

  @Test(arguments: [
    "0", "-0", "1", "-1", "10", "123", "1.0", "0.1", "-0.1", "0.10", "1e1", "1E1", "1e+1", "1e-1",
    "0e0", "0E+99", "0e+1", "-0e-0", "1.5e10", "123.456e78", "1e400", "1e-400", "-1e9999999999",
    "9223372036854775808", "123456789012345678901234567890", "0.00000000000000000000000000001",
    "true", "false", "null", #""""#, #"" ""#, #""a""#, #""\"\\\/\b\f\n\r\t""#, #""\u0041""#,
    #""\uABCD\uabcd""#, #""\u0000""#, #""\ud83d\ude00""#, #""\ud800""#, #""\udc00""#,
    #""\udc00\ud800""#, #""\ud800\ud800""#, #""\ud800\u0041""#, #""\uFFFF""#, #""\uFDD0""#,
    "\"\u{7F}\"", "\"\u{80}\"", "\"é\"", "\"\u{1F600}\"", "\"\u{2028}\u{2029}\"", "\"\u{FEFF}\"",
    "\"\u{FFFF}\"", "\"\u{10FFFF}\"", "\"//not a comment\"", #""{[,:]}""#, #""\\""#, #""\\\\""#,
    "[]", "[ ]", "[1]", "[1,2]", "[ 1 , 2 ]", "[[]]", "[[],[[]]]", "[null]", #"["a"]"#, "[{}]",
    "{}", "{ }", #"{"a":1}"#, #"{ "a" : 1 , "b" : 2 }"#, #"{"":0}"#, #"{"a":1,"a":2}"#,
    #"{"a":{"b":{"c":[]}}}"#, #"{"\u0061":1}"#, #"{"a\u0000b":1}"#, #"{"\"":"\\"}"#, "[\t1\r]",
  ])
  func `a value that is JSON is accepted`(value: String) throws {
    #expect(try code(gameUser(["x": value])) == nil)
    #expect(try code(gameUser(["x": "[\(value),\(value)]"])) == nil)
    #expect(try code(gameUser(["x": "{\"y\":\(value)}"])) == nil)
  }

  @Test(arguments: [
    "", "+1", "01", "-01", "00", "1.", ".1", "-.1", "-", "--1", "+-1", "1e", "1E+", "1e-", "1.e1",
    ".e1", "1e1.5", "1e1e1", "0x1", "0b1", "1_000", "1 000", "1,000", "NaN", "-NaN", "nan",
    "Infinity", "-Infinity", "inf", "1a", "1.2.3", "2.e3", "0.3e", "1\u{FF11}", "١", "True", "TRUE",
    "tru", "truee", "true1", "nul", "nulll", "Null", "undefined", "fals", "None", "a", "'a'", "`a`",
    "\"", "\"a", "a\"", #""\""#, #""\a""#, #""\x41""#, #""\'""#, #""\0""#, #""\u""#, #""\u1""#,
    #""\u12""#, #""\u123""#, #""\u123g""#, #""\U0041""#, #""\u 041""#, #""\u+041""#, #""\é""#,
    #""\""a""#, #""a" "b""#, #""a""b""#, "\"\t\"", "\"\u{0}\"", "\"\u{1}\"", "\"\u{1F}\"",
    "\"a\rb\"", "[", "]", "[1", "1]", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1;2]",
    "[1:2]", "[\"a\":1]", "[1}", "[[1]", "[1]]", "[1],", "[]]", "{", "}", "{]", "[}", #"{"a""#,
    #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":1,,"b":2}"#,
    #"{"a" 1}"#, #"{"a":1 "b":2}"#, #"{"a"::1}"#, #"{"a","b"}"#, "{a:1}", "{'a':1}", "{1:1}",
    "{null:1}", "{[]:1}", "{{}:1}", #"{"a":}"#, #"{"a"}"#, "{:1}", #"{"a":1:2}"#, #"{"a":1}}"#,
    "/**/1", "1/**/", "//1", "#1", "<1>", "@", "$", "\\", "\\u0031", "\u{FEFF}1", "\u{A0}1",
    "\u{2028}1", "\u{C}1", "\u{B}1", "\u{0}1", "1\u{0}", "*", "(1)", "\u{1F600}",
    #"{"\a":1}"#, #"{"a\u12":1}"#, "{\"a\tb\":1}",
  ])
  func `a value that is not JSON is refused`(value: String) throws {
    #expect(try code(gameUser(["x": value])) == .malformedJSON)
    #expect(try code(gameUser(["x": value, "y": "1"])) == .malformedJSON)
    #expect(try code(gameUser(["x": "{\"y\":\(value)}"])) == .malformedJSON)
  }

  @Test(arguments: [
    "NaN", "{", "}", "{\"userId\"", "x", "'a'", "01", "[", "]", "[1", "[1,]", "[1]x", "[1][2]",
    "[1] 2", "null null", "nul", "truex", "1 2", "-", "1.", "\"", "\"a", "\"a\"b", "\"a\" \"b\"",
    "\"\\x\"", "{}{}", "{} {}", "{},", "{};", "{}x", "{} x", "{}]", "{}}", "[{}", ",{}", "x{}",
    "#{}", "//", "{}//", "{}#", "\u{0}", "{}\u{0}", "\u{FEFF} \u{FEFF}{}", "{}\u{FEFF}",
  ])
  func `a line that is not one value is refused`(line: String) throws {
    #expect(try code(line) == .malformedJSON)
    #expect(try code(" " + line + " ") == .malformedJSON)
  }

  @Test(arguments: [
    "null", "true", "false", "0", "-1.5e3", "1e400", "\"\"", "\"a\"", "\"\\\"\"", "\"{}\"", "[]",
    "[1]", "[{}]", "[[],[]]",
  ])
  func `a line with a JSON value other than an object is refused`(line: String) throws {
    #expect(try code(line) == .notAnObject)
    #expect(try code("\t" + line + " ") == .notAnObject)
  }

  /// simdjson skipped such a string like a key, together with everything up to the next bracket.
  @Test(arguments: [
    #"{"userId":"u1","userLevel":3,"x":"a":[1],"b":{}},"y":"z"}"#, #"{"x":"a":"b"}"#,
    #"{"x":["a":1]}"#, #"{"x":["a":[1],{}]}"#, #"{"x":{"a":"b":{}}}"#, #"{"x":[["a":1]]}"#,
    #"{"x":"a":{},"y":1}"#, #"["a":1]"#,
  ])
  func `a colon after a string value is refused`(line: String) throws {
    #expect(try code(line) == .malformedJSON)
  }

  @Test func `white space is accepted wherever the grammar allows it`() throws {
    let spaced = " \t{ \t\"userId\"\t : \r\"u1\" , \t\"userLevel\" \t:\t20 \t} \r\t"
    #expect(try code(spaced) == nil)
  }

  @Test(
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3], [0xC3, 0x28],
      [0xE0, 0x80, 0xAF],
      [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8], [0xFE],
      [0xFF],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are refused at any position`(bytes: [UInt8]) throws {
    let before = Array(#"{"userId":"u1","userLevel":2,"x":""#.utf8)
    #expect(try code(bytes: before + bytes + Array("\"}".utf8)) == .invalidUTF8)
    #expect(
      try code(bytes: before + Array("\",\"".utf8) + bytes + Array("\":1}".utf8)) == .invalidUTF8)
    #expect(try code(bytes: before + Array("\"}".utf8) + bytes) == .invalidUTF8)
    #expect(try code(bytes: bytes) == .invalidUTF8)
  }

  @Test func `every prefix of a line is refused`() throws {
    let line = Array(gameUser(["x": #"{"a":[1.5,true,null,"\u00e9\ud83d\ude00é"]}"#]).utf8)
    for length in 1..<line.count {
      let code = try code(bytes: Array(line[..<length]))
      #expect(code == .malformedJSON || code == .invalidUTF8, "\(length)")
    }
    #expect(try code(bytes: line) == nil)
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
