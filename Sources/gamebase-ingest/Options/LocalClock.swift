internal import Foundation

/// Now, by this machine's clock: what stands for the start of the run where there is no server.
func currentMilliseconds() -> Int64 {
  Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
}
