/// Encodes bytes in hexadecimal: two lower-case digits for each byte.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { byte in
    let text = String(byte, radix: 16)
    return byte < 16 ? "0" + text : text
  }.joined()
}

/// Decodes a `bytea` from PostgreSQL's text format: `\x` and two hexadecimal digits for each byte.
package func bytesOfHexadecimal(_ text: String) -> [UInt8] {
  let digits = text.utf8.dropFirst(2).map { digit in
    digit < 0x3A ? digit &- 0x30 : (digit | 0x20) &- 0x61 &+ 10
  }
  return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
