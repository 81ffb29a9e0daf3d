import Testing

@testable import RecordPipeline

struct GzipSourceTests {
  private let text = Array("one\ntwo\n".utf8)

  private func decoded(
    _ bytes: [UInt8], sizes: [Int] = [.max], bufferSize: Int = 4096
  ) throws -> [UInt8] {
    try contents(of: GzipSource(ChunkedSource(bytes, sizes: sizes)), bufferSize: bufferSize)
  }

  private func failure(_ bytes: [UInt8]) -> ReadError.Kind? {
    do { _ = try decoded(bytes) } catch { return (error as? ReadError)?.kind }
    return nil
  }

  @Test(arguments: [1, 2, 7, 4096])
  func `a real archive is read in pieces of any size`(size: Int) throws {
    let expected = Array(archivedLines.utf8)
    #expect(try decoded(realGzip, sizes: [size]) == expected)
    #expect(try decoded(realGzip, bufferSize: size) == expected)
    #expect(
      try decoded(realGzip + gzipMember(text), sizes: [size], bufferSize: size) == expected + text)
  }

  @Test func `all members are read, empty ones too`() throws {
    let member = gzipMember(text, name: "a.jsonl")
    #expect(try decoded(gzipMember([])) == [])
    #expect(try decoded(member + member) == text + text)
    #expect(try decoded(gzipMember([]) + member + gzipMember([]) + member) == text + text)
    #expect(try decoded((0..<300).flatMap { _ in gzipMember([0x78]) }, sizes: [1]).count == 300)
  }

  @Test(arguments: [1, 3, 512, 300_000])
  func `zeros after a member are padding`(count: Int) throws {
    let zeros = [UInt8](repeating: 0, count: count)
    #expect(try decoded(gzipMember(text) + zeros) == text)
    #expect(try decoded(gzipMember(text) + zeros + gzipMember(text)) == text + text)
  }

  @Test func `an archive truncated at any byte fails`() {
    for archive in [gzipMember(text, name: "n"), realGzip] {
      for length in 1..<archive.count {
        #expect(failure(Array(archive[..<length])) == .truncated, "\(length)")
        let second = gzipMember(text) + archive[..<length]
        #expect(failure(second) == .truncated, "second member, \(length)")
      }
    }
  }

  @Test func `a wrong checksum or length fails`() {
    #expect(failure(gzipMember(text, checksum: 1)) == .corrupt)
    var archive = gzipMember(text)
    archive[archive.count - 1] ^= 1
    #expect(failure(archive) == .corrupt)
    #expect(failure(gzipMember(text) + gzipMember(text, checksum: 1)) == .corrupt)
  }

  @Test func `every changed byte of the content is detected or harmless`() {
    let expected = Array(archivedLines.utf8)
    // The header has ten bytes, with flags and a time that may have any value.
    for index in 10..<realGzip.count {
      var archive = realGzip
      archive[index] ^= 0x10
      // Some bits have no meaning. A change of them must leave the content the same.
      let content = (try? decoded(archive)) ?? expected
      #expect(content == expected, "\(index)")
    }
  }

  @Test(arguments: [
    [0x78], [0x1F], [0x1F, 0x8C], Array("garbage, and more of it".utf8), [0, 0, 1],
  ])
  func `bytes after a member that are not a member fail`(garbage: [UInt8]) {
    #expect([.corrupt, .truncated].contains(failure(gzipMember(text) + garbage)))
  }

  @Test func `an error of the compressed file is passed on`() throws {
    let error = ReadError(.ioFailure, "cannot be read")
    let source = try GzipSource(ChunkedSource(Array(gzipMember(text).prefix(14)), error: error))
    #expect(throws: error) { try contents(of: source) }
  }
}
