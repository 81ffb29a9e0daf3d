/// Text that is safe to show on a terminal or in a log: names and messages are data, and data can
/// hold line breaks that forge entries, escape sequences, and marks that turn the reading direction.
package func printable(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      result += "\\u{\(String(scalar.value, radix: 16))}"
    default:
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}
