/// The result of a replay.
package struct ReplayReport: Sendable {
  package struct File: Sendable {
    package let path: String
    package let stream: String
    package var inserted = 0
    package var filled = 0
    package var duplicates = 0
    package var conflicts = 0
    /// The outcomes of the records within its lines; nil when the stream embeds no other one.
    var embedded: OutcomeCounts?
    /// Lines of users who were erased after the load; their stored text is emptied.
    package var suppressed = 0
    /// Lines that the rules still refuse.
    package var refused = 0
    /// Lines that are stored only in part and cannot be replayed.
    package var cut = 0

    package var resolved: Int { inserted + filled + duplicates + conflicts + suppressed }
  }

  package internal(set) var files: [File] = []
  /// The refresh after the replay; nil: nothing was loaded, or the run was a dry one.
  package internal(set) var refresh: Result<Refreshed, LoadError>?

  /// The code of a failed refresh; else 3 when a line is still refused, is cut, or contradicts a
  /// stored row; else 0.
  package var exitCode: ExitCode {
    let hasFindings = files.contains {
      $0.refused + $0.cut + $0.conflicts + ($0.embedded?.conflicts ?? 0) > 0
    }
    let code = hasFindings ? ExitCode.loadedWithFindings : .success
    guard case .failure(let error) = refresh else { return code }
    return code.joined(with: error.exitCode)
  }
}
