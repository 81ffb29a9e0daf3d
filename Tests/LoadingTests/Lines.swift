/// JSON lines of every stream: the mandatory fields, changed and added to by name.
///
/// Values are JSON text; nil leaves a field out.
enum Lines {
  /// The function that makes a line, by stream name.
  static let all: [String: @Sendable ([String: String?]) -> String] = [
    "receipt": { receipt($0) }, "level_up": { levelUp($0) }, "game_user": { gameUser($0) },
    "item": { item($0) }, "event": { event($0) },
  ]

  static func receipt(_ changes: [String: String?] = [:]) -> String {
    object(
      [
        "userId": #""u1""#, "paymentSeq": #""p1""#, "purchaseTime": "1751328000000",
        "price": "4.99", "currency": #""USD""#,
      ], changes)
  }

  static func levelUp(_ changes: [String: String?] = [:]) -> String {
    object(
      ["userId": #""u1""#, "userLevel": "5", "levelUpTime": "1751328000000"], changes)
  }

  static func gameUser(_ changes: [String: String?] = [:]) -> String {
    object(["userId": #""u1""#, "userLevel": "5", "eventTime": "1751328000000"], changes)
  }

  static func item(_ changes: [String: String?] = [:]) -> String {
    object(
      [
        "gamebaseProductId": #""gem""#, "price": "4.99", "currency": #""USD""#,
        "eventTime": "1751328000000",
      ], changes)
  }

  /// An event message of an unknown category, which has any data or none.
  static func event(_ changes: [String: String?] = [:]) -> String {
    object(
      [
        "userId": #""u1""#, "eventTime": "1751328000000", "category": #""gameEvent""#,
      ], changes)
  }

  /// A blank line long enough to make a file too large for a shared transaction.
  static let tooLongToShare = String(repeating: " ", count: 70_000)

  private static func object(_ fields: [String: String], _ changes: [String: String?]) -> String {
    var members = fields
    for (name, value) in changes { members[name] = value }
    return "{"
      + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
      .joined(separator: ",") + "}"
  }
}
