/// Names that a mistyped one may stand for, nearest first.
///
/// - Returns: those that as many changes lead to as fit a slip: two, or a quarter of the letters.
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

/// How many letters have to be added, left out, replaced, or swapped with their neighbour.
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
