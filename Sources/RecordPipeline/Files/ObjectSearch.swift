internal import Glibc

extension StorageName {
  /// The objects whose keys begin as the name says, or match it as a pattern, in byte order; none when there is none.
  ///
  /// An object of exactly that key comes alone.
  func candidates() -> [Candidate] {
    let (folder, start) = listed
    guard Self.isPlain(folder, isRooted: !isS3) else {
      return [Candidate(path: text, kind: Self.unnameable)]
    }
    let listed: [StoredObject]
    do throws(ReadError) {
      listed = try list(folder, start)
    } catch {
      return [Candidate(path: text, kind: .failed(error.kind, reason: error.message))]
    }
    // A key that ends with a slash marks a folder, for programs that show some.
    let objects = listed.filter { !$0.key.hasSuffix("/") }
    if let named = objects.first(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
      return [Self.candidate(named, .named)]
    }
    var found = objects.filter { $0.key.utf8.starts(with: key.utf8) }
    // A name that the key begins, or that a part of the pattern stands for, is not hidden, whatever it begins with.
    var depth = Self.depth(key) + (key.isEmpty || key.hasSuffix("/") ? 0 : 1)
    var patternDepth: Int?
    if found.isEmpty, PathPattern.isMeant(by: key) {
      let pattern = PathPattern(text)
      found = objects.filter { pattern.matches($0.path) }
      patternDepth = Self.depth(key)
      depth = Self.depth(key) + 1
    }
    return found.filter { object in
      Self.depth(object.key) == patternDepth
        || !Self.isHidden(object.key, from: depth) && InputDiscovery.isData(object.key)
    }.map { Self.candidate($0, .found) }
  }

  private static func candidate(_ object: StoredObject, _ kind: Candidate.Kind) -> Candidate {
    Candidate(
      path: object.path, kind: isPlain(object.name, isRooted: false) ? kind : unnameable,
      object: object)
  }

  private static let unnameable = Candidate.Kind.failed(
    .notReadable,
    reason:
      "has an empty part, . or .. between its slashes, which rclone cannot name; give it another key"
  )

  /// The objects below a folder whose names begin with `start`.
  private func list(_ folder: String, _ start: String) throws(ReadError) -> [StoredObject] {
    var arguments = ["lsf", "-R", "--files-only", "--format", "ps"]
    if !start.isEmpty { arguments += ["--include", "/\(Self.escaped(start))**"] }
    let rclone = try Rclone.shared.get()
    let process = try rclone.start(arguments, source: root + folder)
    var objects: [StoredObject] = []
    var lines = LineReader(process, limit: 1024 * 1024) { _ in }
    var entry = ""
    while let line = try lines.next() {
      // A name, a semicolon and the size; without a size, the name has a line break, and goes on.
      entry += line.bytes.text
      guard let end = entry.lastIndex(of: ";"), let size = Int(entry[end...].dropFirst()) else {
        entry += "\n"
        continue
      }
      let object = String(entry[..<end])
      entry = ""
      // An object of exactly the folder's name has no name below it.
      guard !object.isEmpty else { continue }
      objects.append(
        StoredObject(
          path: head + folder + object, key: folder + object, folder: root + folder,
          name: object, size: size > 0 ? size : nil))
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
