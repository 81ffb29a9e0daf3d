import SHA256
import Testing

@testable import RecordPipeline

struct DecompressionTests {
  private let text = Array("one\n".utf8)

  private func decoded(_ bytes: [UInt8], name: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    return try contents(of: DecodedSource(InputFile(path: folder.write(name, bytes))))
  }

  @Test(arguments: ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "a"])
  func `the first bytes decide the compression, not the name`(name: String) throws {
    #expect(try decoded(gzipMember(text), name: name) == text)
    #expect(try decoded(zstdFrame(text), name: name) == text)
    #expect(try decoded(zstdSkippableFrame([1]) + zstdFrame(text), name: name) == text)
    #expect(try decoded(text, name: name) == text)
    #expect(try decoded([0x7B, 0x7D], name: name) == [0x7B, 0x7D])
  }

  @Test(arguments: ["a.gz", "a.zst", "a.jsonl.gz", "a.jsonl.zst", "A.JSONL.GZ", "A.ZST"])
  func `an empty archive fails`(name: String) throws {
    let error = #expect(throws: ReadError.self) { try decoded([], name: name) }
    #expect(error?.kind == .truncated)
  }

  @Test(arguments: ["a.jsonl", "a", "gz", "a.gz.jsonl"])
  func `an empty file of another name has no lines`(name: String) throws {
    #expect(try decoded([], name: name) == [])
  }

  @Test func `an archive truncated within its first bytes fails`() throws {
    for length in 1...3 {
      let gzip = Array(gzipMember(text).prefix(length))
      let zstd = Array(zstdFrame(text).prefix(length))
      #expect(throws: ReadError.self) { try decoded(gzip, name: "a.gz") }
      #expect(throws: ReadError.self) { try decoded(zstd, name: "a.zst") }
    }
  }

  @Test func `the digest is that of the decoded bytes`() throws {
    let folder = try TemporaryFolder()
    let digests = try [
      folder.write("a.jsonl", text), folder.write("a.gz", gzipMember(text)),
      folder.write("a.zst", zstdFrame(text)),
    ].map { try SHA256.digest(of: DecodedSource(InputFile(path: $0))) }
    let expected = "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806"
    #expect(digests.map { hex($0.sha256) } == [expected, expected, expected])
    #expect(digests.map(\.byteCount) == [4, 4, 4])
  }
}
