import SampleData
import Testing

struct PlayerSampleTests {
  private func facts(_ stream: SampleStream, users: Int = 300) throws -> [Facts] {
    let options = SampleOptions(
      seed: 5, count: 6000, users: users, badShare: 0, repeatShare: 0, appIDs: ["One", "Two"])
    return try SampleFile(stream, options).lines.map { try Facts($0, of: stream) }
  }

  @Test(arguments: [SampleStream.levelUp, .gameUser], [1, 100, 20_000])
  func `natural keys are unique`(stream: SampleStream, users: Int) throws {
    let keys = try facts(stream, users: users).map { $0.key(of: stream) }
    #expect(Set(keys).count == keys.count)
  }

  @Test(arguments: [SampleStream.levelUp, .gameUser])
  func `a character's levels ascend with time`(stream: SampleStream) throws {
    var latest: [[String?]: Int] = [:]
    for facts in try facts(stream).sorted(by: { $0.time < $1.time }) {
      guard let character = facts.fields["characterId"] else { continue }
      let level = try #require(facts.fields["level"].flatMap { Int($0) })
      let key = [facts.fields["userId"], character]
      if stream == .levelUp {
        #expect(level == latest[key, default: 1] + 1)
      } else {
        #expect(level >= latest[key, default: 1])
      }
      #expect(level <= 100)
      latest[key] = level
    }
    #expect(latest.count > 250)
  }

  @Test func `a character that has reached level 100 is followed by another one`() throws {
    var options = SampleOptions(seed: 5, count: 3000, users: 2, badShare: 0, repeatShare: 0)
    options.endMilliseconds = options.startMilliseconds + 4 * GameHistory.day
    var characters: [String: Set<Int>] = [:]
    for line in SampleFile(.levelUp, options).lines {
      let facts = try Facts(line, of: .levelUp)
      guard let character = facts.fields["characterId"] else { continue }
      characters[character, default: []].insert(facts.fields["level"].flatMap { Int($0) } ?? 0)
    }
    #expect(characters.count > 10)
    #expect(characters.values.count { $0 == Set(2...100) } > 5)
  }

  @Test(arguments: [SampleStream.levelUp, .gameUser])
  func `every writer's spelling occurs`(stream: SampleStream) throws {
    let facts = try facts(stream)
    let time = stream == .levelUp ? "levelUpTime" : "eventTime"
    #expect(facts.contains { $0.object["characterClassId"] != nil })
    #expect(facts.contains { $0.object["classId"] != nil })
    #expect(facts.contains { $0.object["characterId"] as? String == "" })
    #expect(facts.contains { $0.object["channelId"] == nil })
    #expect(facts.contains { $0.object[time] is String })
    #expect(facts.contains { $0.fields["appId"] == nil })
  }

  @Test func `streams of one seed share their users`() throws {
    let levelUps = Set(try facts(.levelUp).map { $0.fields["userId"] })
    let receipts = SampleOptions(
      seed: 5, count: 1000, users: 300, badShare: 0, repeatShare: 0, appIDs: ["One", "Two"])
    for line in SampleFile(.receipt, receipts).lines {
      #expect(levelUps.contains(try Facts(line, of: .receipt).fields["userId"]))
    }
  }

  @Test func `user ids are 16 capitals and digits, some prefixed with AS@`() throws {
    let ids = Set(try facts(.gameUser).compactMap { $0.fields["userId"] })
    #expect(ids.count == 300)
    for id in ids { #expect(id.wholeMatch(of: /(AS@)?[0-9A-Z]{16}/) != nil) }
    #expect((20...80).contains(ids.count { $0.hasPrefix("AS@") }))
  }
}
