internal import CProcess

/// The width of a text in columns of a terminal: two for most Chinese, Japanese and Korean characters
/// and most emoji, none for combining marks, one for all others.
///
/// The widths come from the C library's table, which terminals use too. Without a UTF-8 locale of the C
/// library every character counts as one.
func displayWidth(_ text: String) -> Int {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
  let width = text.unicodeScalars.reduce(0) { width, scalar in
    let columns = gbi_display_width(scalar.value)
    return width + Int(columns < 0 ? 1 : columns)
  }
  return gbi_knows_widths() == 1 ? width : text.count
}
