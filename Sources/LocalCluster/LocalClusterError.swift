/// The reason why an action on a private server failed, with a hint.
package struct LocalClusterError: Error, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
