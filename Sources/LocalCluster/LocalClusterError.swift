/// Why a private server could not be made, started or removed, and what to do about it.
package struct LocalClusterError: Error, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
