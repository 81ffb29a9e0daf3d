import Testing

@testable import RecordPipeline

struct SeenKeysTests {
  private func insert(_ key: [UInt8], into keys: inout SeenKeys) -> Bool {
    key.withUnsafeBytes { keys.insert($0) }
  }

  @Test(arguments: [0, 1, .max] as [UInt64])
  func `a key that has been there is never new, across growth`(seed: UInt64) {
    var keys = SeenKeys(memory: 8 * 1024 * 1024, seed: seed)
    var random = Seeded(state: seed)
    var seen: Set<[UInt8]> = []
    var mistaken = 0
    for _ in 0..<60_000 {
      let length = Int.random(in: 1...20, using: &random)
      let key = (0..<length).map { _ in UInt8.random(in: 0...3, using: &random) }
      let isNew = insert(key, into: &keys)
      let wasNew = seen.insert(key).inserted
      if isNew && !wasNew { Issue.record("\(key) was there before") }
      if !isNew && wasNew { mistaken += 1 }
    }
    // Two keys of 64-bit hashes that meet are possible, and next to impossible.
    #expect(mistaken == 0)
    #expect(seen.count > 30_000)
  }

  @Test func `keys of zeros differ by their length`() {
    var keys = SeenKeys(memory: 1 << 20, seed: 9)
    for length in 0..<100 { #expect(insert(Array(repeating: 0, count: length), into: &keys)) }
    for length in 0..<100 { #expect(!insert(Array(repeating: 0, count: length), into: &keys)) }
  }

  @Test func `every single byte of a key counts`() {
    var keys = SeenKeys(memory: 1 << 20, seed: 9)
    #expect(insert(Array(repeating: 7, count: 30), into: &keys))
    for index in 0..<30 {
      var key = [UInt8](repeating: 7, count: 30)
      key[index] = 8
      #expect(insert(key, into: &keys))
    }
  }

  @Test(arguments: [0, 1, 32 * 1024, 100_000, 1 << 20])
  func `there is no room before the table is larger than its memory`(memory: Int) {
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
  func `there is room for as many keys as memory was asked for`(count: Int) {
    #expect(SeenKeys(memory: SeenKeys.memory(forKeys: count), seed: 5).room >= count)
  }

  @Test func `of many hashes at once those are told that were there before, in the list too`() {
    var keys = SeenKeys(memory: 0, seed: 5)
    #expect(keys.insert([3 << 32, 4 << 32, 5 << 32]) == [])
    #expect(keys.insert([6 << 32, 3 << 32, 6 << 32, 7 << 32, 5 << 32]) == [1, 2, 4])
    #expect(keys.room == 2048 - 5)
  }
}
