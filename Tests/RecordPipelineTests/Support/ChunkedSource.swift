import RecordPipeline

/// A source that delivers bytes in chunks of the given sizes, in turn, and then the end or an
/// error.
final class ChunkedSource: ByteSource {
  private let bytes: [UInt8]
  private let sizes: [Int]
  private let error: ReadError?
  private var position = 0
  private var turn = 0
  private(set) var largestRequest = 0

  init(_ bytes: [UInt8], sizes: [Int] = [.max], error: ReadError? = nil) {
    self.bytes = bytes
    self.sizes = sizes
    self.error = error
  }

  convenience init(_ text: String, sizes: [Int] = [.max]) {
    self.init(Array(text.utf8), sizes: sizes)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    largestRequest = max(largestRequest, buffer.count)
    if position == bytes.count, let error { throw error }
    let count = min(sizes[turn % sizes.count], buffer.count, bytes.count - position)
    turn += 1
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }
}

/// A source that repeats the same bytes: a long stream that takes no memory.
final class RepeatingSource: ByteSource {
  private let stretch: [UInt8]
  private var remaining: Int
  private let tail: [UInt8]
  private var tailPosition = 0

  init(_ stretch: [UInt8], times: Int, then tail: [UInt8]) {
    self.stretch = stretch
    remaining = times
    self.tail = tail
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    if remaining > 0 {
      let times = max(1, min(remaining, buffer.count / stretch.count))
      for index in 0..<times {
        UnsafeMutableRawBufferPointer(rebasing: buffer[(index * stretch.count)...])
          .copyBytes(from: stretch)
      }
      remaining -= times
      return times * stretch.count
    }
    let count = min(buffer.count, tail.count - tailPosition)
    buffer.copyBytes(from: tail[tailPosition..<tailPosition + count])
    tailPosition += count
    return count
  }
}

/// All bytes of a source, read into buffers of one size.
func contents(of source: any ByteSource, bufferSize: Int = 64 * 1024) throws(ReadError) -> [UInt8] {
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 1)
  defer { buffer.deallocate() }
  var all: [UInt8] = []
  while true {
    let count = try source.read(into: buffer)
    if count == 0 { return all }
    all.append(contentsOf: buffer[..<count])
  }
}
