/// A configuration that cannot be used; nothing was done.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable {
    /// The file cannot be read, or has an error.
    case file
    /// The command line or the environment names something that the file does not have.
    case usage
  }

  package let kind: Kind
  /// The event, its place, and the next step.
  package let description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
