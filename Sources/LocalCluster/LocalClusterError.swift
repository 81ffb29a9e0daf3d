/// The reason why a private server could not be created, started or removed, with a hint.
package struct LocalClusterError: Error, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
