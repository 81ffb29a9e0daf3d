internal import CProcess

/// How many columns of a terminal a text takes: two for most characters of Chinese, Japanese and Korean
/// and for most emoji, none for marks that are put over others.
///
/// By the C library's table, as terminals do; without its UTF-8 locale every character counts as one.
func displayWidth(_ text: String) -> Int {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
  let width = text.unicodeScalars.reduce(0) { width, scalar in
    let columns = gbi_display_width(scalar.value)
    return width + Int(columns < 0 ? 1 : columns)
  }
  return gbi_knows_widths() == 1 ? width : text.count
}
