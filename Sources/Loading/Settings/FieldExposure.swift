internal import RecordPipeline

/// A field of lines without a column that analysts may read in `report.exposed_field`.
package struct FieldExposure: Sendable, Equatable {
  package let stream: String
  package let field: String

  /// The longest name of a field, in bytes of UTF-8.
  private static let mostBytes = 200

  /// - Parameter name: such as `receipt.guild`; nil: it has no stream, or no field.
  package init?(name: String) {
    // Bytes are split, because a combining mark behind the dot forms one character with it.
    let parts = name.utf8.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false
    )
    .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    stream = parts[0]
    field = parts[1]
  }

  package var name: String { "\(stream).\(field)" }

  /// The reason why the field cannot be exposed, as far as that is known without the server; nil: it
  /// may be.
  package var problem: String? {
    if isSecretFieldName(field) {
      return "\(printable(field)) is the name of a credential, which no view shows"
    }
    guard field.utf8.count <= Self.mostBytes, !field.utf8.contains(0) else {
      return "the name of a field has at most \(Self.mostBytes) bytes, and no NUL"
    }
    return nil
  }
}
