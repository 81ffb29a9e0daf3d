/// Escapes text so that it is safe to show on a terminal or in a log; an escape is `\u{…}`.
///
/// Names and messages contain foreign data. That data can hold line breaks that forge log entries,
/// escape sequences, and marks that change the reading direction.
package func printable(_ text: String) -> String {
  escaped(text) { "\\u{\(String($0.value, radix: 16))}" }
}

/// Escapes each line of a text as `printable` does and keeps the line breaks.
package func printableLines(_ text: String) -> String {
  text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    .map { printable(String($0)) }.joined(separator: "\n")
}

/// Escapes JSON so that it is safe to show and decodes to the same value.
///
/// JSON encoders do not escape marks that change the reading direction. Such characters occur only
/// within strings, where JSON has an escape for every character.
package func printableJSON(_ json: String) -> String {
  json.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    .map { line in
      escaped(String(line)) { scalar in
        String(scalar).utf16.map { unit in
          let digits = String(unit, radix: 16)
          return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
      }
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
