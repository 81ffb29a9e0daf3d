internal import Foundation
internal import Loading
internal import Synchronization

/// The form of the messages on standard error: for people, or one JSON object a line for log
/// collectors.
struct LogStyle: Sendable {
  enum Format: String, CaseIterable, Sendable { case text, json }

  /// The weight of a message; a level contains those before it.
  enum Level: String, CaseIterable, Comparable, Sendable {
    case error, warning, info

    static func < (left: Self, right: Self) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
  }

  var format = Format.text
  var level = Level.info

  private static let used = Mutex(LogStyle())

  /// The style of this process.
  static var current: LogStyle {
    get { used.withLock(\.self) }
    set { used.withLock { $0 = newValue } }
  }

  /// The line of a message; nil: its level is left out.
  ///
  /// - Parameters:
  ///   - message: without the program's name.
  ///   - text: the line of the text format.
  func line(_ message: String, _ level: Level, text: String) -> String? {
    guard level <= self.level else { return nil }
    guard format == .json else { return text }
    let event = Event(
      time: Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
      level: level.rawValue, message: message)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A structure of texts can always be encoded.
    return (try? encoder.encode(event)).map { printableJSON(String(decoding: $0, as: UTF8.self)) }
      ?? text
  }

  private struct Event: Encodable {
    /// RFC 3339 in UTC, by the clock of this machine.
    let time: String
    let level: String
    let message: String
  }
}
