import SampleData
import Testing

struct SampleOptionsTests {
  @Test func `the default is one user per twenty lines, within bounds`() {
    #expect(SampleOptions(count: 100_000).problem == nil)
    #expect(SampleOptions(count: 100_000).users == 5000)
    #expect(SampleOptions(count: 10).users == 100)
    #expect(SampleOptions(count: .max).users == 1_000_000)
    #expect(SampleOptions(lines: [.receipt: 2000, .levelUp: 40_000]).users == 2000)
  }

  private static func options(_ change: (inout SampleOptions) -> Void) -> SampleOptions {
    var options = SampleOptions(count: 1000)
    change(&options)
    return options
  }

  @Test(arguments: [
    (options { $0.lines = [.receipt: -1] }, "must not be negative"),
    (options { $0.lines = [.receipt: 5, .levelUp: .max] }, "room"),
    (options { $0.users = 0 }, "Users"), (options { $0.users = 2_147_483_648 }, "Users"),
    (options { $0.files = 0 }, "file"), (options { $0.days = 0 }, "at least one"),
    (options { $0.firstDay = 10_956 }, "2000-01-01"), (options { $0.days = .max }, "2099-01-01"),
    (options { $0.apps = 0 }, "applications"), (options { $0.apps = 9 }, "applications"),
    (options { $0.badShare = 1.5 }, "share"), (options { $0.repeatShare = -0.1 }, "share"),
    (options { $0.blankShare = .nan }, "share"),
    (options { ($0.badShare, $0.repeatShare) = (0.6, 0.5) }, "add up"),
    (options { $0.lateShare = 0.51 }, "late lines"),
    (options { $0.correctionShare = 0.11 }, "corrections"),
  ])
  func `invalid options give a reason`(options: SampleOptions, reason: String) throws {
    let problem = try #require(options.problem)
    #expect(problem.contains(reason))
  }
}
