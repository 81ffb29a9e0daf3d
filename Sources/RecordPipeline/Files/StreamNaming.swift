/// Selects the stream of a file by its name, else by the name of the nearest folder that matches a
/// stream.
///
/// A word starts at the start of a name, or after a character that is not an ASCII letter or digit.
/// It selects a stream when it starts with one of the stream's prefixes; ASCII case does not
/// matter.
enum StreamNaming {
  /// The prefixes of all streams, as messages list them.
  static let knownWords = StreamCatalog.all.flatMap(\.fileNamePrefixes)
    .map { "\($0)*" }.joined(separator: ", ")

  /// The nearest name that selects streams, and these in the catalog's order; empty when no name does.
  ///
  /// - Parameter path: the path as given. Folders that are not part of it are not considered.
  static func selection(byPath path: String) -> (name: String, streams: [String]) {
    for name in pathParts(path).reversed() {
      let bytes = name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      let words = bytes.indices.filter { place in
        place == 0 || !((0x61...0x7A).contains(bytes[place - 1]) || bytes[place - 1].isDigit)
      }
      let streams = StreamCatalog.all.filter { stream in
        stream.fileNamePrefixes.contains { prefix in
          words.contains { bytes[$0...].starts(with: prefix.utf8) }
        }
      }
      if !streams.isEmpty { return (String(name), streams.map(\.name)) }
    }
    return ("", [])
  }
}
