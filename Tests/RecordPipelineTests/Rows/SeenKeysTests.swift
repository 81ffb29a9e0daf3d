import Testing

@testable import RecordPipeline

struct SeenKeysTests {
  private func insert(_ key: [UInt8], into keys: inout SeenKeys) -> Bool {
    key.withUnsafeBytes { keys.insert($0) }
  }

  @Test(arguments: [0, 1, .max] as [UInt64])
  func `an inserted key is never new again, and other keys are`(seed: UInt64) {
    var keys = SeenKeys(memory: 8 * 1024 * 1024, seed: seed)
    var random = SplitMix(state: seed)
    var seen: Set<[UInt8]> = []
    var mistaken = 0
    for _ in 0..<20_000 {
      let length = Int.random(in: 1...20, using: &random)
      let key = (0..<length).map { _ in UInt8.random(in: 0...3, using: &random) }
      let isNew = insert(key, into: &keys)
      let wasNew = seen.insert(key).inserted
      if isNew && !wasNew { Issue.record("\(key) was there before") }
      if !isNew && wasNew { mistaken += 1 }
    }
    // Collisions are possible but unlikely, and the seeds are fixed.
    #expect(mistaken == 0)
    #expect(seen.count > 10_000)
  }

  @Test func `keys of zeros with different lengths differ`() {
    var keys = SeenKeys(memory: 1 << 20, seed: 9)
    for length in 0..<100 { #expect(insert(Array(repeating: 0, count: length), into: &keys)) }
    for length in 0..<100 { #expect(!insert(Array(repeating: 0, count: length), into: &keys)) }
  }

  @Test func `every byte of a key counts`() {
    var keys = SeenKeys(memory: 1 << 20, seed: 9)
    #expect(insert(Array(repeating: 7, count: 30), into: &keys))
    for index in 0..<30 {
      var key = [UInt8](repeating: 7, count: 30)
      key[index] = 8
      #expect(insert(key, into: &keys))
    }
  }

  @Test(arguments: [0, 1, 32 * 1024, 100_000, 1 << 20])
  func `the table is full before it exceeds its memory`(memory: Int) {
    var keys = SeenKeys(memory: memory, seed: 5)
    var count = 0
    while keys.room > 0 {
      #expect(withUnsafeBytes(of: count) { keys.insert($0) })
      count += 1
    }
    let bytes = max(memory, 16 * 1024)
    #expect(SeenKeys.memory(forKeys: count) <= 2 * bytes)
    #expect(SeenKeys.memory(forKeys: count) > bytes / 2)
    keys.removeAll()
    #expect(keys.room == count)
    #expect(withUnsafeBytes(of: 0) { keys.insert($0) })
    #expect(!withUnsafeBytes(of: 0) { keys.insert($0) })
  }

  @Test(arguments: [0, 1, 1000, 2048, 2049, 65_536, 70_000])
  func `the memory computed for a number of keys has room for them`(count: Int) {
    #expect(SeenKeys(memory: SeenKeys.memory(forKeys: count), seed: 5).room >= count)
  }

  @Test func `an insertion of many hashes returns the known ones, including repeats in the list`() {
    var keys = SeenKeys(memory: 0, seed: 5)
    #expect(keys.insert([3 << 32, 4 << 32, 5 << 32]) == [])
    #expect(keys.insert([6 << 32, 3 << 32, 6 << 32, 7 << 32, 5 << 32]) == [1, 2, 4])
    #expect(keys.room == 2048 - 5)
  }
}
