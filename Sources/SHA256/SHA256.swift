internal import CCrypto

/// A SHA-256 by libcrypto, which libpq brings along.
///
/// A value keeps its state, because libcrypto's functions for a whole text make a new state each time,
/// which takes longer than the digest of a short text.
/// - Source: FIPS 180-4.
package final class SHA256 {
  private let state: OpaquePointer

  package init() {
    // Without SHA-256 or memory for a state, no file can be told from another one.
    guard let state = EVP_MD_CTX_new(), EVP_DigestInit_ex2(state, Self.algorithm, nil) == 1 else {
      preconditionFailure("libcrypto has no SHA-256")
    }
    self.state = state
  }

  deinit { EVP_MD_CTX_free(state) }

  /// Looked up once, because each state that names `EVP_sha256()` looks it up again.
  private nonisolated(unsafe) static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

  package func update(_ bytes: UnsafeRawBufferPointer) {
    precondition(EVP_DigestUpdate(state, bytes.baseAddress, bytes.count) == 1)
  }

  package func update(_ bytes: some Collection<UInt8>) {
    let isContiguous: Void? = bytes.withContiguousStorageIfAvailable {
      update(UnsafeRawBufferPointer($0))
    }
    if isContiguous == nil { Array(bytes).withUnsafeBytes { update($0) } }
  }

  /// Returns the digest of the bytes so far, 32 bytes, and begins anew.
  package func finish() -> SIMD32<UInt8> {
    var digest = SIMD32<UInt8>()
    let code = withUnsafeMutableBytes(of: &digest) {
      EVP_DigestFinal_ex(state, $0.bindMemory(to: UInt8.self).baseAddress, nil)
    }
    // Without an algorithm, the state begins anew with its own.
    precondition(code == 1 && EVP_DigestInit_ex2(state, nil, nil) == 1)
    return digest
  }

  /// The digest of a whole text, 32 bytes.
  package static func digest(of bytes: some Collection<UInt8>) -> [UInt8] {
    let hash = SHA256()
    hash.update(bytes)
    return hash.finish().bytes
  }

  /// An HMAC-SHA-256, 32 bytes.
  /// - Source: RFC 2104.
  package static func authenticationCode(for message: [UInt8], key: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { code, count in
      let end = HMAC(
        algorithm, key, Int32(key.count), message, message.count, code.baseAddress, nil)
      precondition(end != nil, "libcrypto has no HMAC")
      count = 32
    }
  }
}

extension SIMD32<UInt8> {
  package var bytes: [UInt8] { indices.map { self[$0] } }
}
