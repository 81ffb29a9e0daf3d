internal import Glibc

/// An object of a storage's listing.
package struct StoredObject: Sendable, Equatable {
  /// The name as given: the scheme with the bucket or the remote, and the key.
  let path: String
  let key: String
  /// The listed folder, as rclone calls it.
  let folder: String
  /// The part of the key below that folder.
  let name: String
  /// The listed bytes; nil: the listing says 0 or nothing, which storages also say of objects that have some.
  let size: Int?
  /// The window in which the object comes, and its place there; nil: it is read through a pipe.
  var copy: (window: ObjectWindow, place: Int)?

  package static func == (first: StoredObject, second: StoredObject) -> Bool {
    first.path == second.path && first.size == second.size
  }

  /// Removes the copy of an object that is not read again.
  package func discard() { if let copy { copy.window.discard(copy.place) } }

  /// The error of an object that came with other bytes than listed.
  static func differs(_ count: String, from size: Int) -> ReadError {
    ReadError(
      .changed,
      "came with \(count) bytes, and the listing says \(size): it changed since, or the storage sent something else; "
        + "look at the object, and run again")
  }
}

/// The bytes of an object that is not copied: those that `rclone cat` writes, as they come.
final class ObjectPipe: ByteSource {
  let object: StoredObject
  private var started: (process: ChildProcess, output: DescriptorSource)?
  private var count = 0
  private(set) var hasEnded = false

  init(_ object: StoredObject) { self.object = object }

  deinit { restart() }

  /// Asks for the object, once.
  func start() throws(ReadError) -> (process: ChildProcess, output: DescriptorSource) {
    if let started { return started }
    let started = try Rclone.shared.get().startReading(
      ["cat", Rclone.readsInOnePiece], source: object.folder + object.name)
    self.started = started
    return started
  }

  /// Asks for the object anew at the next read.
  func restart() {
    started?.process.end()
    (started, count, hasEnded) = (nil, 0, false)
  }

  /// - Throws: `ReadError` also at the end, when rclone has failed or the object has other bytes than listed.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    if hasEnded { return 0 }
    let (process, output) = try start()
    let got = try output.read(into: buffer)
    count += got
    if let size = object.size, count > size {
      throw StoredObject.differs("more than \(size)", from: size)
    }
    if got == 0 {
      let code = process.wait()
      guard code == 0 else { throw try Rclone.shared.get().failure(code, of: process) }
      if let size = object.size, count != size {
        throw StoredObject.differs("\(count)", from: size)
      }
      hasEnded = true
    }
    return got
  }
}

extension Rclone {
  /// The error of an object that did not come.
  func failure(_ code: Int32, of process: ChildProcess, about name: String? = nil) -> ReadError {
    ReadError(
      .storageUnavailable,
      "cannot be fetched: rclone ended with \(code): \(message(of: process, about: name)); check the storage, and run "
        + "again")
  }
}
