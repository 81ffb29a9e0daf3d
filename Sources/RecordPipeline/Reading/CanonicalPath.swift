internal import Glibc

/// The path by which a file is recognized, however its path was written: the real path of its
/// folder, and its name.
///
/// The file need not exist, and neither need the last folders of its path. A link in the place of
/// the file is not resolved, because the file is delivered under the link's name. Standard input has
/// no path and stays `-`.
func canonicalPath(_ path: String) -> String {
  if path == InputFile.standardInputPath { return path }
  let root = path.utf8.first == UInt8(ascii: "/") ? "/" : "./"
  var folder = pathParts(path).filter { $0 != "." }
  var rest: [Substring] = []
  if let name = folder.last, name != ".." { rest = [folder.removeLast()] }
  while true {
    if let real = realPath(root + folder.joined(separator: "/")) {
      return "/" + resolved(pathParts(real) + rest).joined(separator: "/")
    }
    // A folder that does not exist becomes a part of the rest; without a current folder nothing does.
    guard let missing = folder.popLast() else { return path }
    rest.insert(missing, at: 0)
  }
}

/// The components without `..` and the components that it takes back.
private func resolved(_ components: [Substring]) -> [Substring] {
  components.reduce(into: []) { kept, name in
    if name == ".." { _ = kept.popLast() } else { kept.append(name) }
  }
}

private func realPath(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}
