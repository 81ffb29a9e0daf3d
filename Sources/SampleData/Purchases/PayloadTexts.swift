/// Texts for a receipt's `payload`, as games write them: order numbers, JSON text, and prose in
/// several scripts.
struct PayloadTexts: Sendable {
  /// A text around a number.
  ///
  /// The number makes payloads differ, so that few texts suffice.
  private struct Template: Sendable {
    let before: JSONText
    let after: JSONText
  }

  private let templates: [Template]

  /// The number of templates.
  var count: Int { templates.count }

  init() {
    templates = [
      ("order-", ""),
      ("", ""),
      (#"{"orderId":"#, #","server":3}"#),
      (#"{"slot":"#, #","items":[{"id":"sword_01","n":2}],"note":"first \"buy\"\n"}"#),
      (#"MyData:{"1234":""#, #""}"#),
      ("여름 이벤트 보너스 ", " 🎁"),
      ("길드 선물 💎 ", "\n감사합니다"),
      (#"C:\save\"#, ".dat"),
      ("café – niño ", "\t✓"),
    ].map { Template(before: JSONText($0.0), after: JSONText($0.1)) }
  }

  /// Appends the payload as the content of a JSON string.
  func put(_ payload: Receipt.Payload, asciiOnly: Bool, into line: inout [UInt8]) {
    let template = templates[payload.template]
    line.put(asciiOnly ? template.before.ascii : template.before.plain)
    line.put(number: payload.number)
    line.put(asciiOnly ? template.after.ascii : template.after.plain)
  }
}
