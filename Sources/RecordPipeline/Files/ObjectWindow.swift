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

  /// The lane's folder, in which each window has one of its own; or why there is none.
  private let lane: Result<ObjectFolder, ReadError>
  private let number: Int
  private let isInterrupted: @Sendable () -> Bool
  private var objects: [StoredObject] = []
  /// The bytes that each object may have on the disk.
  ///
  /// An object can have grown since its listing, and rclone's own messages need some.
  private var share = 128 * 1024
  private var next: ObjectWindow?
  private var rclone: Rclone?
  /// The objects that have not come, by the bytes of their names, once all have been looked at.
  private var failures: [[UInt8]: ReadError]?

  private init(
    _ lane: Result<ObjectFolder, ReadError>, number: Int,
    isInterrupted: @escaping @Sendable () -> Bool
  ) { (self.lane, self.number, self.isInterrupted) = (lane, number, isInterrupted) }

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
      let lane = Result { () throws(ReadError) in try ObjectFolder.make() }
      var last = ObjectWindow(lane, number: 0, isInterrupted: isInterrupted)
      // Names as bytes: strings that differ only in their normal form are equal.
      var isFolder: [[UInt8]: Bool] = [:]
      for place in places {
        // The name of a file has at most 255 bytes.
        guard let object = inputs[place].object, let size = object.size, size <= room,
          pathParts(object.name).allSatisfy({ $0.utf8.count <= 255 })
        else { continue }
        let name = Array(object.name.utf8)
        let above = name.indices.filter { name[$0] == UInt8(ascii: "/") }.map { Array(name[..<$0]) }
        // A file and a folder, or two files, cannot have the same name in one place.
        let isFree = isFolder[name] == nil && above.allSatisfy { isFolder[$0] != false }
        let hasRoom = (last.objects.count + 1) * max(last.share, size) <= room
        if let first = last.objects.first,
          !isFree || !hasRoom || first.folder.source != object.folder.source
        {
          let next = ObjectWindow(lane, number: last.number + 1, isInterrupted: isInterrupted)
          (last.next, last, isFolder) = (next, next, [:])
        }
        inputs[place].object?.window = last
        last.objects.append(object)
        last.share = max(last.share, size)
        isFolder[name] = false
        for folder in above { isFolder[folder] = true }
      }
    }
    return inputs
  }

  /// The folder of the copy of one of its objects.
  ///
  /// - Throws: `ReadError` when the object has not come, or came with other bytes than listed.
  func folder(of object: StoredObject) throws(ReadError) -> String {
    try start()
    let folder = try folder()
    finish(folder)
    // Where the next window does not start, the first object of it reports why.
    try? next?.start()
    if let failure = failures?[Array(object.name.utf8)] { throw failure }
    return folder
  }

  /// Removes the copy of an object.
  func discard(_ object: StoredObject) {
    if let folder = try? folder() { unlink("\(folder)/\(object.name)") }
  }

  private func folder() throws(ReadError) -> String { "\(try lane.get().path)/\(number)" }

  /// Starts the copying, once.
  private func start() throws(ReadError) {
    guard rclone == nil, failures == nil else { return }
    let folder = try folder()
    let list = folder + ".list"
    guard let file = fopen(list, "we") else { throw ObjectFolder.failure(errno) }
    let isWritten = fputs(objects.map { $0.name + "\n" }.joined(), file) >= 0
    guard fclose(file) == 0, isWritten else { throw ObjectFolder.failure(errno) }
    rclone = try Rclone(
      [
        "copy", "--files-from-raw", list, "--multi-thread-streams", "0", "--retries", "3",
        Rclone.readsInOnePiece,
        // A copy has the listed name, whatever characters it has, and beside one that differs in its normal form.
        "--local-encoding", "Slash,Ctl,Del,Dot", "--no-unicode-normalization",
      ], source: objects[0].folder.source, to: folder, largestFile: share)
  }

  /// Waits for the copies, and looks at each, once.
  private func finish(_ folder: String) {
    guard let rclone else { return }
    let code = rclone.wait(isInterrupted: isInterrupted)
    let didNotCome = ReadError(
      .missing,
      "was listed and did not come, without an error of rclone; look at the object, and run again")
    var failures: [[UInt8]: ReadError] = [:]
    for object in objects {
      let path = "\(folder)/\(object.name)"
      var status = stat()
      let isThere = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      if isThere, object.size == Int(status.st_size) { continue }
      unlink(path)
      failures[Array(object.name.utf8)] =
        isThere
        ? object.differs("\(status.st_size)")
        : code == 0 ? didNotCome : rclone.failure(about: object.name)
    }
    (self.failures, self.rclone) = (failures, nil)
  }
}
