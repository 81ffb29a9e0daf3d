internal import Foundation
package import RecordPipeline
internal import SHA256

/// Moves files away that a run has loaded, after their commit is confirmed.
///
/// A file keeps its place below the searched folder. Nothing is ever written over: a file whose name is
/// taken stays where it is. Its sidecars go along.
package struct LoadedFileMove {
  private let folder: String
  private let options: ReadOptions

  /// The reason why a file stays.
  package struct Failure: Error {
    package let path: String
    package let reason: String
  }

  /// - Parameter folder: is created when the first file is moved.
  package init(to folder: String, options: ReadOptions) {
    self.folder = URL(fileURLWithPath: folder).standardized.path
    self.options = options
  }

  /// The searched folder that contains the destination, where the next run would find the files again;
  /// nil: none does.
  package func searchedFolder(of inputs: [Input]) -> String? {
    let target = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path + "/"
    return Set(inputs.compactMap(\.folder)).sorted().first {
      target.hasPrefix(URL(fileURLWithPath: $0).resolvingSymlinksInPath().path + "/")
    }
  }

  /// Moves a file whose bytes the ledger has.
  ///
  /// - Parameter sha256: of the loaded bytes, as 64 hexadecimal digits; a file that has other bytes
  ///   by now stays.
  /// - Returns: nil for an input that is no regular file, such as a pipe or an object of a storage.
  /// - Throws: `Failure`; the file is at its old place then.
  package func move(_ input: Input, sha256: String) throws(Failure) -> String? {
    if input.isStandardInput || input.object != nil { return nil }
    var status = stat()
    guard lstat(input.path, &status) == 0 else { throw failure(input, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      if status.st_mode & S_IFMT == S_IFLNK {
        throw Failure(path: input.path, reason: "is a symbolic link, so it stays")
      }
      return nil
    }
    do {
      let file = try InputFile(input, options: options)
      let (digest, _) = try SHA256.digest(of: DecodedSource(file), checking: {})
      guard hexadecimal(digest) == sha256 else {
        throw Failure(
          path: input.path, reason: "has changed since it was loaded, so it stays for the next run")
      }
    } catch let error as Failure { throw error } catch {
      throw Failure(
        path: input.path, reason: (error as? ReadError)?.message ?? error.localizedDescription)
    }
    let target = "\(folder)/\(place(of: input))"
    let parent = (target as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    } catch { throw failure(input, EIO, "the folder \(parent) cannot be created") }
    // A file that stays keeps its sidecars.
    let suffixes = Sidecars.suffixes.filter { exists(input.path + $0) }
    if let taken = ([""] + suffixes).first(where: { exists(target + $0) }) {
      throw failure(input, EEXIST, "\(target + taken) exists, and nothing is written over it")
    }
    // The sidecars come first: beside a moved file none is missing, and one alone is no file to load.
    for suffix in suffixes {
      try move(input.path + suffix, to: target + suffix, of: input)
    }
    try move(input.path, to: target, of: input)
    return target
  }

  /// The place below the searched folder, or the name.
  private func place(of input: Input) -> String {
    let name = (input.path as NSString).lastPathComponent
    guard let folder = input.folder, input.path.hasPrefix(folder) else { return name }
    let below = input.path.dropFirst(folder.count).drop { $0 == "/" }
    return below.isEmpty ? name : String(below)
  }

  private func move(_ source: String, to target: String, of input: Input) throws(Failure) {
    // Unlike rename, link fails for a name that is taken.
    if link(source, target) == 0 {
      guard unlink(source) == 0 else { throw failure(input, errno) }
      return
    }
    switch errno {
    case EEXIST: throw failure(input, EEXIST, "\(target) exists, and nothing is written over it")
    // Another file system, or one without links.
    case EXDEV, EPERM, ENOTSUP, EMLINK: try copy(source, to: target, of: input)
    case let code: throw failure(input, code)
    }
  }

  /// Copies, syncs, compares, and only then removes the source.
  private func copy(_ source: String, to target: String, of input: Input) throws(Failure) {
    let part = "\(target).part-\(getpid())"
    unlink(part)
    defer { unlink(part) }
    do {
      try FileManager.default.copyItem(atPath: source, toPath: part)
    } catch { throw failure(input, EIO, "it cannot be copied to \(target)") }
    try sync(part, input)
    guard FileManager.default.contentsEqual(atPath: source, andPath: part) else {
      throw failure(input, EIO, "the copy in \(target) is not equal")
    }
    // The name is taken first by an empty file of our own, for file systems without links.
    let place = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard place >= 0 else {
      throw failure(
        input, errno, errno == EEXIST ? "\(target) exists, and nothing is written over it" : nil)
    }
    close(place)
    guard rename(part, target) == 0 else {
      let code = errno
      unlink(target)
      throw failure(input, code)
    }
    try sync((target as NSString).deletingLastPathComponent, input)
    guard unlink(source) == 0 else { throw failure(input, errno) }
  }

  private func sync(_ path: String, _ input: Input) throws(Failure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(input, errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(input, errno) }
  }

  private func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private func failure(_ input: Input, _ code: Int32, _ reason: String? = nil) -> Failure {
    Failure(
      path: input.path,
      reason: "is loaded, but stays: \(reason ?? String(cString: strerror(code)))")
  }
}
