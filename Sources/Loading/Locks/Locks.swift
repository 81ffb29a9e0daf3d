internal import Crypto
internal import Foundation
internal import Postgres

/// The locks of a load: all of them end with its transaction, so a killed loader leaves none.
///
/// Waited for always in this order, so that two loaders never wait for each other in a circle: the
/// file, then the stream.
struct Locks {
  let connection: Connection

  /// Holds the files of a stream that have so many bytes, so that no two loaders work on one file
  /// at once, under any name.
  ///
  /// By its length, because that is known before a file has been read; two files that happen to
  /// share it would wait for each other at the stream's lock anyway.
  ///
  /// - Parameter waitSeconds: how long to wait for another loader that holds them.
  /// - Throws: `LoadError.locked` when they are still held then.
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
          "another loader has had this file in hand for \(waitSeconds) s"
            + (holder.map { " (\($0.summary))" } ?? "")
            + "; wait for it, raise --lock-wait, or end its session when it hangs")
      }
      Thread.sleep(forTimeInterval: 0.2)
    }
  }

  /// Holds files as `holdFile` does, without waiting.
  ///
  /// - Returns: false when another loader has one of them.
  func tryFiles(ofStream stream: String, byteCounts: Set<Int>) throws -> Bool {
    let keys = byteCounts.sorted().map {
      Self.key(LockName.file(ofStream: stream, byteCount: $0))
    }
    let held = try connection.query(
      "select bool_and(pg_try_advisory_xact_lock(key)) from unnest($1::bigint[]) key",
      [.integers(keys)])
    return held[0, 0] == "t"
  }

  /// Holds a stream's target: merges of one stream are serial, and nobody else adds keys.
  func holdStream(_ name: String) throws {
    try connection.query(
      "select pg_advisory_xact_lock($1)", [.integer(Self.key(LockName.stream(name)))])
  }

  /// Keeps users from being erased until the transaction ends; others may do the same meanwhile.
  func shareErasures() throws {
    try connection.query(
      "select pg_advisory_xact_lock_shared($1)", [.integer(Self.key(LockName.erasures))])
  }

  /// Advisory locks are named by 64 bits; ours are a digest's, far from anybody's small numbers.
  static func key(_ name: String) -> Int {
    let digest = Array(SHA256.hash(data: Data("gamebase-ingest \(name)".utf8)))
    return Int(truncatingIfNeeded: digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
