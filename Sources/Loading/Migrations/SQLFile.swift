internal import Crypto
internal import Foundation

/// A file of `sql/`, as it was when the program was built.
package struct SQLFile: Sendable, Equatable {
  /// The file's name without `.sql`.
  package let name: String
  package let text: String

  package var checksum: [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }
}
