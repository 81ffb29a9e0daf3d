import Postgres
import TestSupport
import Testing

/// Sessions that cannot write: on a real standby, before and after its promotion, and by a setting.
@Suite(.serialized, .needsServer) final class StandbyTests {
  private let primary: PrivateServer
  private let standby: StandbyServer

  init() throws {
    primary = try PrivateServer()
    try Connection(ConnectionTarget(conninfo: primary.conninfo)).execute(
      """
      create table public.kept (n integer);
      create role reader login; grant insert on public.kept to reader;
      alter role reader set default_transaction_read_only = on
      """)
    standby = try StandbyServer(of: primary)
  }

  private func connect(_ conninfo: String) throws -> Connection {
    try Connection(ConnectionTarget(conninfo: conninfo), applicationName: "test")
  }

  private func error(_ statement: String, on connection: Connection) -> PostgresError? {
    #expect(throws: PostgresError.self) {
      try connection.transaction { try connection.execute(statement) }
    }
  }

  private func refusal(_ conninfo: String) -> PostgresError? {
    #expect(throws: PostgresError.self) { _ = try connect(conninfo) }
  }

  private let insert = "insert into public.kept values (1)"

  @Test func `a standby refuses changes for a time, and accepts them after its promotion`() throws {
    let session = try connect(standby.conninfo)
    #expect(session.isStandby)
    for statement in [
      insert, "create table public.new ()", "vacuum public.kept",
      "lock table public.kept in exclusive mode", "select * from public.kept for update",
    ] {
      let error = #expect(throws: PostgresError.self) { try session.execute(statement) }
      #expect(error?.sqlState == .readOnlyTransaction)
      #expect(error?.readOnlyCause == .standby)
      #expect(error?.kind == .unavailable)
      #expect(error?.description.hasSuffix(ReadOnlyCause.standby.rawValue) == true)
    }
    // An error of another kind stays what it is.
    #expect(error("select 1 / 0", on: session)?.kind == .row)
    #expect(error("select none_such", on: session)?.kind == .setup)

    try session.begin()
    _ = try session.query("select count(*) from public.kept")
    try standby.promote()
    let open = #expect(throws: PostgresError.self) { try session.execute(insert) }
    #expect(open?.readOnlyCause == .standby)
    session.rollback()
    try session.transaction { try session.execute(insert) }
    #expect(!session.isStandby)
  }

  @Test func `a server that accepts no changes is a state that passes, unless a setting causes it`()
    throws
  {
    let both = "host='\(standby.socketFolder),/nonexistent' user=gamebase dbname=gamebase"
    for conninfo in [standby.conninfo, both] {
      for attributes in ["read-write", "primary"] {
        let error = refusal("\(conninfo) target_session_attrs=\(attributes)")
        #expect(error?.readOnlyCause == .standby)
        #expect(error?.refusal == nil)
        #expect(error?.kind == .unavailable)
        #expect(error?.isConnectionLost == true)
      }
    }
    let hosts = "host='\(standby.socketFolder),\(primary.folder)/socket' dbname=gamebase"
    let found = try connect("\(hosts) user=gamebase target_session_attrs=read-write")
    #expect(!found.isStandby)
    try found.transaction { try found.execute(insert) }

    // The role is read-only on every server, so no promotion helps.
    let reader = "\(hosts) user=reader target_session_attrs"
    #expect(refusal("\(reader)=read-write")?.readOnlyCause == .setting)
    #expect(refusal("\(reader)=read-write")?.kind == .setup)
    let own = try connect("\(reader)=primary")
    let byRole = error(insert, on: own)
    #expect(byRole?.readOnlyCause == .setting)
    #expect(byRole?.kind == .setup)
    #expect(byRole?.description.contains("default_transaction_read_only is on") == true)
    // The options ask for a standby.
    let asked = error(
      insert, on: try connect("\(hosts) user=gamebase target_session_attrs=standby"))
    #expect(asked?.readOnlyCause == .standby)
    let alone = "host='\(primary.folder)/socket' dbname=gamebase user=gamebase"
    for kind in ["standby", "read-only"] {
      let none = refusal("\(alone) target_session_attrs=\(kind)")
      #expect(none?.kind == .unavailable)
      #expect(none?.message.contains("=\(kind) asks for a standby, and this server is") == true)
    }
  }
}
