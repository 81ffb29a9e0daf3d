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

/// The edit distance (optimal string alignment): letters added, removed, replaced or swapped with
/// their neighbor.
func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for row in left.indices {
    var next = [row + 1]
    for column in right.indices {
      let isSame = left[row] == right[column]
      var least = min(last[column + 1] + 1, next[column] + 1, last[column] + (isSame ? 0 : 1))
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        least = min(least, beforeLast[column - 1] + 1)
      }
      next.append(least)
    }
    (beforeLast, last) = (last, next)
  }
  return last[right.count]
}
