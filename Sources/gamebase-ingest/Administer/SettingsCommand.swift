internal import ArgumentParser
internal import Loading
internal import Postgres

struct SettingsCommand: Command {
  static let help =
    "settings: Show or set what the database stores for later loads and for the reports."
  static let subcommands: Commands = [SettingsShowCommand.self, SettingsSetCommand.self]
}

struct SettingsShowCommand: Command {
  static let help = "show: Show all settings, with their values."
  @OptionGroup var database: DatabaseOptions

  func run() throws {
    let settings = try database.connectToSchema().query(
      "select setting, value, set, meaning from ingest.setting_value order by place")
    try TextTable(settings).show()
  }
}

struct SettingsSetCommand: ChangingCommand {
  static let help = """
    set: Set a value, or restore the default. Needs the owner's rights.

    gamebase-ingest settings set <name> <value> [options]
    gamebase-ingest settings set time-zone Asia/Seoul --database service=games
    gamebase-ingest settings set max-age.Qb2FhTzN --default --database service=games

    settings show lists the settings with their meanings. NAME.APP and NAME.STREAM are those of one \
    application or stream. A change that the reports depend on refreshes or rebuilds them in the same \
    transaction, and judges all days again; loads go on meanwhile. Loaded rows do not change.

    app-id is a part of a file's identity: after a change, load refuses a file that is loaded under the old \
    value, unless --reload-as is given. apps is a list with commas and without blanks. After a change of \
    base-currency, load the rates of the new one.
    """

  @Argument(help: "The name of the setting; settings show lists them.") var name: String
  @Argument(help: "The new value.") var value: String?

  @Flag(help: "Restore the default.") var `default` = false

  @OptionGroup var database: DatabaseOptions

  func validate() throws {
    guard (value == nil) == `default` else {
      throw ValidationError("Give a value, or --default.")
    }
    // A name that an older version accepted can still be set to its default.
    guard let value else { return }
    let apps =
      switch name {
      case "app-id": [value]
      case "apps": ApplicationName.list(value)
      // Bytes are split, because a combining mark behind the dot forms one character with it.
      default:
        name.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).dropFirst()
          .map { String(decoding: $0, as: UTF8.self) }
      }
    if let problem = apps.lazy.compactMap(ApplicationName.problem(with:)).first {
      throw ValidationError("\(name): \(problem).")
    }
    guard Set(apps.map { Array($0.utf8) }).count == apps.count else {
      throw ValidationError("\(name): an application is listed twice.")
    }
  }

  func run() throws {
    let change = try database.change("settings set")
    let outcome = try change.set(name, to: value)
    let (before, now) = (printable(outcome.values.before), printable(outcome.values.now))
    let isChanged = outcome.values.isChanged
    try Terminal.output(of: isChanged ? "the setting" : nil) {
      try Terminal.output(
        isChanged ? "\(name) is \(now), and was \(before)" : "\(name) is \(now) already")
      if outcome.rebuilt != nil, name == "base-currency" {
        try Terminal.output("the purchases in the reports are converted again")
      } else if let rebuilt = outcome.rebuilt {
        try Terminal.output(rebuilt.sentence())
      }
    }
  }
}
