internal import Glibc
internal import Synchronization

/// Copies the objects of a lane ahead of their reading, in windows, because a process for each small object would
/// take ten times as long.
///
/// While the objects of one window are read, rclone copies those of the next one. The thread that reads the lane starts
/// the processes.
package final class ObjectWindows: @unchecked Sendable {
  /// The bytes of the largest object that is copied, and of a window.
  static let largest = 48 * 1024 * 1024
  /// rclone's own messages need this much.
  private static let smallestShare = 128 * 1024
  /// Names of files have at most this many bytes.
  private static let longestName = 255

  private let windows: [Window]
  /// The window of each object, by the bytes of its path: strings that differ only in their normal form are equal.
  private let places: [[UInt8]: Int]
  private let room: ObjectRoom
  private let isInterrupted: @Sendable () -> Bool
  private var folder: ObjectFolder?

  private final class Window {
    var objects: [StoredObject] = []
    /// The bytes that each object may have on the disk: an object can have grown since its listing.
    var share = smallestShare
    var process: ChildProcess?
    /// The objects that have not come, once all have been looked at.
    var failures: [[UInt8]: ReadError]?
    /// The names of objects that are no longer needed.
    var discarded: Set<[UInt8]> = []

    var byteCount: Int { objects.count * share }
  }

  /// Puts the objects of each lane into windows.
  ///
  /// - Parameters:
  ///   - lanes: places in `inputs`; a lane is read by one thread, in order.
  ///   - isInterrupted: true ends a wait for rclone.
  package static func assign(
    _ inputs: [Input], lanes: [[Int]], isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) -> [Input] {
    guard inputs.contains(where: { $0.object != nil }) else { return inputs }
    var inputs = inputs
    let room = ObjectRoom()
    for places in lanes {
      let objects = places.compactMap { inputs[$0].object }
      let windows = ObjectWindows(objects, room: room, isInterrupted: isInterrupted)
      for place in places { inputs[place].object?.windows = windows }
    }
    return inputs
  }

  private init(
    _ objects: [StoredObject], room: ObjectRoom, isInterrupted: @escaping @Sendable () -> Bool
  ) {
    self.room = room
    self.isInterrupted = isInterrupted
    var windows: [Window] = []
    var places: [[UInt8]: Int] = [:]
    var names: Set<[UInt8]> = []
    for object in objects {
      guard let size = object.size, size <= Self.largest, Self.isFileName(object.name),
        places[Array(object.path.utf8)] == nil
      else { continue }
      // A file and a folder cannot have the same name in one place.
      let hasPlace = Self.folders(of: object.name).allSatisfy { !names.contains($0) }
      if let last = windows.last, hasPlace, last.objects[0].folder == object.folder,
        (last.objects.count + 1) * max(last.share, size) <= Self.largest
      {
        last.objects.append(object)
      } else {
        windows.append(Window())
        windows.last?.objects = [object]
        names = []
      }
      windows.last?.share = max(windows.last?.share ?? 0, size)
      names.insert(Array(object.name.utf8))
      places[Array(object.path.utf8)] = windows.count - 1
    }
    self.windows = windows
    self.places = places
  }

  private static func isFileName(_ name: String) -> Bool {
    name.utf8.count < 2048
      && name.utf8.split(separator: UInt8(ascii: "/")).allSatisfy { $0.count <= longestName }
  }

  private static func folders(of name: String) -> [[UInt8]] {
    let bytes = Array(name.utf8)
    return bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map { Array(bytes[..<$0]) }
  }

  /// The folder and the name of an object's copy; nil: the object is not copied.
  ///
  /// - Throws: `ReadError` when the object has not come, or came with other bytes than listed.
  func copy(of object: StoredObject) throws(ReadError) -> (folder: String, name: String)? {
    guard let place = places[Array(object.path.utf8)] else { return nil }
    let window = windows[place]
    if window.failures == nil {
      if window.process == nil {
        try room.take(window.byteCount, isInterrupted: isInterrupted)
        try start(place)
      }
      try finish(place)
    }
    if place + 1 < windows.count {
      let next = windows[place + 1]
      // Where the next window does not start, the first object of it reports why.
      if next.process == nil, next.failures == nil, room.takeAtOnce(next.byteCount) {
        try? start(place + 1)
      }
    }
    if let failure = window.failures?[Array(object.name.utf8)] { throw failure }
    return (try path(of: place), object.name)
  }

  /// Removes the copy of an object.
  func discard(_ object: StoredObject) {
    guard let place = places[Array(object.path.utf8)], windows[place].failures != nil,
      windows[place].discarded.insert(Array(object.name.utf8)).inserted
    else { return }
    if let folder = try? path(of: place) { unlink("\(folder)/\(object.name)") }
    room.giveBack(windows[place].share)
  }

  private func path(of place: Int) throws(ReadError) -> String {
    if folder == nil { folder = try ObjectFolder() }
    return "\(folder?.path ?? "")/\(place)"
  }

  private func start(_ place: Int) throws(ReadError) {
    let window = windows[place]
    do throws(ReadError) {
      let folder = try path(of: place)
      let list = folder + ".list"
      let names = window.objects.map { $0.name + "\n" }.joined()
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST, write(names, to: list) else {
        throw ObjectFolder.failure(errno)
      }
      window.process = try Rclone.ofProcess().start(
        [
          "copy", "--files-from-raw", list, "--multi-thread-streams", "0", "--retries", "3",
          Rclone.readsInOnePiece,
          // A copy has the listed name, whatever characters it has, and beside one that differs in its normal form.
          "--local-encoding", "Slash,Ctl,Del,Dot", "--no-unicode-normalization",
        ], source: window.objects[0].folder, [folder],
        largestFile: window.share)
    } catch {
      room.giveBack(window.byteCount)
      throw error
    }
  }

  private func write(_ text: String, to path: String) -> Bool {
    let file = fopen(path, "we")
    guard let file else { return false }
    let count = fwrite(text, 1, text.utf8.count, file)
    return fclose(file) == 0 && count == text.utf8.count
  }

  /// Waits for the copies of a window, and looks at each.
  private func finish(_ place: Int) throws(ReadError) {
    let window = windows[place]
    guard let process = window.process else { return }
    let code = process.wait(isInterrupted: isInterrupted)
    let folder = try path(of: place)
    var failures: [[UInt8]: ReadError] = [:]
    for object in window.objects {
      let path = "\(folder)/\(object.name)"
      var status = stat()
      if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
        guard let size = object.size, status.st_size != size else { continue }
        unlink(path)
        failures[Array(object.name.utf8)] = StoredObject.differs("\(status.st_size)", from: size)
      } else if code == 0 {
        failures[Array(object.name.utf8)] = ReadError(
          .missing,
          "was listed and did not come, without an error of rclone; look at the object, and run again"
        )
      } else {
        failures[Array(object.name.utf8)] = try Rclone.ofProcess().failure(
          code, of: process, about: object.name)
      }
    }
    window.failures = failures
    window.process = nil
  }
}

/// The room on the disk for the windows of all lanes.
private final class ObjectRoom: Sendable {
  private let state = Mutex((used: 0, waiting: 0))

  /// One window that is read and one that comes, and the small files that a group still holds.
  private static let byteCount = 2 * ObjectWindows.largest + 4 * 1024 * 1024

  /// Takes room if there is some and no lane waits for it.
  func takeAtOnce(_ count: Int) -> Bool {
    state.withLock {
      guard $0.waiting == 0, $0.used + count <= Self.byteCount else { return false }
      $0.used += count
      return true
    }
  }

  /// Waits for room, which other lanes give back.
  func take(_ count: Int, isInterrupted: () -> Bool) throws(ReadError) {
    state.withLock { $0.waiting += 1 }
    defer { state.withLock { $0.waiting -= 1 } }
    while true {
      let isTaken = state.withLock {
        guard $0.used + count <= Self.byteCount else { return false }
        $0.used += count
        return true
      }
      if isTaken { return }
      if isInterrupted() { throw ReadError(.storageUnavailable, "was not fetched: interrupted") }
      usleep(20_000)
    }
  }

  func giveBack(_ count: Int) { state.withLock { $0.used -= count } }
}
