/// The list of all streams.
///
/// To add a stream, add a file in `Streams/` and an entry here.
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
