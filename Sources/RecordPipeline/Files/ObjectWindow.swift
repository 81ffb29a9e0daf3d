internal import Glibc
internal import Synchronization

/// Objects of a lane that rclone copies together ahead of their reading, because a process for each small object would
/// take ten times as long.
///
/// While the objects of one window are read, rclone copies those of the next one. The thread that reads the lane starts
/// the processes.
package final class ObjectWindow: @unchecked Sendable {
  /// The bytes of the largest object that is copied, and of a window.
  static let largest = 48 * 1024 * 1024
  /// Names of files have at most this many bytes.
  private static let longestName = 255

  private let lane: Lane
  private let number: Int
  private var objects: [StoredObject] = []
  /// The bytes that each object may have on the disk.
  ///
  /// An object can have grown since its listing, and rclone's own messages need some.
  private var share = 128 * 1024
  private var next: ObjectWindow?
  private var process: ChildProcess?
  /// The objects that have not come, by their place, once all have been looked at.
  private var failures: [Int: ReadError]?

  /// The windows of a lane share one value of this class.
  private final class Lane {
    let room: ObjectRoom
    let isInterrupted: @Sendable () -> Bool
    private var folder: ObjectFolder?

    init(room: ObjectRoom, isInterrupted: @escaping @Sendable () -> Bool) {
      self.room = room
      self.isInterrupted = isInterrupted
    }

    /// The path of the lane's private folder, which its first window makes.
    func path() throws(ReadError) -> String {
      if let folder { return folder.path }
      let new = try ObjectFolder()
      folder = new
      return new.path
    }
  }

  private init(_ lane: Lane, number: Int) {
    self.lane = lane
    self.number = number
  }

  /// Puts the objects of each lane into windows.
  ///
  /// - Parameters:
  ///   - lanes: places in `inputs`; a lane is read by one thread, in order.
  ///   - isInterrupted: true ends a wait for rclone.
  package static func assign(
    _ inputs: [Input], lanes: [[Int]], isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) -> [Input] {
    var inputs = inputs
    let room = ObjectRoom()
    for places in lanes {
      let lane = Lane(room: room, isInterrupted: isInterrupted)
      var last: ObjectWindow?
      // Names as bytes: strings that differ only in their normal form are equal.
      var (files, folders): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
      for place in places {
        guard let object = inputs[place].object, let size = object.size, size <= largest,
          isFileName(object.name)
        else { continue }
        let name = Array(object.name.utf8)
        let above = name.indices.filter { name[$0] == UInt8(ascii: "/") }.map { Array(name[..<$0]) }
        // A file and a folder, or two files, cannot have the same name in one place.
        let isFree =
          files.isDisjoint(with: above) && !files.contains(name) && !folders.contains(name)
        let window: ObjectWindow
        if let last, isFree, last.fits(object, size) {
          window = last
        } else {
          window = ObjectWindow(lane, number: (last?.number ?? 0) + 1)
          last?.next = window
          last = window
          (files, folders) = ([], [])
        }
        inputs[place].object?.copy = (window, window.objects.count)
        window.objects.append(object)
        window.share = max(window.share, size)
        files.insert(name)
        folders.formUnion(above)
      }
    }
    return inputs
  }

  private static func isFileName(_ name: String) -> Bool {
    name.utf8.count < 2048
      && name.utf8.split(separator: UInt8(ascii: "/")).allSatisfy { $0.count <= longestName }
  }

  private func fits(_ object: StoredObject, _ size: Int) -> Bool {
    objects[0].folder == object.folder && (objects.count + 1) * max(share, size) <= Self.largest
  }

  private var byteCount: Int { objects.count * share }

  /// The folder of an object's copy.
  ///
  /// - Throws: `ReadError` when the object has not come, or came with other bytes than listed.
  func folder(ofCopy place: Int) throws(ReadError) -> String {
    if failures == nil {
      if process == nil {
        try lane.room.take(byteCount, isInterrupted: lane.isInterrupted)
        try start()
      }
      try finish()
    }
    // Where the next window does not start, the first object of it reports why.
    if let next, next.process == nil, next.failures == nil, lane.room.takeAtOnce(next.byteCount) {
      try? next.start()
    }
    if let failure = failures?[place] { throw failure }
    return try folder()
  }

  /// Removes the copy of an object; called once.
  func discard(_ place: Int) {
    guard failures != nil else { return }
    if let folder = try? folder() { unlink("\(folder)/\(objects[place].name)") }
    lane.room.giveBack(share)
  }

  private func folder() throws(ReadError) -> String { "\(try lane.path())/\(number)" }

  private func start() throws(ReadError) {
    do throws(ReadError) {
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
        ], source: objects[0].folder, [folder], largestFile: share)
    } catch {
      lane.room.giveBack(byteCount)
      throw error
    }
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
    let code = process.wait(isInterrupted: lane.isInterrupted)
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

/// The room on the disk for the windows of all lanes.
private final class ObjectRoom: Sendable {
  private let state = Mutex((used: 0, waiting: 0))

  /// One window that is read and one that comes, and the small files that a group still holds.
  private static let byteCount = 2 * ObjectWindow.largest + 4 * 1024 * 1024

  /// Takes room if there is some and no lane waits for it.
  func takeAtOnce(_ count: Int, isWaiting: Bool = false) -> Bool {
    state.withLock {
      guard isWaiting || $0.waiting == 0, $0.used + count <= Self.byteCount else { return false }
      $0.used += count
      return true
    }
  }

  /// Waits for room, which other lanes give back.
  func take(_ count: Int, isInterrupted: () -> Bool) throws(ReadError) {
    state.withLock { $0.waiting += 1 }
    defer { state.withLock { $0.waiting -= 1 } }
    while !takeAtOnce(count, isWaiting: true) {
      if isInterrupted() { throw ReadError(.storageUnavailable, "was not fetched: interrupted") }
      usleep(20_000)
    }
  }

  func giveBack(_ count: Int) { state.withLock { $0.used -= count } }
}
