internal import ArgumentParser
internal import Loading

struct GrantCommand: ChangingCommand {
  static let help = """
    grant: Grant rights in the database to five roles: owner, loader, analyst, eraser and monitor.

    gamebase-ingest grant [--create-roles] [--print] [options]
    gamebase-ingest grant --create-roles --database service=games-admin
    gamebase-ingest grant --create-roles --roles kr --database service=kr-admin

    The owner runs migrate, the loader adds rows, the analyst reads the views of schema report, the eraser \
    erases users, and the monitor reads the health of the feeds. PUBLIC loses CREATE on schema public and \
    TEMPORARY on the database. docs/security.md says what each role may do.

    Run grant after each migrate that added something; a second run changes nothing. Rights that an \
    administrator gave the analyst or the monitor stay, and are listed; those of PUBLIC, the loader and \
    the eraser are revoked. Run it as a superuser, or as a role with CREATEROLE that owns the database. \
    Roles are created without a password; set one with psql's \\password.
    """

  @OptionGroup var database: DatabaseOptions
  @Flag(help: "Create missing roles.") var createRoles = false

  @Flag(help: "Leave PUBLIC the right to create temporary tables, for other applications.")
  var keepTemporary = false

  @Flag(help: "Print the statements with the role names, and run none of them.") var print = false

  @Option(help: "The beginning of the roles' names, as in <roles>_owner and <roles>_loader.")
  var roles = DatabaseRoles.defaultPrefix

  @Option(
    help: """
      A schema for tables of the analyst role, as dbt makes them, created when missing. Its sessions in \
      this database are then not read-only by default.
      """)
  var analystSchema: String?

  private var named: DatabaseRoles { DatabaseRoles(prefix: roles, analystSchema: analystSchema) }

  func validate() throws {
    if let problem = named.problem { throw ValidationError("\(problem).") }
  }

  func run() throws {
    let connection = try database.connect()
    let grants = Grants(named, keepsTemporary: keepTemporary, connection: connection)
    if print { return try Terminal.output(try grants.statements(createsRoles: createRoles)) }
    let kept = try grants.apply(createsRoles: createRoles)
    let problems = try Distribution.problems(of: connection)
    let revoked =
      keepTemporary
      ? "; not revoked: TEMPORARY on the database"
      : ", TEMPORARY on the database (--keep-temporary leaves it)"
    try Terminal.output(
      """
      \(printable(named.owner)) owns, \(printable(named.loader)) loads, \(printable(named.analyst)) reads report, \
      \(printable(named.eraser)) erases, \(printable(named.monitor)) reads their health
      revoked from PUBLIC: CREATE on schema public\(revoked)
      """)
    if let analystSchema {
      try Terminal.output(
        "\(printable(named.analyst)) may create tables in schema \(printable(analystSchema))")
    }
    for right in kept { try Terminal.output(printable(right)) }
    guard problems.isEmpty else {
      throw LoadError(
        .configuration,
        "the rights are granted, but loads and refreshes fail until this is mended: "
          + problems.joined(separator: "; "))
    }
  }
}
