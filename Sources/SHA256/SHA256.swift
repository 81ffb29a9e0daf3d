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

  /// Goes on from the state of another digest.
  fileprivate func resume(_ other: SHA256) {
    precondition(EVP_MD_CTX_copy_ex(state, other.state) == 1)
  }
}

/// Codes of messages under a key, 32 bytes each: HMAC-SHA-256.
///
/// It keeps the states behind the key and behind a beginning that all messages have.
/// - Source: RFC 2104.
package final class MessageCodes {
  private let inner = SHA256()
  private let outer = SHA256()
  private let state = SHA256()

  package init(key: [UInt8], beginning: some Collection<UInt8> = []) {
    let blockBytes = 64
    let short = key.count > blockBytes ? SHA256.digest(of: key) : key
    let padded = short + Array(repeating: 0, count: blockBytes - short.count)
    inner.update(padded.map { $0 ^ 0x36 })
    inner.update(beginning)
    outer.update(padded.map { $0 ^ 0x5C })
  }

  /// The code of the message with the common beginning and a rest.
  package func code(of rest: UnsafeRawBufferPointer) -> SIMD32<UInt8> {
    state.resume(inner)
    state.update(rest)
    let digest = state.finish()
    state.resume(outer)
    withUnsafeBytes(of: digest) { state.update($0) }
    return state.finish()
  }
}

extension SIMD32<UInt8> {
  package var bytes: [UInt8] { indices.map { self[$0] } }
}
