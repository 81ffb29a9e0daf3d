internal import ArgumentParser

/// A line of a file, written as `path:line`; the last colon separates them, because a path may hold
/// colons.
struct LinePlace: ExpressibleByArgument {
  let path: String
  let line: Int

  init?(argument: String) {
    guard let colon = argument.lastIndex(of: ":"),
      let line = Int(argument[argument.index(after: colon)...]), line >= 1,
      colon > argument.startIndex
    else { return nil }
    path = String(argument[..<colon])
    self.line = line
  }
}
