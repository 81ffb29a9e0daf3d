import SHA256
import Testing

@testable import RecordPipeline

/// The decoded bytes of a source.
private final class DecodingSource: ByteSource {
  private let source: any ByteSource
  private let decompressor: Decompressor

  init(_ source: any ByteSource, _ compression: Compression) throws {
    self.source = source
    decompressor = try Decompressor(compression)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    try decompressor.read(into: buffer, from: source.read)
  }
}

/// Archives of both kinds, through their decoders and by the names of their files.
struct ArchiveTests {
  /// A kind of archive.
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let pack: @Sendable ([UInt8]) -> [UInt8]
    let decoder: @Sendable (any ByteSource) throws -> any ByteSource
    /// Archives of `archivedLines` that common programs made; the first one has a checksum.
    let real: [[UInt8]]
    /// Parts that hold no content.
    let empty: [[UInt8]]
    /// The length of a header in which any value may stand.
    let headerBytes: Int

    func decoded(
      _ bytes: [UInt8], sizes: [Int] = [.max], bufferSize: Int = 4096
    ) throws -> [UInt8] {
      try contents(of: decoder(ChunkedSource(bytes, sizes: sizes)), bufferSize: bufferSize)
    }

    func failure(_ bytes: [UInt8]) -> ReadError? {
      do { _ = try decoded(bytes) } catch { return error as? ReadError }
      return nil
    }
  }

  private static let kinds = [
    Kind(
      testDescription: "gzip", pack: { gzipMember($0, name: "n") },
      decoder: { try DecodingSource($0, .gzip) }, real: [realGzip], empty: [gzipMember([])],
      headerBytes: 10),
    Kind(
      testDescription: "zstd", pack: { zstdFrame($0) },
      decoder: { try DecodingSource($0, .zstd) }, real: [realZstd, realZstdUnchecked],
      empty: [zstdFrame([]), zstdSkippableFrame([1, 2, 3], kind: 0xF), zstdSkippableFrame([])],
      headerBytes: 5),
  ]

  private let text = Array("one\ntwo\n".utf8)
  private let lines = Array(archivedLines.utf8)

  // MARK: - Decoders

  @Test(arguments: kinds, [1, 2, 7, 4096])
  func `a real archive is read in pieces of any size`(kind: Kind, size: Int) throws {
    for archive in kind.real {
      #expect(try kind.decoded(archive, sizes: [size]) == lines)
      #expect(try kind.decoded(archive, bufferSize: size) == lines)
      let two = archive + kind.pack(text)
      #expect(try kind.decoded(two, sizes: [size], bufferSize: size) == lines + text)
    }
  }

  @Test(arguments: kinds) func `all parts are read, empty ones too`(kind: Kind) throws {
    let part = kind.pack(text)
    #expect(try kind.decoded(part + part) == text + text)
    for empty in kind.empty {
      #expect(try kind.decoded(empty) == [])
      #expect(try kind.decoded(empty + part + empty + part) == text + text)
      #expect(try kind.decoded(part + empty, sizes: [1]) == text)
    }
    let many = (0..<300).flatMap { _ in kind.pack([0x78]) }
    #expect(try kind.decoded(many, sizes: [1]).count == 300)
  }

  @Test(arguments: kinds) func `an archive truncated at any byte fails`(kind: Kind) {
    for archive in kind.real + kind.empty + [kind.pack(text)] {
      for length in 1..<archive.count {
        #expect(kind.failure(Array(archive[..<length]))?.kind == .truncated, "\(length)")
        let second = kind.pack(text) + archive[..<length]
        #expect(kind.failure(second)?.kind == .truncated, "second part, \(length)")
      }
    }
  }

  @Test(arguments: kinds)
  func `every changed byte behind the header is detected or harmless`(kind: Kind) {
    for index in kind.headerBytes..<kind.real[0].count {
      var archive = kind.real[0]
      archive[index] ^= 0x10
      // Some bits have no meaning. A change of them must leave the content the same.
      #expect(((try? kind.decoded(archive)) ?? lines) == lines, "\(index)")
    }
  }

  @Test(
    arguments: kinds,
    [[0x78], [0x1F], [0x1F, 0x8C], Array("garbage, and more of it".utf8), [0, 0, 0, 1]])
  func `bytes behind an archive that are none fail`(kind: Kind, garbage: [UInt8]) {
    #expect(kind.failure(kind.pack(text) + garbage) != nil)
  }

  @Test(arguments: kinds) func `an error of the compressed file is passed on`(kind: Kind) throws {
    let error = ReadError(.ioFailure, "cannot be read")
    let cut = ChunkedSource(Array(kind.pack(text).prefix(14)), error: error)
    let source = try kind.decoder(cut)
    #expect(throws: error) { try contents(of: source) }
  }

  // MARK: - gzip

  @Test(arguments: [1, 3, 512, 300_000])
  func `zeros after a member are padding`(count: Int) throws {
    let (gzip, member) = (Self.kinds[0], gzipMember(text))
    let zeros = [UInt8](repeating: 0, count: count)
    #expect(try gzip.decoded(member + zeros) == text)
    #expect(try gzip.decoded(member + zeros + member) == text + text)
  }

  @Test func `a wrong checksum or length fails`() {
    let wrong = gzipMember(text, checksum: 1)
    var longer = gzipMember(text)
    longer[longer.count - 1] ^= 1
    for archive in [wrong, longer, gzipMember(text) + wrong] {
      #expect(Self.kinds[0].failure(archive)?.kind == .corrupt)
    }
  }

  // MARK: - zstd

  @Test(arguments: [1000, 64 * 1024, 200_000, 256 * 1024])
  func `a frame that expands a thousandfold is read completely`(bufferSize: Int) throws {
    let archive = zstdFrame(repeating: 0x0A, blocks: 64)
    let count = try Self.kinds[1].decoded(archive, bufferSize: bufferSize).count
    #expect(count == 64 * 128 * 1024)
  }

  @Test func `a window above 8 MiB is refused with a hint`() throws {
    #expect(try Self.kinds[1].decoded(zstdFrame(text, windowLog: 23)) == text)
    for windowLog: UInt8 in [24, 27, 31, 41] {
      let error = Self.kinds[1].failure(zstdFrame(text, windowLog: windowLog))
      #expect(error?.kind == .corrupt)
      #expect(error?.message.contains("window above 8 MiB") == true)
    }
  }

  // MARK: - Files

  private func decoded(_ bytes: [UInt8], name: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    return try contents(of: InputFile(Input(path: folder.write(name, bytes))))
  }

  @Test(arguments: ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "a"])
  func `the first bytes decide the compression, not the name`(name: String) throws {
    let frames = zstdSkippableFrame([1]) + zstdFrame(text)
    for bytes in [text, gzipMember(text), zstdFrame(text), frames] {
      #expect(try decoded(bytes, name: name) == text)
    }
    #expect(try decoded([0x7B, 0x7D], name: name) == [0x7B, 0x7D])
  }

  @Test(arguments: ["a.gz", "a.zst", "a.jsonl.gz", "A.JSONL.GZ", "A.ZST"])
  func `an empty archive, or one cut within its first bytes, fails`(name: String) throws {
    let error = #expect(throws: ReadError.self) { try decoded([], name: name) }
    #expect(error?.kind == .truncated)
    for archive in [gzipMember(text), zstdFrame(text)] {
      for length in 1...3 where archive.starts(with: [0x1F]) == name.lowercased().hasSuffix("gz") {
        #expect(throws: ReadError.self) { try decoded(Array(archive.prefix(length)), name: name) }
      }
    }
  }

  @Test(arguments: ["a.jsonl", "a", "gz", "a.gz.jsonl"])
  func `an empty file of another name has no lines`(name: String) throws {
    #expect(try decoded([], name: name) == [])
  }

  @Test func `the digest is that of the decoded bytes`() throws {
    let folder = try TemporaryFolder()
    for (name, bytes) in [("a", text), ("a.gz", gzipMember(text)), ("a.zst", zstdFrame(text))] {
      let file = try InputFile(Input(path: folder.write(name, bytes)))
      let digest = try file.digest()
      #expect(hex(digest.sha256) == hex(SHA256.digest(of: text)))
      #expect(digest.byteCount == text.count)
    }
  }
}
