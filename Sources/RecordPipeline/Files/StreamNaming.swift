/// Selects the stream of a file by its name, else by the name of the nearest folder that matches a
/// stream.
///
/// A word starts at the start of a name, or after a character that is not an ASCII letter or digit.
/// It selects a stream when it starts with one of the stream's prefixes; ASCII case does not
/// matter.
enum StreamNaming {
  enum Verdict: Equatable {
    case stream(String)
    /// No name has a word of a stream.
    case none
    /// A name has words of several streams.
    case several(name: String, streams: [String])

    var stream: String? { if case .stream(let name) = self { name } else { nil } }
  }

  /// The prefixes of all streams, as messages list them.
  static let knownWords = StreamCatalog.all.flatMap(\.fileNamePrefixes)
    .map { "\($0)*" }.joined(separator: ", ")

  /// - Parameter path: the path as given. Folders that are not part of it are not considered.
  static func verdict(onPath path: String) -> Verdict {
    for name in pathParts(path).reversed() {
      let streams = streams(inName: name)
      if streams.count > 1 { return .several(name: String(name), streams: streams) }
      if let stream = streams.first { return .stream(stream) }
    }
    return .none
  }

  /// The streams that the words of a name select, in the catalog's order.
  private static func streams(inName name: Substring) -> [String] {
    let bytes = name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    let words = bytes.indices.filter { place in
      place == 0 || !((0x61...0x7A).contains(bytes[place - 1]) || bytes[place - 1].isDigit)
    }
    return StreamCatalog.all.filter { stream in
      stream.fileNamePrefixes.contains { prefix in
        words.contains { bytes[$0...].starts(with: prefix.utf8) }
      }
    }.map(\.name)
  }
}
