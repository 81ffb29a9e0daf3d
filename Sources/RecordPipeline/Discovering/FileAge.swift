internal import Glibc

extension FoundInputs {
  /// Moves the files that were written a short time ago from `inputs` to `postponed`.
  ///
  /// A file that cannot be inspected stays, and fails when it is read. A pipe has no age.
  ///
  /// - Parameters:
  ///   - seconds: the age that a file needs.
  ///   - now: seconds since 1970-01-01 UTC, by this machine's clock.
  package mutating func postpone(youngerThan seconds: Int, now: Int) {
    var kept: [Input] = []
    /// For each number of inputs, how many of them stay; `failures` count the inputs before them.
    var remaining = [0]
    for input in inputs {
      if let age = age(of: input, now: now), age < seconds {
        let written = age < 0 ? "in \(-age) s by its clock" : "\(age) s ago"
        postponed.append(
          SkippedInput(
            path: input.path, reason: "was written \(written), and --min-age is \(seconds) s"))
      } else {
        kept.append(input)
      }
      remaining.append(kept.count)
    }
    for index in failures.indices { failures[index].place = remaining[failures[index].place] }
    inputs = kept
  }

  /// Seconds since the last change of a regular file; nil for any other input.
  private func age(of input: Input, now: Int) -> Int? {
    var status = stat()
    guard input.path != InputFile.standardInputPath, stat(input.path, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return now - status.st_mtim.tv_sec
  }
}
