/// Puts functions and views in the order of their use: each after those that its text names.
///
/// A file's name is the name of what it makes, `schema.name`, so a text says itself what it needs and
/// no list of dependencies has to follow it. Comments and quoted texts need nothing: a statement that is
/// put together while a function runs is quoted, and what it names may be made later. A body stands in dollars.
enum DefinitionOrder {
  /// - Throws: `LoadError` when files need each other in a circle, which no order can satisfy.
  static func sort(_ files: [SQLFile]) throws -> [SQLFile] {
    let byName = Dictionary(files.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var sorted: [SQLFile] = []
    var placed: Set<String> = []
    func place(_ file: SQLFile, path: [String]) throws {
      guard !placed.contains(file.name) else { return }
      if let start = path.firstIndex(of: file.name) {
        throw LoadError(
          .defect,
          "files of sql/ need each other in a circle: "
            + (path[start...] + [file.name]).joined(separator: ", "), endsRun: true)
      }
      for name in names(in: file.text).sorted() where name != file.name {
        if let needed = byName[name] { try place(needed, path: path + [file.name]) }
      }
      placed.insert(file.name)
      sorted.append(file)
    }
    for file in files.sorted(by: { $0.name < $1.name }) { try place(file, path: []) }
    return sorted
  }

  /// All words with a dot in them outside of comments and quoted texts.
  static func names(in text: String) -> Set<String> {
    var names: Set<String> = []
    var word: [UInt8] = []
    var bytes = Array(text.utf8)[...]
    func endWord() {
      if word.contains(UInt8(ascii: ".")) { names.insert(String(decoding: word, as: UTF8.self)) }
      word.removeAll(keepingCapacity: true)
    }
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "-") where bytes.first == byte:
        endWord()
        bytes = bytes.drop { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "'"):
        // A doubled quote ends one text and begins the next, which comes to the same.
        endWord()
        bytes = bytes.drop { $0 != byte }.dropFirst()
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "."):
        word.append(byte)
      default: endWord()
      }
    }
    endWord()
    return names
  }
}
