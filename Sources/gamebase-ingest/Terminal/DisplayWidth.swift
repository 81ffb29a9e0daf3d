internal import CProcess

/// The width of a text in columns of a terminal.
///
/// Most Chinese, Japanese and Korean characters and most emoji take two columns, combining marks
/// none, all others one. The widths come from the C library's table, which terminals use too. If
/// the C library has no UTF-8 locale, every character counts as one.
func displayWidth(_ text: String) -> Int {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
  let width = text.unicodeScalars.reduce(0) { width, scalar in
    let columns = gbi_display_width(scalar.value)
    return width + Int(columns < 0 ? 1 : columns)
  }
  return gbi_knows_widths() == 1 ? width : text.count
}
