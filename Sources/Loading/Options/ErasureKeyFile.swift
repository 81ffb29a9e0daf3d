internal import Foundation
package import RecordPipeline

/// Reads the erasure key, from which the tombstones of erased users are computed, from its file.
///
/// The key comes from a file because the process list shows arguments, and child processes inherit
/// the environment.
package enum ErasureKeyFile {
  package static let environmentVariable = "GAMEBASE_INGEST_ERASURE_KEY_FILE"

  /// The longest accepted key in bytes, so that a wrong path does not fill the memory.
  private static let maxBytes = 4096

  /// Reads the key: all bytes of the file, including a line break at its end.
  ///
  /// - Throws: `LoadError` with exit code 78 when the file cannot be read, is not a regular file,
  ///   can be read by others or written by its group, or is too short or too long.
  package static func read(_ path: String) throws(LoadError) -> ErasureKey {
    func failure(_ problem: String) -> LoadError {
      LoadError(.configuration, "the key file \(path) \(problem)")
    }
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw failure("cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw failure("is not a regular file")
    }
    // Kubernetes and systemd make secrets that the group can read.
    guard status.st_mode & 0o027 == 0 else {
      throw failure("can be read by all users, or written by its group; run chmod 600 on it")
    }
    var bytes = [UInt8](repeating: 0, count: maxBytes + 1)
    let count = Foundation.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw failure("cannot be read: \(String(cString: strerror(errno)))") }
    guard (ErasureKey.minBytes...maxBytes).contains(count) else {
      throw failure(
        "holds \(count > maxBytes ? "too many" : "\(count)") bytes; a key has "
          + "\(ErasureKey.minBytes) to \(maxBytes). Make one with: "
          + "(umask 077; head -c 32 /dev/urandom > FILE)")
    }
    return ErasureKey(Array(bytes.prefix(count)))
  }
}
