internal import Glibc

/// A pattern of paths as the shell has them, for paths that need not exist.
package struct PathPattern: Sendable {
  private let canonical: String

  /// - Parameter pattern: as given; relative to the current folder unless it begins with a slash.
  package init(_ pattern: String) { canonical = canonicalPath(pattern) }

  /// - Parameter canonical: with the real path of the folder before its first wildcard.
  package init(canonical: String) { self.canonical = canonical }

  /// True when the pattern selects a file, or a folder above it.
  ///
  /// - Parameter path: canonical.
  package func matches(_ path: String) -> Bool {
    // FNM_LEADING_DIR, which the headers of glibc hide from Swift.
    let leadingFolder: Int32 = 1 << 3
    return fnmatch(canonical, path, FNM_PATHNAME | FNM_PERIOD | leadingFolder) == 0
  }
}
