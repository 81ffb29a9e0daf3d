internal import Glibc

/// A pattern of paths as the shell has them, with `*`, `?`, `[…]` and alternatives `{a,b}`, for paths that need
/// not exist.
package struct PathPattern: Sendable {
  /// The pattern without alternatives, once for each of them.
  let alternatives: [String]

  /// - Parameter pattern: canonical, with the real path of the folder before its first wildcard.
  package init(_ pattern: String) { alternatives = Self.alternatives(in: pattern) }

  /// True for a text that can stand for other paths than itself.
  package static func isMeant(by text: String) -> Bool {
    text.utf8.contains { "*?[".utf8.contains($0) } || alternatives(in: text).count > 1
  }

  /// True when the pattern selects a file, or a folder above it.
  ///
  /// - Parameter path: canonical.
  package func matches(_ path: String) -> Bool {
    // FNM_LEADING_DIR, which the headers of glibc hide from Swift.
    let leadingFolder: Int32 = 1 << 3
    return alternatives.contains {
      fnmatch($0, path, FNM_PATHNAME | FNM_PERIOD | leadingFolder) == 0
    }
  }

  /// The existing paths, in byte order.
  var paths: [String] {
    var seen: Set<[UInt8]> = []
    return alternatives.flatMap(Self.glob).filter { seen.insert(Array($0.utf8)).inserted }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func glob(_ pattern: String) -> [String] {
    var matches = glob_t()
    defer { globfree(&matches) }
    guard Glibc.glob(pattern, 0, nil, &matches) == 0 else { return [] }
    return (0..<Int(matches.gl_pathc)).compactMap { index in
      matches.gl_pathv[index].map { String(cString: $0) }
    }
  }

  /// A text with more alternatives has none: names of files in an inbox are no pattern of ours.
  private static let mostAlternatives = 1000

  /// The texts that a text with alternatives stands for, as in bash; the text itself when it has none.
  private static func alternatives(in text: String) -> [String] {
    var (pending, found) = ([text], [String]())
    while let next = pending.popLast() {
      if let parts = expanded(next) { pending += parts } else { found.append(next) }
      guard pending.count + found.count <= mostAlternatives else { return [text] }
    }
    return found
  }

  /// The text once for each alternative of one of its innermost groups; nil: it has none.
  ///
  /// Braces without a comma, and those behind a backslash, are characters like others.
  private static func expanded(_ text: String) -> [String]? {
    let bytes = Array(text.utf8)
    var open: [(brace: Int, commas: [Int])] = []
    var place = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\\"): place += 1
      case UInt8(ascii: "{"): open.append((place, []))
      case UInt8(ascii: ",") where !open.isEmpty: open[open.count - 1].commas.append(place)
      case UInt8(ascii: "}"):
        guard let group = open.popLast(), !group.commas.isEmpty else { break }
        let bounds = [group.brace] + group.commas + [place]
        return zip(bounds, bounds.dropFirst()).map { from, to in
          String(
            decoding: bytes[..<group.brace] + bytes[(from + 1)..<to] + bytes[(place + 1)...],
            as: UTF8.self)
        }
      default: break
      }
      place += 1
    }
    return nil
  }
}
