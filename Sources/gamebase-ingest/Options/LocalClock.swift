internal import Foundation

/// The current time by this machine's clock, in milliseconds since 1970-01-01 UTC.
///
/// Commands that read lines without a load use it as the start of the run.
func currentMilliseconds() -> Int64 {
  Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
}
