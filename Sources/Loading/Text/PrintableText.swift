/// Text that is safe to show on a terminal or in a log: names and messages are data, and data can
/// hold line breaks that forge entries, escape sequences, and marks that turn the reading direction.
package func printable(_ text: String) -> String {
  escaped(text) { "\\u{\(String($0.value, radix: 16))}" }
}

/// A text of several lines, each safe to show.
package func printableLines(_ text: String) -> String {
  text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    .map { printable(String($0)) }.joined(separator: "\n")
}

/// JSON that means the same and is safe to show: encoders leave marks that turn the reading
/// direction as they are.
///
/// Such characters can stand within strings only, where JSON has another spelling for each.
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
