internal import Postgres

extension Connection {
  /// Runs work that takes locks at its beginning, and says after a second which session holds one.
  ///
  /// Without the message, a command that waits looks like one that hangs. The work runs in a savepoint
  /// under a lock timeout, and again under the rest of the limit.
  ///
  /// - Parameters:
  ///   - locks: the locks that the work may wait for; the connection is in a transaction.
  ///   - limit: the longest wait for a lock, in seconds, up to `Lock.longestWait`; nil: no limit.
  /// - Throws: `LoadError` with exit code 6 when the limit is over.
  @discardableResult
  func waiting<Value>(
    for locks: [Lock], upTo limit: Int? = nil, _ work: () throws -> Value
  ) throws -> Value {
    try waiting(for: locks, upTo: limit, asking: { try $0() }) { timeout in
      try execute("savepoint wait; set local lock_timeout = '\(timeout)'")
      do {
        let value = try work()
        try execute("set local lock_timeout = 0; release savepoint wait")
        return value
      } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
        try execute("rollback to savepoint wait; release savepoint wait")
        throw error
      }
    }
  }

  /// Runs work that waits for locks, as `waiting(for:upTo:_:)` does.
  ///
  /// - Parameters:
  ///   - asking: runs a question for the holder in a transaction.
  ///   - attempt: runs the work under a lock timeout in PostgreSQL's form; `0` is none.
  func waiting<Value>(
    for locks: [Lock], upTo limit: Int?, asking: (() throws -> Holder?) throws -> Holder?,
    attempt: (String) throws -> Value
  ) throws -> Value {
    func value(within timeout: String) throws -> Value? {
      do { return try attempt(timeout) } catch let error as PostgresError
        where error.sqlState == .lockNotAvailable
      { return nil }
    }
    if let value = try value(within: limit == 0 ? "1ms" : "1s") { return value }
    var holder = try asking { try self.holder(of: locks) }
    if limit ?? .max > 1 {
      if let holder { tell(holder.waitMessage) }
      guard let limit else { return try attempt("0") }
      if let value = try value(within: "\(limit - 1)s") { return value }
      holder = try asking { try self.holder(of: locks) }
    }
    let lock = holder?.lock ?? locks.first?.description
    throw LoadError(
      .locked,
      "another session has held \(lock.map { "the lock of \($0)" } ?? "a lock") for \(limit ?? 0) s"
        + (holder.map { " (\($0.heldBy))" } ?? "")
        + "; wait for it, raise --lock-wait, or end its session if it hangs. Loaded files stay loaded"
    )
  }

  /// A session that holds a lock, in one line.
  struct Holder: Decodable {
    let lock: String
    let heldBy: String

    var waitMessage: String {
      "waiting for the lock of \(lock), which is held by \(heldBy); end that session if it hangs"
    }
  }

  /// The session that most likely keeps others waiting for one of the locks; nil: none does.
  func holder(of locks: [Lock]) throws -> Holder? {
    try rows(of: Holder.self, Lock.holders, Lock.parameters(locks)).first
  }
}
