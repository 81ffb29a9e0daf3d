internal import Foundation
package import RecordPipeline

/// Reads the key under which erased users are remembered from the file that holds it.
///
/// A file, for what is in an argument is in the list of processes, and what is in the environment goes
/// to every child.
package struct ErasureKeyFile: Sendable {
  package static let environmentVariable = "GAMEBASE_INGEST_ERASURE_KEY_FILE"

  private let path: String

  /// More than any key has: a wrong path does not fill memory.
  private static let mostBytes = 4096

  package init(_ path: String) { self.path = path }

  /// All of the file's bytes are the key, a line break at its end too.
  ///
  /// - Throws: `LoadError` with exit code 78 when the file cannot be read, is no file, can be read by
  ///   others than its owner, or holds too little.
  package func read() throws(LoadError) -> ErasureKey {
    // Not to block on a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw failure("cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw failure("is no file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw failure("can be read by others than its owner; run chmod 600 on it")
    }
    var bytes = [UInt8](repeating: 0, count: Self.mostBytes + 1)
    let count = Foundation.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw failure("cannot be read: \(String(cString: strerror(errno)))") }
    guard (ErasureKey.leastBytes...Self.mostBytes).contains(count) else {
      throw failure(
        "holds \(count > Self.mostBytes ? "too many" : "\(count)") bytes; a key has "
          + "\(ErasureKey.leastBytes) to \(Self.mostBytes). Make one with: "
          + "(umask 077; head -c 32 /dev/urandom > FILE)")
    }
    return ErasureKey(Array(bytes.prefix(count)))
  }

  private func failure(_ what: String) -> LoadError {
    LoadError(.configuration, "the key file \(path) \(what)", endsRun: true)
  }
}
