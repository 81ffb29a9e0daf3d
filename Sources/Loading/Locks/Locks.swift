internal import Crypto
internal import Foundation
internal import Postgres

/// Takes the advisory locks of a load, which end with its transaction, so a killed loader leaves none.
///
/// A loader always waits for the file first and the stream second, so that two loaders cannot deadlock.
struct Locks {
  let connection: Connection

  /// Locks the files of a stream with this decoded length, so that no two loaders load the same bytes at
  /// once under any name.
  ///
  /// The lock covers a length because the length is known before the file is read. Two different files of
  /// one length would wait for each other at the stream's lock anyway.
  ///
  /// - Parameter waitSeconds: the longest wait for another loader that holds the lock.
  /// - Throws: `LoadError` with exit code 6 when the lock is still held then.
  func holdFile(
    ofStream stream: String, byteCount: Int, waitSeconds: Int, interruption: Interruption
  ) throws {
    let name = LockName.file(ofStream: stream, byteCount: byteCount)
    let deadline = Date(timeIntervalSinceNow: TimeInterval(waitSeconds))
    while true {
      let held = try connection.query(
        "select pg_try_advisory_xact_lock($1)", [.integer(Self.key(name))])
      if held[0, 0] == "t" { return }
      try interruption.check()
      guard Date() < deadline else {
        let holder = try LockHolder.all(of: [name], on: connection).first
        throw LoadError(
          .locked,
          "another loader has held the lock of this file for \(waitSeconds) s"
            + (holder.map { " (\($0.summary))" } ?? "")
            + "; wait for it, raise --lock-wait, or end its session if it hangs")
      }
      Thread.sleep(forTimeInterval: 0.2)
    }
  }

  /// Tries to take the locks of these file lengths, without waiting.
  ///
  /// - Returns: false when another session holds one of them.
  func tryFiles(ofStream stream: String, byteCounts: Set<Int>) throws -> Bool {
    let keys = byteCounts.sorted().map {
      Self.key(LockName.file(ofStream: stream, byteCount: $0))
    }
    let held = try connection.query(
      "select bool_and(pg_try_advisory_xact_lock(key)) from unnest($1::bigint[]) key",
      [.integers(keys)])
    return held[0, 0] == "t"
  }

  /// Locks a stream: merges are serial, and no other session adds keys to its table.
  func holdStream(_ name: String) throws {
    try connection.query(
      "select pg_advisory_xact_lock($1)", [.integer(Self.key(LockName.stream(name)))])
  }

  /// Keeps users from being erased until the transaction ends; a shared lock.
  func shareErasures() throws {
    try connection.query(
      "select pg_advisory_xact_lock_shared($1)", [.integer(Self.key(LockName.erasures))])
  }

  /// The key of an advisory lock: the first 64 bits of a digest of its name, unlikely to collide with the
  /// small numbers that other programs use.
  static func key(_ name: String) -> Int {
    let digest = Array(SHA256.hash(data: Data("gamebase-ingest \(name)".utf8)))
    return Int(truncatingIfNeeded: digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
