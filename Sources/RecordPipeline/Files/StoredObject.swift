/// An object of a storage's listing.
package struct StoredObject: Sendable {
  /// The listed folder, whose key is empty or ends with a slash.
  let folder: StorageName
  /// The rest of the object's key.
  let name: String
  /// The listed bytes; nil: the listing says 0 or nothing, which storages also say of objects that have some.
  let size: Int?
  /// The window in which the object comes; nil: it is read through a pipe.
  var window: ObjectWindow?

  var key: String { folder.key + name }
  /// The object as it is given: with the scheme, and with the bucket or the remote.
  var path: String { folder.text + name }

  /// Removes the copy of an object that is not read again.
  package func discard() { window?.discard(self) }

  /// Asks for the bytes of an object that is not copied.
  func open() throws(ReadError) -> Rclone {
    try Rclone(["cat", Rclone.readsInOnePiece], source: folder.source + name)
  }

  /// Compares the bytes that have come so far with the listing.
  ///
  /// - Throws: `ReadError` also at the end, when rclone has failed.
  func check(_ count: Int, isAtEnd: Bool, of rclone: Rclone) throws(ReadError) {
    if isAtEnd, rclone.wait() != 0 { throw rclone.failure() }
    if let size, isAtEnd ? count != size : count > size {
      throw differs(isAtEnd ? "\(count)" : "more than \(size)")
    }
  }

  /// The error of the object when it came with other bytes than listed.
  func differs(_ count: String) -> ReadError {
    ReadError(
      .changed,
      "came with \(count) bytes, and the listing says \(size ?? 0): it changed since, or the storage sent something else; "
        + "look at the object, and run again")
  }
}
