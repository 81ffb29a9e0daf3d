internal import Loading

/// How texts of the database are shown.
///
/// Control characters and marks that change the reading direction become visible as `\u{…}`; the
/// templates escape what HTML gives a meaning.
enum ForeignText {
  static func shown(_ text: String) -> String { printable(text) }

  /// A text, or a word for NULL.
  static func shown(_ text: String?, else word: String) -> String { text.map { shown($0) } ?? word }

  /// The name of an application.
  static func application(_ appID: String?) -> String {
    switch appID {
    case nil: "no application"
    case "": "unknown application"
    case .some(let appID): shown(appID)
    }
  }

  /// The last component of a path.
  static func fileName(_ path: String) -> String {
    shown(path.split(separator: "/").last.map { String($0) } ?? path)
  }
}
