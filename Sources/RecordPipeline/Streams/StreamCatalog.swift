package enum StreamCatalog {
  package static let all: [RecordStream] = [.receipt, .levelUp, .gameUser, .item, .event]

  package static func stream(named name: String) -> RecordStream? {
    all.first { $0.name == name }
  }
}

extension RecordStream {
  /// The stream whose records lie within lines of this one; nil when none do.
  package var embedded: RecordStream? { embeddedStreamName.flatMap(StreamCatalog.stream(named:)) }
}
