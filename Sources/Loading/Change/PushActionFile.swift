/// The push actions of an app, as its `hive_push_actions.json` defines them, and everything that is wrong with it.
///
/// - Source: Hive SDK document "Advanced Notification Features", hive_push_actions.json.
package struct PushActionFile: Sendable {
  /// The title of a button in one language.
  package struct Title: Sendable, Equatable {
    package let action: String
    /// Such as `en`.
    package let language: String
    package let text: String
  }

  /// A button in a category.
  package struct Button: Sendable, Equatable {
    package let category: String
    /// From 1, in the order of the buttons.
    package let position: Int
    package let action: String
  }

  /// A defect, or something that is probably not meant.
  package struct Finding: Sendable, Equatable {
    /// From 1.
    package let line: Int
    /// The names that lead to the place, such as `actions.CLOSE_ID.en`; nil: the file as a whole.
    package let place: String?
    package let reason: String

    /// `line 3, actions.CLOSE_ID.en: …`; holds no title.
    package var sentence: String { "line \(line)\(place.map { ", \($0)" } ?? ""): \(reason)" }
  }

  /// All in the order of the file.
  package private(set) var actions: [String] = []
  package private(set) var titles: [Title] = []
  package private(set) var buttons: [Button] = []
  /// The defects; a file with any is refused.
  package private(set) var problems: [Finding] = []
  package private(set) var warnings: [Finding] = []

  /// The most actions of a category.
  static let mostButtons = 3
  /// The language whose title stands in for a missing one.
  static let defaultLanguage = "en"
  /// The vendor's own actions and categories; SDKs ignore the definitions of a game with these names.
  static let builtInActions = exact([
    "ACCEPT_ALL_ID", "ACCEPT_ID", "ACCEPT_NOW_ID", "CANCEL_ID", "CLOSE_ID", "CONFIRM_ID",
    "DECLINE_ID", "EXECUTE_ID", "HOLDING_ID", "PURCHASE_ID", "REJECT_ID", "SALE_ID",
  ])
  static let builtInCategories = exact([
    "ACCEPT_ALL_CATEGORY", "ACCEPT_DECISION_CATEGORY", "ACCEPT_NOW_CATEGORY", "CLOSE_CATEGORY",
    "CONFIRM_CATEGORY", "EXECUTE_CATEGORY", "INFO_CATEGORY", "PURCHASE_CATEGORY", "SALE_CATEGORY",
  ])

  private let languages: Set<ExactText>
  /// The titles by action and language.
  private var titleOf: [ExactText: [ExactText: ExactText]] = [:]

  private static func exact(_ texts: [String]) -> Set<ExactText> { Set(texts.map(ExactText.init)) }

  /// - Parameter languages: the codes that the vendor knows.
  package init(_ bytes: [UInt8], languages: [String]) {
    self.languages = Self.exact(languages)
    let root: JSONReader.Node
    do throws(JSONReader.Failure) {
      root = try JSONReader.read(bytes)
    } catch {
      problems = [Finding(line: error.line, place: nil, reason: "this is no JSON: \(error.reason)")]
      return
    }
    guard let parts = members(of: root, at: nil) else { return }
    for part in parts where part.name != "actions" && part.name != "categories" {
      refuse(part.line, part.name, "the file has no other members than actions and categories")
    }
    for name in ["actions", "categories"] where !parts.contains(where: { $0.name == name }) {
      refuse(root.line, nil, "\(name) is missing")
    }
    // The actions first, because categories name them.
    for part in parts where part.name == "actions" { readActions(part.node) }
    for part in parts where part.name == "categories" { readCategories(part.node) }
    warnOfUnusedActions(parts)
  }

  // MARK: - Actions

  private mutating func readActions(_ node: JSONReader.Node) {
    for action in members(of: node, at: "actions") ?? [] {
      let place = "actions.\(action.name)"
      actions.append(action.name)
      if Self.builtInActions.contains(ExactText(action.name)) {
        warn(action.line, place, "the vendor ignores an action with the name of a built-in one")
      }
      guard let titles = members(of: action.node, at: place) else { continue }
      for title in titles { readTitle(title, of: action.name, at: "\(place).\(title.name)") }
      if !titles.contains(where: { $0.name == Self.defaultLanguage }) {
        refuse(action.line, place, "the title in \(Self.defaultLanguage) is missing")
      }
    }
  }

  private mutating func readTitle(
    _ title: JSONReader.Member, of action: String, at place: String
  ) {
    guard case .text(let text) = title.node.value else {
      return refuse(title.node.line, place, "the title is no text")
    }
    guard !text.isEmpty else { return refuse(title.node.line, place, "the title is empty") }
    guard !text.utf8.contains(0) else {
      return refuse(title.node.line, place, "the title holds a NUL")
    }
    if !languages.contains(ExactText(title.name)) {
      warn(title.line, place, "the vendor does not know this language; see game.display_language")
    }
    let isSpace = { (scalar: Unicode.Scalar?) in scalar?.properties.isWhitespace ?? false }
    if isSpace(text.unicodeScalars.first) || isSpace(text.unicodeScalars.last) {
      warn(title.node.line, place, "white space surrounds the title; it is kept")
    }
    titles.append(Title(action: action, language: title.name, text: text))
    titleOf[ExactText(action), default: [:]][ExactText(title.name)] = ExactText(text)
  }

  // MARK: - Categories

  private mutating func readCategories(_ node: JSONReader.Node) {
    let defined = Self.exact(actions)
    for category in members(of: node, at: "categories") ?? [] {
      let place = "categories.\(category.name)"
      if Self.builtInCategories.contains(ExactText(category.name)) {
        warn(category.line, place, "the vendor ignores a category with the name of a built-in one")
      }
      guard case .array(let elements) = category.node.value else {
        refuse(category.node.line, place, "this is no array of actions")
        continue
      }
      if elements.isEmpty { refuse(category.node.line, place, "the category has no action") }
      if elements.count > Self.mostButtons {
        refuse(
          category.node.line, place,
          "there are \(elements.count) actions; a category has at most \(Self.mostButtons)")
      }
      var named: [ExactText] = []
      for (index, element) in elements.enumerated() {
        let place = "\(place)[\(index)]"
        guard case .text(let action) = element.value else {
          refuse(element.line, place, "this is no text with the name of an action")
          continue
        }
        guard defined.contains(ExactText(action)) else {
          refuse(element.line, place, "actions does not define this action")
          continue
        }
        if named.contains(ExactText(action)) {
          refuse(element.line, place, "the category has this action already")
        }
        named.append(ExactText(action))
        buttons.append(Button(category: category.name, position: index + 1, action: action))
      }
      warnOfEqualTitles(named, category, place)
    }
  }

  private mutating func warnOfEqualTitles(
    _ actions: [ExactText], _ category: JSONReader.Member, _ place: String
  ) {
    for (index, action) in actions.enumerated() {
      for earlier in actions[..<index] where earlier != action {
        let equal = titleOf[action, default: [:]].filter { titleOf[earlier]?[$0.key] == $0.value }
        guard !equal.isEmpty else { continue }
        warn(
          category.line, place,
          "\(earlier.text) and \(action.text) have the same title in "
            + equal.keys.map(\.text).sorted().joined(separator: ", "))
      }
    }
  }

  private mutating func warnOfUnusedActions(_ parts: [JSONReader.Member]) {
    let used = Self.exact(buttons.map(\.action))
    for part in parts where part.name == "actions" {
      guard case .object(let actions) = part.node.value else { continue }
      for action in actions where !used.contains(ExactText(action.name)) {
        warn(action.line, "actions.\(action.name)", "no category has this action")
      }
    }
  }

  // MARK: - Objects

  /// The members of an object; nil when it is none.
  ///
  /// A name that occurs twice, is empty or holds a NUL is refused. Of two members with one name, the first is returned.
  private mutating func members(
    of node: JSONReader.Node, at place: String?
  ) -> [JSONReader.Member]? {
    guard case .object(let members) = node.value else {
      refuse(node.line, place, "this is no object")
      return nil
    }
    var lines: [ExactText: Int] = [:]
    return members.filter { member in
      let memberPlace = (place.map { "\($0)." } ?? "") + member.name
      if member.name.isEmpty { refuse(member.line, place, "a name is empty") }
      if member.name.utf8.contains(0) { refuse(member.line, place, "a name holds a NUL") }
      if let first = lines[ExactText(member.name)] {
        refuse(member.line, memberPlace, "line \(first) has this name already")
        return false
      }
      lines[ExactText(member.name)] = member.line
      return true
    }
  }

  private mutating func refuse(_ line: Int, _ place: String?, _ reason: String) {
    problems.append(Finding(line: line, place: place, reason: reason))
  }

  private mutating func warn(_ line: Int, _ place: String?, _ reason: String) {
    warnings.append(Finding(line: line, place: place, reason: reason))
  }
}
