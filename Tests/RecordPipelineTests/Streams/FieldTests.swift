import Testing

@testable import RecordPipeline

/// The declared properties of a stream's fields, compared with the behavior of the stream.
struct FieldTests {
  /// A line with the mandatory fields of a stream, and some changes.
  private func line(of stream: RecordStream, _ changes: [String: String?] = [:]) -> String {
    var members =
      switch stream.name {
      case "receipt":
        [
          "userId": "\"u\"", "paymentSeq": "\"p\"", "purchaseTime": "1577836800000",
          "price": "0", "currency": "\"USD\"",
        ]
      case "level_up": ["userId": "\"u\"", "userLevel": "0", "levelUpTime": "1577836800000"]
      case "game_user": ["userId": "\"u\"", "userLevel": "0"]
      case "item": ["gamebaseProductId": "\"x\"", "currency": "\"USD\""]
      // The number of an event depends on its other fields by default.
      default: ["eventTime": "1577836800000", "category": "\"x\"", "eventId": "\"e\""]
      }
    for (name, value) in changes { members[name] = value }
    return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",")
      + "}"
  }

  @Test(arguments: StreamCatalog.all.map(\.name), ["absent", "null", "\"\""])
  func `a field is mandatory exactly when the stream refuses a line without it`(
    name: String, value: String
  ) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    _ = try row(line(of: stream), as: stream)
    for field in stream.fields where field.slots != 0 && !field.isInData {
      let name = stream.names[field.firstSlot]
      // An empty text is neither a flag nor the price of an item.
      let refusesEmpty =
        [.flag, .sandboxFlag, .promotionFlag].contains(field.kind)
        || field.kind == .price && !field.isMandatory
      if refusesEmpty, value == "\"\"" { continue }
      // An item needs one of its ids, whichever that is.
      let others: [String: String?] =
        stream.name == "item" && field.kind != .anyOf ? ["marketItemId": "\"m\""] : [:]
      let changes = others.merging([name: value == "absent" ? nil : value]) { $1 }
      let text = line(of: stream, changes)
      if field.isMandatory {
        let rejection = try rejection(text, as: stream)
        #expect(rejection.code == .missingField && rejection.field == name, "\(text)")
      } else {
        _ = try row(text, as: stream)
      }
    }
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `the columns of the fields are those of the stream`(name: String) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    #expect(stream.fields.flatMap(\.columns) == Array(stream.columns.indices))
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
    for field in stream.fields
    where field.slots != 0 && field.kind != .anyOf && !field.isInData {
      let name = stream.names[field.firstSlot]
      var changed: Set<String> = []
      for value in values {
        let reading = try Reading(line(of: stream, [name: value]), as: stream)
        guard let after = reading.rows.first else { continue }
        for column in stream.allColumns.map(\.name) where after[column] != before[column] {
          changed.insert(column)
        }
      }
      // A token is stored only with the option.
      let shown = field.columns.map { stream.columns[$0] }.filter { $0.role != .secret }.map(\.name)
      let expected: [String] =
        switch field.kind {
        case .checkedTime: ["extra"]
        case .purchaseType: ["is_sandbox", "is_promotion"]
        case .observation: shown + ["observed_at_source"]
        default: shown
        }
      #expect(changed == Set(expected), "\(name)")
    }
  }
}
