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
  /// The windows in which the object comes; nil: it is read through a pipe.
  var windows: ObjectWindows?

  init(head: String, key: String, folder: String, name: String, size: Int?) {
    path = head + key
    self.key = key
    self.folder = folder
    self.name = name
    self.size = size
  }

  package static func == (first: StoredObject, second: StoredObject) -> Bool {
    first.path == second.path && first.size == second.size
  }

  /// Removes the copy of an object that is not read again.
  package func discard() { windows?.discard(self) }

  /// The error of an object that came with other bytes than listed.
  static func differs(_ count: String, from size: Int) -> ReadError {
    ReadError(
      .changed,
      "came with \(count) bytes, and the listing says \(size): it changed since, or the storage sent something else; "
        + "look at the object, and run again")
  }
}

/// The bytes of an object that is not copied: those that `rclone cat` writes, as they come.
final class ObjectPipe {
  let object: StoredObject
  private var process: ChildProcess?
  private var output: Int32 = -1
  private var count = 0
  /// The first bytes of the object, for a second look at them.
  private var head: [UInt8] = []
  private var position = 0
  private(set) var hasEnded = false

  private static let headSize = 64

  init(_ object: StoredObject) { self.object = object }

  deinit { stop() }

  /// The descriptor from which the next bytes come.
  func started() throws(ReadError) -> Int32 {
    if process == nil, !hasEnded {
      let rclone = try Rclone.ofProcess()
      let (process, output) = try rclone.startReading(
        ["cat", Rclone.readsInOnePiece], source: object.folder + object.name)
      self.process = process
      self.output = output
    }
    return output
  }

  /// - Throws: `ReadError` also at the end, when rclone has failed or the object has other bytes than listed.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    if position < head.count {
      let taken = head[position...].prefix(buffer.count)
      buffer.copyBytes(from: taken)
      position += taken.count
      return taken.count
    }
    if hasEnded { return 0 }
    let got = try readRepeatedly(try started(), into: buffer)
    count += got
    if let size = object.size, count > size {
      throw StoredObject.differs("more than \(size)", from: size)
    }
    if got == 0 { try checkEnd() }
    if count <= Self.headSize {
      head += buffer.prefix(got)
      position = head.count
    } else {
      // The beginning is gone for good.
      position = .max
    }
    return got
  }

  private func checkEnd() throws(ReadError) {
    guard let process else { return }
    let code = process.wait()
    guard code == 0 else { throw try Rclone.ofProcess().failure(code, of: process) }
    if let size = object.size, count != size { throw StoredObject.differs("\(count)", from: size) }
    hasEnded = true
  }

  /// Returns to the first byte; the object is not asked for again while only its head was read.
  func rewind() {
    if position <= head.count {
      position = 0
    } else {
      stop()
    }
  }

  private func stop() {
    process?.end()
    process = nil
    if output >= 0 { close(output) }
    output = -1
    (count, head, position, hasEnded) = (0, [], 0, false)
  }
}

extension Rclone {
  /// - Throws: `ReadError` where discovery would have ended the command before.
  static func ofProcess() throws(ReadError) -> Rclone {
    do throws(Missing) { return try shared.get() } catch {
      throw ReadError(.storageUnavailable, error.message)
    }
  }

  /// The error of an object that did not come.
  func failure(_ code: Int32, of process: ChildProcess, about name: String? = nil) -> ReadError {
    ReadError(
      .storageUnavailable,
      "cannot be fetched: rclone ended with \(code): \(message(of: process, about: name)); check the storage, and run "
        + "again")
  }
}

/// Reads bytes of a descriptor, again where a signal interrupts.
func readRepeatedly(
  _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
) throws(ReadError) -> Int {
  while true {
    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    if count >= 0 { return count }
    guard errno == EINTR else {
      throw ReadError(.ioFailure, "cannot be read: \(describe(errno))")
    }
  }
}
