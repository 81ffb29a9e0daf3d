internal import Foundation
internal import RecordPipeline

/// The names of applications in options and settings.
package enum ApplicationName {
  /// The reason why a text cannot be the name of an application; nil: it can.
  ///
  /// A blank at an end comes from a shell or a table by mistake, and would make a further game. Lines
  /// are not checked by this rule, because their texts are stored as written.
  package static func problem(with name: String) -> String? {
    let limit = Limits().identifierBytes
    guard !name.isEmpty, name.utf8.count <= limit else {
      return "an application is a text of 1 to \(limit) bytes"
    }
    let ends = [("begins", name.unicodeScalars.first), ("ends", name.unicodeScalars.last)]
    for case (let verb, let scalar?) in ends where isInvisible(scalar) {
      return
        "an application has no white space or invisible character at its ends, and this one \(verb) "
        + "with " + String(format: "U+%04X", scalar.value)
    }
    return nil
  }

  /// The names in a list that is separated by commas.
  package static func list(_ text: String) -> [String] {
    // Bytes are split, because a combining mark behind a comma forms one character with it.
    text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// White space, a control character, or a character without a glyph such as a byte-order mark.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .format: return true
    default: return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
    }
  }
}
