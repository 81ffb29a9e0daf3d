/// Encodes bytes in hexadecimal: two lower-case digits for each byte.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { byte in
    let text = String(byte, radix: 16)
    return byte < 16 ? "0" + text : text
  }.joined()
}
