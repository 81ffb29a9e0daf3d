import SHA256
import Testing

struct SHA256Tests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// - Source: FIPS 180-2, appendix B, and the digest of the empty text.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `a text has the digest of the standard, in any parts`(text: String, digest: String) {
    #expect(hex(SHA256.digest(of: text.utf8)) == digest)
    let hash = SHA256()
    // The second round begins with the state that the first one left.
    for _ in 0..<2 {
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        hash.update(rest.prefix(7919))
        rest = rest.dropFirst(7919)
      }
      #expect(hex(hash.finish().bytes) == digest)
    }
  }

  /// - Source: RFC 4231, test cases 1, 2, 3, 4, 6 and 7; case 5 truncates the code.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      Array(1...25), [UInt8](repeating: 0xCD, count: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      Array(
        ("This is a test using a larger than block-size key and a larger than block-size data. "
          + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ])
  func `a message has the code of the standard`(key: [UInt8], message: [UInt8], code: String) {
    let beginning = message.prefix(5)
    let codes = MessageCodes(key: key, beginning: beginning)
    for _ in 0..<2 {
      let found = message.dropFirst(5).withUnsafeBytes { codes.code(of: $0).bytes }
      #expect(hex(found) == code)
    }
  }
}
