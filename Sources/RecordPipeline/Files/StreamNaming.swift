/// Selects the stream of a file by its name, else by the name of the nearest folder that matches a
/// stream.
///
/// A word starts at the start of a name, or after a character that is not an ASCII letter or digit.
/// It selects a stream when it starts with one of the stream's prefixes; ASCII case does not
/// matter.
struct StreamNaming {
  enum Verdict: Equatable {
    case stream(String)
    /// No name has a word of a stream.
    case none
    /// A name has words of several streams.
    case several(name: String, streams: [String])

    var stream: String? { if case .stream(let name) = self { name } else { nil } }
  }

  private let prefixes: [(stream: String, bytes: [UInt8])] = StreamCatalog.all.flatMap { stream in
    stream.fileNamePrefixes.map { (stream.name, Array($0.utf8)) }
  }

  /// The prefixes of all streams, as messages list them.
  static let knownWords = StreamCatalog.all.flatMap(\.fileNamePrefixes)
    .map { "\($0)*" }.joined(separator: ", ")

  /// - Parameter path: the path as given. Folders that are not part of it are not considered.
  func verdict(onPath path: String) -> Verdict {
    for name in pathParts(path).reversed() {
      let streams = streams(inName: name)
      if streams.count > 1 { return .several(name: String(name), streams: streams) }
      if let stream = streams.first { return .stream(stream) }
    }
    return .none
  }

  /// The streams that the words of a name select, in the catalog's order.
  private func streams(inName name: Substring) -> [String] {
    let bytes = name.utf8.map(asciiLowercased)
    var found: [String] = []
    for start in bytes.indices where start == 0 || !isASCIILetterOrDigit(bytes[start - 1]) {
      for (stream, prefix) in prefixes
      where bytes[start...].starts(with: prefix) && !found.contains(stream) {
        found.append(stream)
      }
    }
    return StreamCatalog.all.map(\.name).filter(found.contains)
  }
}

private func asciiLowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

/// - Parameter byte: in lower case.
private func isASCIILetterOrDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
