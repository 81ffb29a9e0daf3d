import Testing

@testable import RecordPipeline

/// The decoded length that a file states about itself.
struct ClaimedLengthTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// - Parameter decoded: nil for bytes that cannot be decoded.
  private func claim(_ bytes: [UInt8], _ decoded: [UInt8]? = nil) throws -> Int? {
    let file = try InputFile(Input(path: try folder.write("file", bytes)))
    let length = try file.claimedLength()
    // The call must not move the read position.
    if let decoded { #expect(try contents(of: file) == decoded) }
    return length
  }

  private let content = Array("{\"userId\":\"u\"}\n".utf8)

  @Test func `a plain file states its size`() throws {
    #expect(try claim(content, content) == content.count)
    #expect(try claim([], []) == 0)
  }

  @Test func `a gzip file states the length of its last member`() throws {
    #expect(try claim(gzipMember(content), content) == content.count)
    #expect(try claim(gzipMember(content) + gzipMember([0x0A]), content + [0x0A]) == 1)
    #expect(try claim([0x1F, 0x8B]) == nil)
  }

  @Test func `a zstd file states the length of its first frame, or none`() throws {
    // A single-segment frame with a content size of one byte, and one raw block.
    let size = UInt8(content.count)
    let block = [size << 3 | 1, 0, 0] + content
    let single = [0x28, 0xB5, 0x2F, 0xFD, 0x20, size] + block
    #expect(try claim(single, content) == content.count)
    #expect(try claim(zstdFrame(content), content) == nil)
    #expect(try claim(zstdSkippableFrame([1, 2]) + zstdFrame(content), content) == nil)
    #expect(try claim([0x28, 0xB5, 0x2F, 0xFD]) == nil)
  }

  @Test func `standard input states no length`() throws {
    #expect(try InputFile(Input(path: "-")).claimedLength() == nil)
  }
}
