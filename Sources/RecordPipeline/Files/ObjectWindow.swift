internal import Glibc

/// Objects of a lane that rclone copies together ahead of their reading, because a process for each small object would
/// take ten times as long.
///
/// While the objects of one window are read, rclone copies those of the next one. The thread that reads the lane starts
/// the processes.
package final class ObjectWindow: @unchecked Sendable {
  /// The bytes on the disk of one window in each lane, all lanes together.
  ///
  /// A lane has two windows there, and small files that a group still holds: together less than 128 MiB.
  private static let room = 48 * 1024 * 1024
  /// Names of files have at most this many bytes.
  private static let longestName = 255

  /// The lane's folder, in which each window has one of its own.
  private let lane: ObjectFolder
  private let number: Int
  private let isInterrupted: @Sendable () -> Bool
  private var objects: [StoredObject] = []
  /// The bytes that each object may have on the disk.
  ///
  /// An object can have grown since its listing, and rclone's own messages need some.
  private var share = 128 * 1024
  private var next: ObjectWindow?
  private var process: ChildProcess?
  /// The objects that have not come, by their place, once all have been looked at.
  private var failures: [Int: ReadError]?

  private init(_ lane: ObjectFolder, number: Int, isInterrupted: @escaping @Sendable () -> Bool) {
    (self.lane, self.number, self.isInterrupted) = (lane, number, isInterrupted)
  }

  /// Puts the objects of each lane into windows, but for those that are too large.
  ///
  /// - Parameters:
  ///   - lanes: places in `inputs`; a lane is read by one thread, in order.
  ///   - isInterrupted: true ends a wait for rclone.
  package static func assign(
    _ inputs: [Input], lanes: [[Int]], isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) -> [Input] {
    var inputs = inputs
    let lanes = lanes.filter { $0.contains { inputs[$0].object != nil } }
    for places in lanes {
      let room = room / lanes.count
      var last = ObjectWindow(ObjectFolder(), number: 0, isInterrupted: isInterrupted)
      // Names as bytes: strings that differ only in their normal form are equal.
      var isFolder: [[UInt8]: Bool] = [:]
      for place in places {
        guard let object = inputs[place].object, let size = object.size, size <= room,
          isFileName(object.name)
        else { continue }
        let name = Array(object.name.utf8)
        let above = name.indices.filter { name[$0] == UInt8(ascii: "/") }.map { Array(name[..<$0]) }
        // A file and a folder, or two files, cannot have the same name in one place.
        let isFree = isFolder[name] == nil && above.allSatisfy { isFolder[$0] != false }
        if !isFree || !last.fits(object, size, in: room) {
          let next = ObjectWindow(last.lane, number: last.number + 1, isInterrupted: isInterrupted)
          (last.next, last, isFolder) = (next, next, [:])
        }
        inputs[place].object?.copy = (last, last.objects.count)
        last.objects.append(object)
        last.share = max(last.share, size)
        isFolder[name] = false
        for folder in above { isFolder[folder] = true }
      }
    }
    return inputs
  }

  private static func isFileName(_ name: String) -> Bool {
    name.utf8.count < 2048
      && name.utf8.split(separator: UInt8(ascii: "/")).allSatisfy { $0.count <= longestName }
  }

  private func fits(_ object: StoredObject, _ size: Int, in room: Int) -> Bool {
    objects.isEmpty
      || objects[0].folder == object.folder && (objects.count + 1) * max(share, size) <= room
  }

  /// The folder of an object's copy.
  ///
  /// - Throws: `ReadError` when the object has not come, or came with other bytes than listed.
  func folder(ofCopy place: Int) throws(ReadError) -> String {
    if failures == nil {
      if process == nil { try start() }
      try finish()
    }
    // Where the next window does not start, the first object of it reports why.
    if let next, next.process == nil, next.failures == nil { try? next.start() }
    if let failure = failures?[place] { throw failure }
    return try folder()
  }

  /// Removes the copy of an object.
  func discard(_ place: Int) {
    if let folder = try? folder() { unlink("\(folder)/\(objects[place].name)") }
  }

  private func folder() throws(ReadError) -> String { "\(try lane.path())/\(number)" }

  private func start() throws(ReadError) {
    let folder = try folder()
    let list = folder + ".list"
    let names = objects.map { $0.name + "\n" }.joined()
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST, write(names, to: list) else {
      throw ObjectFolder.failure(errno)
    }
    process = try Rclone.shared.get().start(
      [
        "copy", "--files-from-raw", list, "--multi-thread-streams", "0", "--retries", "3",
        Rclone.readsInOnePiece,
        // A copy has the listed name, whatever characters it has, and beside one that differs in its normal form.
        "--local-encoding", "Slash,Ctl,Del,Dot", "--no-unicode-normalization",
      ], source: objects[0].folder, to: folder, largestFile: share)
  }

  private func write(_ text: String, to path: String) -> Bool {
    let file = fopen(path, "we")
    guard let file else { return false }
    let count = fwrite(text, 1, text.utf8.count, file)
    return fclose(file) == 0 && count == text.utf8.count
  }

  /// Waits for the copies, and looks at each.
  private func finish() throws(ReadError) {
    guard let process else { return }
    let code = process.wait(isInterrupted: isInterrupted)
    let folder = try folder()
    var failures: [Int: ReadError] = [:]
    for (place, object) in objects.enumerated() {
      let path = "\(folder)/\(object.name)"
      var status = stat()
      if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
        guard let size = object.size, status.st_size != size else { continue }
        unlink(path)
        failures[place] = StoredObject.differs("\(status.st_size)", from: size)
      } else if code == 0 {
        failures[place] = ReadError(
          .missing,
          "was listed and did not come, without an error of rclone; look at the object, and run again"
        )
      } else {
        failures[place] = try Rclone.shared.get().failure(code, of: process, about: object.name)
      }
    }
    self.failures = failures
    self.process = nil
  }
}
