import Testing

@testable import RecordPipeline

/// The declared properties of a stream's fields, compared with the behavior of the stream.
struct FieldTests {
  /// A line with the declared samples of a stream's mandatory fields, and some changes.
  private func line(of stream: RecordStream, _ changes: [String: String?] = [:]) -> String {
    var members: [String: String] = [:]
    for description in stream.descriptions {
      if let sample = description.kind.sample {
        members[stream.fields.names[description.field.firstSlot]] = "\(sample)"
      } else if description.kind == EventID.self {
        // Its default depends on other fields.
        members[stream.fields.names[description.field.firstSlot]] = "\"e\""
      }
    }
    for (name, value) in changes { members[name] = value }
    return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",")
      + "}"
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `the samples of the mandatory fields make an accepted line`(name: String) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    _ = try row(line(of: stream), as: stream)
  }

  @Test(arguments: StreamCatalog.all.map(\.name), ["absent", "null", "\"\""])
  func `a field is mandatory exactly when the stream refuses a line without it`(
    name: String, value: String
  ) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    // An item needs one of its ids, whichever that is.
    let others: [String: String?] = name == "item" ? ["marketItemId": "\"m\""] : [:]
    for description in stream.descriptions {
      let field = stream.fields.names[description.field.firstSlot]
      // An empty text is neither a flag nor the price of an item.
      let refusesEmpty = description.kind == Flag.self || description.kind == OptionalPrice.self
      if refusesEmpty, value == "\"\"" { continue }
      let changes = others.merging([field: value == "absent" ? nil : value]) { $1 }
      let text = line(of: stream, changes)
      if description.kind.isMandatory {
        let rejection = try rejection(text, as: stream)
        #expect(rejection.code == .missingField && rejection.field == field, "\(text)")
      } else {
        _ = try row(text, as: stream)
      }
    }
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `every column belongs to a field, and a field without columns goes to extra or nowhere`(
    name: String
  ) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    let named = Set((stream.descriptions + stream.members).flatMap(\.columns).map(\.name))
    #expect(named == Set(stream.columns.map(\.name)))
    for description in stream.descriptions where description.columns.isEmpty {
      #expect(
        stream.fields.keptInExtra & description.field.slots
          == (description.kind.isKeptInExtra ? description.field.slots : 0))
    }
  }

  /// Each field is given several values, so that every column of the field changes at least once.
  @Test(arguments: StreamCatalog.all.map(\.name))
  func `a field's value goes to the columns that it names`(name: String) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    let values = [
      "\"7\"", "7", "1616649225531", "\"EUR\"", "true", "\"Test\"", "\"Promo\"", "\"consumable\"",
      "4.989999771118164", "16777216.5", "\"kTCGBLoggedOut\"",
    ]
    let before = try row(line(of: stream), as: stream)
    for description in stream.descriptions {
      let field = stream.fields.names[description.field.firstSlot]
      var changed: Set<String> = []
      for value in values {
        let reading = try Reading(line(of: stream, [field: value]), as: stream)
        guard let after = reading.rows.first else { continue }
        for column in stream.allColumns.map(\.name) where after[column] != before[column] {
          changed.insert(column)
        }
      }
      // A token is stored only with the option.
      let shown = description.columns.filter { $0.role != .secret }.map(\.name)
      let otherwise = description.kind.isKeptInExtra ? ["extra"] : []
      #expect(changed == Set(description.columns.isEmpty ? otherwise : shown), "\(field)")
    }
  }
}
