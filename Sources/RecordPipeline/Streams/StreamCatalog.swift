/// All streams.
///
/// A new stream is a file in `Streams/` and an entry here.
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
