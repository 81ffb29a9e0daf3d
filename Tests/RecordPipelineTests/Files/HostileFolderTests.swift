import Foundation
import Testing

@testable import RecordPipeline

/// A folder to which other users can write: special files in it are refused, each with a message
/// and without waiting.
struct HostileFolderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("inbox/receipt.jsonl")
  }

  private var inbox: String { folder.path + "/inbox" }

  /// The paths found in the inbox, relative to it.
  private func found() throws -> [String] {
    try InputDiscovery().inputs([inbox]).inputs.map {
      String(decoding: $0.path.utf8.dropFirst(inbox.utf8.count + 1), as: UTF8.self)
    }
  }

  /// The reason why a path found in the inbox is refused; nil when it can be opened.
  private func refusal(_ name: String) -> String? {
    do {
      _ = try InputFile(Input(path: "\(inbox)/\(name)", stream: "receipt", folder: inbox))
      return nil
    } catch {
      return error.message
    }
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(inbox)/\(name)", withDestinationPath: target)
  }

  /// Creates a special file; false when this user may not, because some kinds need root.
  private func node(_ name: String, _ kind: mode_t) -> Bool {
    // Major number 240 is for local and experimental use, so no driver serves it.
    mknod("\(inbox)/\(name)", kind | 0o600, 240 << 8) == 0
  }

  @Test func `sockets, pipes and devices are found, and refused with their kind`() throws {
    let socketPath = "\(inbox)/receipt-socket.jsonl"
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    try #require(socketPath.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0)
    #expect(mkfifo("\(inbox)/receipt-pipe.jsonl", 0o600) == 0)
    var expected = ["receipt-pipe.jsonl", "receipt-socket.jsonl", "receipt.jsonl"]
    #expect(refusal("receipt-socket.jsonl") == "is not a regular file but a socket")
    #expect(
      refusal("receipt-pipe.jsonl")
        == "is not a regular file but a pipe, which is read as standard input: load - --name NAME < PIPE"
    )
    for (name, kind) in [("receipt-block.jsonl", S_IFBLK), ("receipt-char.jsonl", S_IFCHR)]
    where node(name, kind) {
      expected.append(name)
      #expect(refusal(name) == "is not a regular file but a device")
    }
    #expect(try found() == expected.sorted())
    #expect(refusal("receipt.jsonl") == nil)
  }

  @Test func `links to files and folders are found, and each is refused, even in a cycle`() throws {
    let isLink =
      "is a symbolic link found in a folder, which is not followed; to read it, name its target: "
    let outside = try folder.write("outside/receipt-secret.jsonl")
    try link("receipt-link.jsonl", to: outside)
    try link("receipt-outside", to: "\(folder.path)/outside")
    try link("receipt-up", to: "..")
    try link("receipt-loop.jsonl", to: "receipt-loop.jsonl")
    try link("receipt-nowhere.jsonl", to: "nowhere")
    #expect(
      try found() == [
        "receipt-link.jsonl", "receipt-loop.jsonl", "receipt-nowhere.jsonl", "receipt-outside",
        "receipt-up", "receipt.jsonl",
      ])
    for (name, target) in [
      ("receipt-link.jsonl", outside), ("receipt-outside", "\(folder.path)/outside"),
      ("receipt-up", folder.path),
    ] { #expect(refusal(name) == isLink + target) }
    #expect(refusal("receipt-nowhere.jsonl") == isLink + "nowhere")
    #expect(refusal("receipt-loop.jsonl") == "is a loop of symbolic links")
  }

  @Test func `a link to a folder that selects no stream fails, too`() throws {
    try folder.write("outside/receipt-2.jsonl")
    try link("a", to: "\(folder.path)/outside")
    let found = try InputDiscovery().inputs([inbox])
    #expect(found.failures.map(\.path) == ["\(inbox)/a"])
    #expect(found.failures.map(\.error.kind) == [.notAFile])
  }

  @Test func `a folder replaced by a link after the search is not entered`() throws {
    try folder.write("inbox/day/receipt.jsonl", Array("inside\n".utf8))
    try folder.write("outside/receipt.jsonl", Array("outside\n".utf8))
    let input = try #require(
      try InputDiscovery().inputs([inbox]).inputs.first { $0.path.hasSuffix("day/receipt.jsonl") })
    #expect(
      try contents(of: InputFile(input)) == Array("inside\n".utf8))
    try FileManager.default.moveItem(atPath: "\(inbox)/day", toPath: "\(folder.path)/moved")
    try link("day", to: "\(folder.path)/outside")
    let error = #expect(throws: ReadError.self) { try InputFile(input) }
    #expect(error?.kind == .notAFile)
    #expect(
      error?.message.hasSuffix("name its target: \(folder.path)/outside/receipt.jsonl") == true)
  }

  @Test(arguments: [
    "receipt \n\r\t.jsonl", "receipt\u{1B}[31m.jsonl", "receipt\u{202E}lnosj.jsonl",
    "receipt'; drop table x; --.jsonl", "receipt $(touch x) `id`.jsonl", "receipt%s%n.jsonl",
    "receipt*?[a].jsonl", "receipt\\.jsonl", "receipts/\u{301}.jsonl", "receipts/-rf.jsonl",
    "receipts/\u{FFFD}.jsonl", "receipts/-.jsonl", "receipts/~.jsonl", "receipts/a:1.jsonl",
  ])
  func `a file name may hold any bytes`(name: String) throws {
    try folder.write("inbox/\(name)", Array("mine\n".utf8))
    #expect(try found().contains { Array($0.utf8) == Array(name.utf8) })
    let input = try #require(
      try InputDiscovery().inputs([inbox]).inputs.first {
        $0.path.utf8.elementsEqual("\(inbox)/\(name)".utf8)
      })
    #expect(input.stream == "receipt")
    #expect(try contents(of: InputFile(input)) == Array("mine\n".utf8))
  }

  @Test func `a path longer than PATH_MAX is a failed file`() throws {
    let name = String(repeating: "x", count: 250)
    let fileName = "receipt-deep.jsonl"
    var descriptors = [open(inbox, O_RDONLY | O_DIRECTORY)]
    for level in 0..<20 {
      mkdirat(descriptors[level], name, 0o700)
      descriptors.append(openat(descriptors[level], name, O_RDONLY | O_DIRECTORY))
    }
    let file = openat(descriptors[20], fileName, O_WRONLY | O_CREAT, 0o600)
    #expect(write(file, "deep\n", 5) == 5)
    close(file)
    let failures = try InputDiscovery().inputs([inbox]).failures
    #expect(failures.map(\.error.kind) == [.notReadable])
    #expect(failures.map(\.path.utf8.count) == [1024])
    // Foundation cannot remove a file whose name is not UTF-8.
    unlinkat(descriptors[20], fileName, 0)
    for level in (0...20).reversed() {
      close(descriptors[level])
      if level > 0 { unlinkat(descriptors[level - 1], name, AT_REMOVEDIR) }
    }
  }

  @Test func `only the file whose name is not UTF-8 fails, even beside a similar name`() throws {
    try folder.write("inbox/receipt-\u{FFFD}.jsonl")
    let paths = ["receipt-%.jsonl", "notes-%.txt"].map { name in
      "\(inbox)/\(name)".utf8.map { $0 == UInt8(ascii: "%") ? -1 : CChar(bitPattern: $0) } + [0]
    }
    for path in paths {
      let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
      try #require(descriptor >= 0)
      close(descriptor)
    }
    defer { for path in paths { unlink(path) } }
    let found = try InputDiscovery().inputs([inbox])
    #expect(
      found.inputs.map(\.path) == ["\(inbox)/receipt-\u{FFFD}.jsonl", "\(inbox)/receipt.jsonl"])
    #expect(found.failures.map(\.path) == ["\(inbox)/receipt-\u{FFFD}.jsonl"])
    #expect(found.failures.first?.error.kind == .nameIsNotUTF8)
    #expect(found.failures.first?.error.message == "has a name that is not UTF-8; rename it")
  }
}
