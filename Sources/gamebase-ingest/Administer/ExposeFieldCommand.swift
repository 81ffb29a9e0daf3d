internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest settings expose-field`: shows a field to analysts.
struct SettingsExposeFieldCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expose-field",
    abstract: "Show analysts a field of lines that has no column. Needs the owner's rights.",
    usage: """
      gamebase-ingest settings expose-field receipt.guild --database service=games
      """,
    discussion: """
      The loader keeps members of lines that it has no column for; no view shows them. This command copies \
      the values of one of them, at the top of the lines of a stream, to report.exposed_field, and so does \
      every later refresh. The database records the role and the time. Names of credentials are refused.

      The values are as the game wrote them: make sure that they are no personal data, or that analysts may \
      read it. An erasure removes the values of its user. settings hide-field removes all of them; settings \
      show lists the exposed fields.
      """)

  @OptionGroup var field: FieldArgument
  @OptionGroup var database: DatabaseOptions

  func validate() throws {
    if let problem = try field.exposure().problem { throw ValidationError("\(problem).") }
  }

  func run() throws {
    let outcome = try field.change(to: true, for: "settings expose-field", of: database)
    let name = printable(field.name)
    try Terminal.output(of: outcome.record.map { _ in "the field" }) {
      guard let record = outcome.record else {
        return try Terminal.output("\(name) is exposed already")
      }
      Terminal.warning(
        "every role that reads schema report can now read the values of \(name), which may be personal; "
          + "gamebase-ingest settings hide-field \(name) removes them")
      try Terminal.output(
        "\(name) is exposed, recorded at \(record); \(counted(outcome.rows, "value"))")
    }
  }
}

/// `gamebase-ingest settings hide-field`: takes an exposed field back.
struct SettingsHideFieldCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hide-field",
    abstract: "Hide a field that settings expose-field shows. Needs the owner's rights.",
    usage: """
      gamebase-ingest settings hide-field receipt.guild --database service=games
      """,
    discussion: """
      Removes all values of the field from report.exposed_field. The database records the role and the time. \
      The lines keep the field.
      """)

  @OptionGroup var field: FieldArgument
  @OptionGroup var database: DatabaseOptions

  func validate() throws { _ = try field.exposure() }

  func run() throws {
    let outcome = try field.change(to: false, for: "settings hide-field", of: database)
    let name = printable(field.name)
    try Terminal.output(of: outcome.record.map { _ in "the field" }) {
      try Terminal.output(
        outcome.record.map { "\(name) is hidden, recorded at \($0)" } ?? "\(name) is not exposed")
    }
  }
}

/// The field of the two commands.
struct FieldArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("The stream and the name of the member.", valueName: "stream.field"))
  var name: String

  func exposure() throws -> FieldExposure {
    guard let exposure = FieldExposure(name: name) else {
      throw ValidationError("Give a stream and a field, such as receipt.guild.")
    }
    return exposure
  }

  func change(
    to isExposed: Bool, for command: String, of database: DatabaseOptions
  ) throws -> FieldExposureChange.Outcome {
    let exposure = try exposure()
    let connection = try database.connectToSchema(asOwnerFor: command)
    let interruption = Interruption()
    let signals = SignalHandling(interruption)
    defer { signals.stop() }
    return try reportingErrors {
      try FieldExposureChange(
        exposure, isExposed: isExposed, connection: connection, wait: DatabaseOptions.wait,
        interruption: interruption
      ).apply()
    }
  }
}
