internal import Glibc

/// A search of a storage for the objects behind a name.
struct ObjectSearch {
  let rclone: Rclone
  /// True for the names of data files.
  let isData: (String) -> Bool

  /// The objects whose keys begin as the name says, or match it as a pattern, in byte order; none when there is none.
  ///
  /// An object of exactly that key comes alone.
  func candidates(at name: StorageName) -> [Candidate] {
    let (folder, start) = name.listed
    guard StorageName.isPlain(folder, isRooted: !name.isS3) else {
      return [Candidate(path: name.text, kind: Self.unnameable)]
    }
    let listed: [StoredObject]
    do throws(ReadError) {
      listed = try list(name, folder: folder, start: start)
    } catch {
      let kind = Candidate.Kind.failed(.storageUnavailable, reason: error.message)
      return [Candidate(path: name.text, kind: kind)]
    }
    // A key that ends with a slash marks a folder, for programs that show some.
    let objects = listed.filter { !$0.key.hasSuffix("/") }
    if let named = objects.first(where: { $0.key.utf8.elementsEqual(name.key.utf8) }) {
      return [candidate(named, isNamed: true)]
    }
    let literal = objects.filter { $0.key.utf8.starts(with: name.key.utf8) }
    if !literal.isEmpty {
      // A name that the key begins is not hidden, whatever it begins with.
      let depth = Self.depth(name.key) + (name.key.isEmpty || name.key.hasSuffix("/") ? 0 : 1)
      return literal.filter { !Self.isHidden($0.key, from: depth) && isData($0.key) }
        .map { candidate($0) }
    }
    guard PathPattern.isMeant(by: name.key) else { return [] }
    let pattern = PathPattern(name.text)
    let depth = Self.depth(name.key)
    return objects.filter { object in
      pattern.matches(object.path)
        && (Self.depth(object.key) == depth
          || (!Self.isHidden(object.key, from: depth + 1) && isData(object.key)))
    }.map { candidate($0) }
  }

  private func candidate(_ object: StoredObject, isNamed: Bool = false) -> Candidate {
    let kind: Candidate.Kind = isNamed ? .named : isData(object.path) ? .found : .otherEnding
    return Candidate(
      path: object.path,
      kind: StorageName.isPlain(object.name, isRooted: false) ? kind : Self.unnameable,
      object: object)
  }

  private static let unnameable = Candidate.Kind.failed(
    .unreadableEntry,
    reason:
      "has an empty part, . or .. between its slashes, which rclone cannot name; give it another key"
  )

  /// The objects below a folder whose names begin with `start`.
  private func list(
    _ name: StorageName, folder: String, start: String
  ) throws(ReadError) -> [StoredObject] {
    var arguments = ["lsjson", "-R", "--files-only", "--no-modtime", "--no-mimetype"]
    if !start.isEmpty { arguments += ["--include", "/\(Self.escaped(start))**"] }
    let process = try rclone.start(arguments, source: name.root + folder)
    let parser = ObjectParser()
    var objects: [StoredObject] = []
    var lines = LineReader(process, limit: 1024 * 1024) { _ in }
    while let line = try lines.next() {
      guard let entry = Self.entry(in: line.bytes, parser) else { continue }
      objects.append(
        StoredObject(
          path: name.head + folder + entry.path, key: folder + entry.path,
          folder: name.root + folder, name: entry.path, size: entry.size > 0 ? entry.size : nil))
    }
    switch process.wait() {
    case 0: break
    // The folder does not exist.
    case 3: return []
    case let code:
      throw ReadError(
        .storageUnavailable,
        "cannot be listed: rclone ended with \(code): \(rclone.message(of: process)); check the network, the "
          + "endpoint and the credentials, and run again")
    }
    return objects.filter { $0.key.utf8.starts(with: (folder + start).utf8) }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  /// The path and the size of an object, of a line of `rclone lsjson`; nil for its brackets.
  private static func entry(in line: ByteSlice, _ parser: ObjectParser) -> (
    path: String, size: Int
  )? {
    guard line.count > 0, line[0] == UInt8(ascii: "{") else { return nil }
    let isLast = line[line.count - 1] != UInt8(ascii: ",")
    let object = ByteSlice(start: line.start, count: isLast ? line.count : line.count - 1)
    var arena = TextArena()
    var (path, size): (String?, Int?) = (nil, nil)
    do throws(Rejection) {
      try parser.forEachMember(of: object, maxDepth: Limits.anyNesting) {
        member throws(Rejection) in
        if member.key == "Path" { path = arena.unescape(member.value.text).bytes.text }
        if member.key == "Size" { size = Int(member.value.text.text) }
      }
    } catch {
      return nil
    }
    // An object of exactly the folder's name has no path below it.
    guard let path, let size, !path.isEmpty else { return nil }
    return (path, size)
  }

  /// A name as a pattern of rclone that matches nothing else.
  private static func escaped(_ name: String) -> String {
    name.replacing(/[\\*?\[\]{}]/) { "\\\($0.output)" }
  }

  private static func depth(_ key: String) -> Int { key.utf8.count { $0 == UInt8(ascii: "/") } }

  /// True when the name of the object or of a folder of it begins with a dot, as writers name files
  /// that are not complete.
  ///
  /// - Parameter depth: the slashes before the first name to judge.
  private static func isHidden(_ key: String, from depth: Int) -> Bool {
    key.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropFirst(depth).contains { $0.first == UInt8(ascii: ".") }
  }
}
