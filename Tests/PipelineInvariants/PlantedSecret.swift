import RecordPipeline

/// An input with a planted secret, which must not appear anywhere in the output.
///
/// The place is one where a member can stand, even within a string. The planted text is either a
/// member or makes the line something other than JSON; in both cases no text after the name of a
/// secret may be kept.
struct PlantedSecret {
  let input: [UInt8]
  private let marker: [UInt8]

  private static let names = [
    "purchaseToken", "accessToken", "paymentToken", #"purchase\u0054oken"#, #"\u0061ccessToken"#,
    "Purchasetoken", "PAYMENTTOKEN",
  ]
  private static let digits = "70917361920483"
  private static let letters = "MaRkErMaRkEr"
  /// Values with `?` for the marker.
  private static let values = [
    #""?""#, #""?\n""#, #""\u0020?""#, #""},?""#, #""\"?""#, #""\\?\"""#, #""a b:?""#, #""'?""#,
    #"["?"]"#, #"{"a":"?"}"#, #"{"a":["}","?"],"b":null}"#, #"["]",{"?":1}]"#,
  ]

  /// Nil when the input has no place for a member.
  init?(in input: [UInt8], pick: Int) {
    func pickedIndex(_ count: Int, _ divisor: Int) -> Int { pick / divisor % count }
    let isInAString = pickedIndex(4, 1) == 3
    let isNumber = !isInAString && pickedIndex(8, 4) == 7
    let marker = Array((isNumber ? Self.digits : Self.letters).utf8)
    let name = Self.names[pickedIndex(Self.names.count, 32)]
    let value = isNumber ? "?" : Self.values[pickedIndex(Self.values.count, 160)]
    let space = ["", " ", "\t\r "][pickedIndex(3, 1920)]

    let places = input.indices.dropFirst().filter { index in
      isInAString
        // At the start of a value that is a string.
        ? index > 1 && input[index - 1] == UInt8(ascii: "\"")
          && input[index - 2] == UInt8(ascii: ":")
        : input[index - 1] == UInt8(ascii: "{") || input[index - 1] == UInt8(ascii: ",")
    }
    guard !places.isEmpty else { return nil }
    let place = places[pickedIndex(places.count, 5760)]
    var text = "\"\(name)\"\(space):\(space)\(value)"
    if isInAString {
      let isBare = pickedIndex(3, 4) == 0
      text = isBare ? "\(name)=?&" : Self.quoted("{\(text)}")
    } else if input[place] != UInt8(ascii: "}") {
      text += ","
    }
    let planted = text.utf8.flatMap { $0 == UInt8(ascii: "?") ? marker : [$0] }
    // An input may already hold the marker.
    guard !Self.contains(input[...], marker) else { return nil }
    self.marker = marker
    self.input = input[..<place] + planted + input[place...]
  }

  /// The text as the inside of a JSON string.
  private static func quoted(_ text: String) -> String {
    text.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#)
      .replacing("\t", with: #"\t"#).replacing("\r", with: #"\r"#)
  }

  func check(_ outcome: PipelineOutcome) throws(Violation) {
    for rows in [outcome.newRows, outcome.possiblyKnownRows, outcome.embeddedRows] {
      try Violation.unless(!Self.contains(rows[...], marker), "a row shows a secret: \(shown)")
    }
    for reject in outcome.rejects {
      try Violation.unless(
        !Self.contains(reject.raw[...], marker)
          && !Self.contains(reject.rejection.reason.utf8, marker),
        "the reject of line \(reject.lineNumber) shows a secret: \(text(of: reject.raw[...])) of \(shown)"
      )
    }
  }

  private var shown: String { text(of: input[...]) }

  private func text(of bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).debugDescription
  }

  private static func contains(_ bytes: some Collection<UInt8>, _ wanted: [UInt8]) -> Bool {
    bytes.withContiguousStorageIfAvailable { contains($0, wanted) }
      ?? contains(Array(bytes), wanted)
  }

  private static func contains(_ bytes: UnsafeBufferPointer<UInt8>, _ wanted: [UInt8]) -> Bool {
    guard bytes.count >= wanted.count else { return false }
    for start in 0...bytes.count - wanted.count
    where bytes[start] == wanted[0]
      && UnsafeBufferPointer(rebasing: bytes[start..<start + wanted.count]).elementsEqual(wanted)
    {
      return true
    }
    return false
  }
}
