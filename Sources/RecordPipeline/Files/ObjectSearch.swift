extension StorageName {
  /// The objects whose keys begin as the name says, or match it as a pattern, in byte order; none when there is none.
  ///
  /// An object of exactly that key comes alone.
  func entries() -> [FoundInputs.Entry] {
    let objects: [StoredObject]
    do throws(ReadError) { objects = try list() } catch {
      return [.failure(FailedInput(path: text, error: error))]
    }
    if let named = objects.first(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
      return [Self.entry(named, .named)]
    }
    let depth = key.utf8.count { $0 == UInt8(ascii: "/") }
    var found = objects.filter { $0.key.utf8.starts(with: key.utf8) }
    let isPattern = found.isEmpty && PathPattern.isMeant(by: key)
    if isPattern {
      let pattern = PathPattern(text)
      found = objects.filter { pattern.matches($0.path) }
    }
    // The number of names that a part of the pattern stands for, or that the key begins: what they begin with does
    // not hide an object. A name that begins with a dot does, as writers name files that are not complete.
    let givenCount = isPattern || !(key.isEmpty || key.hasSuffix("/")) ? depth + 1 : depth
    return found.filter { object in
      let names = object.key.utf8.split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      return isPattern && names.count == givenCount
        || InputDiscovery.isData(object.name)
          && !names.dropFirst(givenCount).contains { $0.first == UInt8(ascii: ".") }
    }.map { Self.entry($0, .found) }
  }

  private static func entry(_ object: StoredObject, _ origin: Input.Origin) -> FoundInputs.Entry {
    isPlain(object.name)
      ? .success(Input(path: object.path, origin: origin, object: object))
      : .failure(FailedInput(path: object.path, error: unnameable))
  }

  private static let unnameable = ReadError(
    .notReadable,
    "has an empty part, . or .. between its slashes, which rclone cannot name; give it another key")

  /// The objects whose keys begin as this one does before the first character of a pattern, in byte order.
  private func list() throws(ReadError) -> [StoredObject] {
    let beginning = key.utf8.prefix { !"*?[{".utf8.contains($0) }
    let slash = beginning.lastIndex(of: UInt8(ascii: "/"))
    let folder = StorageName(
      head: head, root: root, key: slash.map { String(Substring(beginning[...$0])) } ?? "")
    let start = String(Substring(beginning.dropFirst(folder.key.utf8.count)))
    guard Self.isPlain(folder.key) else { throw Self.unnameable }
    var arguments = ["lsf", "-R", "--files-only", "--format", "ps"]
    if !start.isEmpty {
      let escaped = start.replacing(/[\\*?\[\]{}]/) { "\\\($0.output)" }
      arguments += ["--include", "/\(escaped)**"]
    }
    let rclone = try Rclone(arguments, source: folder.source)
    var objects: [StoredObject] = []
    var lines = LineReader(rclone, limit: 1024 * 1024) { _ in }
    var entry = ""
    while let line = try lines.next() {
      // A name, a semicolon and the size; without a size, the name has a line break, and goes on.
      entry += line.bytes.text
      guard let end = entry.lastIndex(of: ";"), let size = Int(entry[end...].dropFirst()) else {
        entry += "\n"
        continue
      }
      let name = String(entry[..<end])
      entry = ""
      // An object of exactly the folder's name has no name below it. A key that ends with a slash marks a folder, for
      // programs that show some.
      guard !name.isEmpty, !name.hasSuffix("/") else { continue }
      objects.append(StoredObject(folder: folder, name: name, size: size > 0 ? size : nil))
    }
    switch rclone.wait() {
    case 0: break
    // The folder does not exist.
    case 3: return []
    default:
      throw rclone.failure("listed", check: "the network, the endpoint and the credentials")
    }
    return objects.filter { $0.name.utf8.starts(with: start.utf8) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}
