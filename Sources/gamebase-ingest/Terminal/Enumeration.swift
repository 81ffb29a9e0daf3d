/// Joins names for a sentence: `a, b or c`.
func alternatives(_ names: [String]) -> String { enumeration(names, with: "or") }

/// Joins names for a sentence, with a conjunction before the last one: `a, b and c`.
func enumeration(_ names: [String], with conjunction: String) -> String {
  guard names.count > 1, let last = names.last else { return names.joined() }
  return names.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
}
