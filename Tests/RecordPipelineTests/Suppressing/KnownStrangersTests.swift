import Testing

@testable import RecordPipeline

struct KnownStrangersTests {
  @Test(arguments: [1, 4, 1 << 16])
  func `whoever is erased is never a stranger, and strangers are asked about seldom`(
    placeCount: Int
  ) {
    let strangers = KnownStrangers(placeCount: placeCount)
    let erased: Set = ["", "u7", "u70", "\u{1F600}"]
    var asked = 0
    func isStranger(_ user: String) -> Bool {
      Array(user.utf8).withUnsafeBytes { bytes in
        strangers.contains(bytes) {
          asked += 1
          return erased.contains(user)
        }
      }
    }
    let users = (0..<200).map { "u\($0)" } + ["", "\u{1F600}"]
    for round in 0..<5 {
      for user in round % 2 == 0 ? users : users.reversed() {
        #expect(isStranger(user) == !erased.contains(user), "\(user)")
      }
    }
    // The erased ones are asked about each time, the others once where there is room for them.
    #expect(asked <= 5 * users.count)
    if placeCount == 1 << 16 { #expect(asked <= 5 * erased.count + users.count + 20) }
  }
}
