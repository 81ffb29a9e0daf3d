internal import Foundation

/// Escapes text so that it is safe to show on a terminal or in a log; an escape is `\u{…}`.
///
/// Names and messages contain foreign data. That data can hold line breaks that forge log entries,
/// escape sequences, and marks that change the reading direction.
package func printable(_ text: String) -> String {
  escaped(text) { "\\u{\(String($0.value, radix: 16))}" }
}

/// Escapes JSON so that it is safe to show and decodes to the same value.
///
/// JSON encoders do not escape marks that change the reading direction. Such characters occur only
/// within strings, where JSON has an escape for every character.
package func printableJSON(_ json: String) -> String {
  json.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    .map { line in
      escaped(String(line)) { String($0).utf16.map { String(format: "\\u%04x", $0) }.joined() }
    }.joined(separator: "\n")
}

private func escaped(_ text: String, as escape: (Unicode.Scalar) -> String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      result += escape(scalar)
    default:
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// The first of some names, and the number of the others: `a, b and 3 more`.
package func listed(_ names: [String], atMost count: Int) -> String {
  names.prefix(count).joined(separator: ", ")
    + (names.count > count ? " and \(names.count - count) more" : "")
}

/// Encodes bytes in hexadecimal: two lower-case digits for each byte.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  // Many small files have a digest each, and String(format:) is slow.
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// The names that a mistyped name may stand for, nearest first.
///
/// - Returns: the names within an edit distance of 2 or a quarter of the typed letters, whichever
///   is larger, that need fewer edits than there are typed letters.
package func nearestNames(to name: String, among names: [String], atMost count: Int) -> [String] {
  let typed = Array(name.lowercased().unicodeScalars)
  let limit = max(2, typed.count / 4)
  return names.enumerated()
    .map {
      (place: $0, name: $1, distance: editDistance(typed, Array($1.lowercased().unicodeScalars)))
    }
    .filter { $0.distance <= limit && $0.distance < typed.count }
    .sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }
    .prefix(count).map(\.name)
}

/// The edit distance: letters added, removed or replaced.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
  var distances = Array(0...right.count)
  for (row, letter) in left.enumerated() {
    var diagonal = row
    distances[0] = row + 1
    for (column, other) in right.enumerated() {
      let least = min(
        distances[column] + 1, distances[column + 1] + 1, diagonal + (letter == other ? 0 : 1))
      (diagonal, distances[column + 1]) = (distances[column + 1], least)
    }
  }
  return distances[right.count]
}
