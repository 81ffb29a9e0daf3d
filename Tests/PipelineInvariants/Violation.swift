/// A broken invariant.
package struct Violation: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }

  /// Throws unless the condition holds.
  static func unless(
    _ condition: Bool, _ description: @autoclosure () -> String
  ) throws(Violation) {
    if !condition { throw Violation(description()) }
  }
}
