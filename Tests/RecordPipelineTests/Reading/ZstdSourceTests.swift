import Testing

@testable import RecordPipeline

struct ZstdSourceTests {
  private let text = Array("one\ntwo\n".utf8)

  private func decoded(
    _ bytes: [UInt8], sizes: [Int] = [.max], bufferSize: Int = 4096
  ) throws -> [UInt8] {
    try contents(of: ZstdSource(ChunkedSource(bytes, sizes: sizes)), bufferSize: bufferSize)
  }

  private func failure(_ bytes: [UInt8]) -> ReadError? {
    do { _ = try decoded(bytes) } catch { return error as? ReadError }
    return nil
  }

  @Test(arguments: [1, 2, 7, 4096])
  func `real archives are read in chunks of any size`(size: Int) throws {
    let expected = Array(archivedLines.utf8)
    for archive in [realZstd, realZstdUnchecked] {
      #expect(try decoded(archive, sizes: [size]) == expected)
      #expect(try decoded(archive, bufferSize: size) == expected)
      #expect(try decoded(archive, sizes: [size], bufferSize: size) == expected)
    }
  }

  @Test func `all frames are read, empty and skippable ones too`() throws {
    let frame = zstdFrame(text)
    let skippable = zstdSkippableFrame([1, 2, 3], kind: 0xF)
    #expect(try decoded(zstdFrame([])) == [])
    #expect(try decoded(frame + realZstd) == text + Array(archivedLines.utf8))
    #expect(try decoded(skippable + frame + zstdSkippableFrame([]) + frame) == text + text)
    #expect(try decoded(skippable) == [])
    #expect(try decoded(frame + skippable, sizes: [1]) == text)
  }

  @Test(arguments: [1000, 64 * 1024, 200_000, 256 * 1024])
  func `a frame that expands a thousandfold is read completely`(bufferSize: Int) throws {
    let archive = zstdFrame(repeating: 0x0A, blocks: 64)
    let count = try decoded(archive, bufferSize: bufferSize).count
    #expect(count == 64 * 128 * 1024)
  }

  @Test func `an archive truncated at any byte fails`() {
    for archive in [zstdFrame(text), realZstd, realZstdUnchecked, zstdSkippableFrame([1, 2])] {
      for length in 1..<archive.count {
        #expect(failure(Array(archive[..<length]))?.kind == .truncated, "\(length)")
        let second = zstdFrame(text) + archive[..<length]
        #expect(failure(second)?.kind == .truncated, "second frame, \(length)")
      }
    }
  }

  @Test func `every changed byte of a checksummed frame is detected or harmless`() {
    let expected = Array(archivedLines.utf8)
    for index in 5..<realZstd.count {
      var archive = realZstd
      archive[index] ^= 0x10
      // Some bits have no meaning. A change of them must leave the content the same.
      let content = (try? decoded(archive)) ?? expected
      #expect(content == expected, "\(index)")
    }
  }

  @Test(arguments: ["x", "garbage, and more of it", "\0\0\0\0"])
  func `bytes after a frame that are not a frame fail`(garbage: String) {
    #expect(failure(zstdFrame(text) + Array(garbage.utf8)) != nil)
  }

  @Test func `a window above 8 MiB is refused with a hint`() throws {
    #expect(try decoded(zstdFrame(text, windowLog: 23)) == text)
    for windowLog: UInt8 in [24, 27, 31, 41] {
      let error = failure(zstdFrame(text, windowLog: windowLog))
      #expect(error?.kind == .corrupt)
      #expect(error?.message.contains("window above 8 MiB") == true)
    }
  }
}
