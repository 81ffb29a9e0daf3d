/// Sorts functions and views topologically: each comes after those that its text names.
///
/// A file is named after the object that it creates, `schema.name`, so the texts give the
/// dependencies and no list of them is needed. Comments and quoted texts are ignored: a statement
/// that a function assembles at run time is quoted, and the objects that it names may be created
/// later. A function's body is dollar-quoted and is not ignored.
enum DefinitionOrder {
  /// - Throws: `LoadError` when the dependencies form a cycle.
  static func sort(_ files: [SQLFile]) throws -> [SQLFile] {
    let byName = Dictionary(files.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var sorted: [SQLFile] = []
    var placed: Set<String> = []
    func place(_ file: SQLFile, path: [String]) throws {
      guard !placed.contains(file.name) else { return }
      if let start = path.firstIndex(of: file.name) {
        throw LoadError(
          .defect,
          "files of sql/ depend on each other in a cycle: "
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

  /// All lower-case words with a dot, outside comments and quoted texts.
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
        // A doubled quote ends one text and starts the next, which skips the same bytes.
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
