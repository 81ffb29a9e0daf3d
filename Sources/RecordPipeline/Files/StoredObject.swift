/// An object of a storage's listing.
package struct StoredObject: Sendable {
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

  /// Removes the copy of an object that is not read again.
  package func discard() { if let copy { copy.window.discard(copy.place) } }

  /// Asks for the bytes of an object that is not copied.
  func open() throws(ReadError) -> ChildProcess {
    try Rclone.shared.get().start(["cat", Rclone.readsInOnePiece], source: folder + name)
  }

  /// Compares the bytes that have come so far with the listing.
  ///
  /// - Throws: `ReadError` also at the end, when rclone has failed.
  func check(_ count: Int, isAtEnd: Bool, of process: ChildProcess) throws(ReadError) {
    if isAtEnd, case let code = process.wait(), code != 0 {
      throw try Rclone.shared.get().failure(code, of: process)
    }
    if let size, isAtEnd ? count != size : count > size {
      throw Self.differs(isAtEnd ? "\(count)" : "more than \(size)", from: size)
    }
  }

  /// The error of an object that came with other bytes than listed.
  static func differs(_ count: String, from size: Int) -> ReadError {
    ReadError(
      .changed,
      "came with \(count) bytes, and the listing says \(size): it changed since, or the storage sent something else; "
        + "look at the object, and run again")
  }
}
