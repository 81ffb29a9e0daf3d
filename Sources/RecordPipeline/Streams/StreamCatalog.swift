/// Every stream there is.
///
/// A new one is a file in `Streams/` and a line here.
package enum StreamCatalog {
  package static let all: [RecordStream] = [
    .receipt,
    .levelUp,
    .gameUser,
  ]

  package static func stream(named name: String) -> RecordStream? {
    all.first { $0.name == name }
  }
}
