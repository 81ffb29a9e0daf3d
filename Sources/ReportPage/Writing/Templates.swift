internal import Foundation
internal import Mustache

/// The templates of the page, which are part of the program.
enum Templates {
  /// The style sheet of the page.
  static var style: String { String(decoding: PackageResources.page_css, as: UTF8.self) }

  private static var sources: [(name: String, bytes: [UInt8])] {
    [
      ("page", PackageResources.page_mustache),
      ("banner", PackageResources.banner_mustache),
      ("revenue", PackageResources.revenue_mustache),
      ("cohorts", PackageResources.cohorts_mustache),
      ("levels", PackageResources.levels_mustache),
      ("subscriptions", PackageResources.subscriptions_mustache),
      ("loads", PackageResources.loads_mustache),
      ("plot", PackageResources.plot_mustache),
      ("key", PackageResources.key_mustache),
      ("heat", PackageResources.heat_mustache),
      ("list", PackageResources.list_mustache),
      ("table", PackageResources.table_mustache),
    ]
  }

  static func library() throws -> MustacheLibrary {
    MustacheContentTypes.register(PageContent(), named: PageContent.name)
    var library = MustacheLibrary()
    for (name, bytes) in sources {
      // A partial does not inherit the content type, so each template names it.
      let text = "{{% CONTENT_TYPE:\(PageContent.name)}}\n" + String(decoding: bytes, as: UTF8.self)
      try library.register(text, named: name)
    }
    return library
  }
}

/// HTML whose special characters are escaped one by one.
///
/// The library's own escaping goes by `Character`, so a quote with a combining mark behind it is
/// another character and would stay: it would end an attribute.
private struct PageContent: MustacheContentType {
  static let name = "PAGE"

  func escapeText(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "'": result.append(contentsOf: "&#39;".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
