/// A number with its noun: `1 line`, `2 lines`.
///
/// - Parameter noun: the singular of a noun that takes an s.
func counted(_ number: Int, _ noun: String) -> String {
  number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}
