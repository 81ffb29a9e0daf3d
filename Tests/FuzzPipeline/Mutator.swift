internal import CLibFuzzer

/// Replaces the value of a member, so that more inputs stay JSON than with random changes.
///
/// libFuzzer finds the function by its name. Half of the calls use libFuzzer's own mutations, which
/// know the dictionary and the values that the code compares.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maxSize: Int, _ seed: UInt32
) -> Int {
  var random = Random(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1)
  let input = Array(UnsafeBufferPointer(start: data, count: size))
  let colons = input.indices.filter { input[$0] == UInt8(ascii: ":") }
  guard random.below(2) == 0, !colons.isEmpty else { return LLVMFuzzerMutate(data, size, maxSize) }

  let start = colons[random.below(colons.count)] + 1
  let end = endOfValue(in: input, from: start)
  let value =
    if random.below(4) == 0, let other = colons.dropFirst(random.below(colons.count)).first {
      Array(input[other + 1..<endOfValue(in: input, from: other + 1)])
    } else {
      Array(interestingValues[random.below(interestingValues.count)].utf8)
    }
  let output = input[..<start] + value + input[end...]
  guard output.count <= maxSize else { return LLVMFuzzerMutate(data, size, maxSize) }
  for (offset, byte) in output.enumerated() { data[offset] = byte }
  return output.count
}

/// The end of the value that starts here, judged by commas, brackets and quotes.
private func endOfValue(in input: [UInt8], from start: Int) -> Int {
  var depth = 0
  var isInString = false
  var index = start
  while index < input.count {
    switch input[index] {
    case UInt8(ascii: "\\") where isInString: index += 1
    case UInt8(ascii: "\""): isInString.toggle()
    case 0x0A: return index
    case _ where isInString: break
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: ",") where depth == 0: return index
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if depth == 0 { return index }
      depth -= 1
    default: break
    }
    index += 1
  }
  return input.count
}

private struct Random {
  var state: UInt64

  /// Xorshift, seeded by libFuzzer, so that a run can be repeated.
  mutating func below(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33) % limit
  }
}

/// Values at the boundaries that the normalizers check.
private let interestingValues: [String] = [
  "null", "true", "false", "0", "-0", "1", "-1", "5.0", "5e0", "-5.5", "0.5e1", "1e400", "1e-400",
  "1.675e12", "1616649225531", "1616649225531.0", "1616649225531.5", "1616649225",
  "1616649225531000", "1616649225531000000", "946684800000", "946684799999", "1795305600000",
  "1795305600001", "4102444800000", "4102444800001", "9223372036854775807", "9223372036854775808",
  "-9223372036854775808", "18446744073709551615", "18446744073709551616", "2147483647",
  "2147483648", "1e2147483648", "1e-9999999999", "4.99", "4.989999771118164", "4.9899995",
  "16777216", "131072", "0.001", "92233720368547758.07", "92233720368547758.08", "-1.0", "1e2",
  "\"\"", "\" \"", "\"0\"", "\"1\"", "\"true\"", "\"u\"", "\"-1\"", "\"4.99\"", "\"+1\"", "\"1e3\"",
  "\"1616649225531\"", "\"2021-03-25T05:13:45.531Z\"", "\"2021-03-25T05:13:45.5310000+09:00\"",
  "\"2000-01-01T00:00:00+23:59\"", "\"2099-12-31T23:59:59-23:59\"", "\"2021-03-25T05:13:45\"",
  "\"2024-02-29T24:00:00Z\"", "\"USD\"", "\"krw\"", "\"JPY\"", "\"KWD\"", "\"CLF\"", "\"XAU\"",
  "\"CONSUMABLE\"", "\"auto renewable\"", "\"Test\"", "\"Promotion\"", "\"\\u0000\"",
  "\"\\ud83d\\ude00\"", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\\\\\\"\\/\"", "\"é\u{1F600}\"",
  "[]", "{}", "[[],{}]", "{\"a\":[1,{\"b\":null}]}", "{\"purchaseToken\":\"t\"}",
  "\"{\\\"purchaseToken\\\":\\\"t\\\"}\"", "\"purchaseToken=t\"", "\"purchaseToken=t\\\"x\"",
  "\"accessToken=\\\"t\\\" \"",
  "[{\"accessToken\":[\"t\"]}]",
  "\"sha256:0000000000000000000000000000000000000000000000000000000000000000\"",
]
