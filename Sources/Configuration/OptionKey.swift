/// An option of the command line, as the configuration file and the environment can set it.
package struct OptionKey: Sendable, Equatable {
  package enum Kind: Sendable { case flag, option }

  /// The name without the dashes, such as `max-rejects`; also the key in the configuration file.
  package let name: String
  package let kind: Kind
  /// True when the option can be given several times.
  package let isRepeating: Bool
  /// One line for people.
  package let abstract: String
  /// The default as `--help` shows it; nil: none.
  package let defaultValue: String?
  /// The possible values; nil: any text.
  package let values: [String]?

  package init(
    name: String, kind: Kind, isRepeating: Bool = false, abstract: String = "",
    defaultValue: String? = nil, values: [String]? = nil
  ) {
    self.name = name
    self.kind = kind
    self.isRepeating = isRepeating
    self.abstract = abstract
    self.defaultValue = defaultValue
    self.values = values
  }

  package static let environmentPrefix = "GAMEBASE_INGEST_"

  /// Such as `GAMEBASE_INGEST_MAX_REJECTS`.
  package var environmentVariable: String {
    Self.environmentPrefix + name.uppercased().replacing("-", with: "_")
  }
}
