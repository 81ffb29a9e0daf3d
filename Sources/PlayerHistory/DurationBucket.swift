/// The bucket of a duration, for percentiles that need no sorting.
///
/// A duration in whole seconds falls into the bucket of all durations with the same seven highest
/// bits; below 128 s each second is a bucket of its own. So a bucket is at most 1/64 of its
/// durations wide, and its middle at most 0.8 % off. Buckets are counted, so any order of work
/// gives the same percentiles.
package enum DurationBucket {
  /// The number of the bucket of `seconds`, which is not negative; longer durations have larger
  /// numbers, without gaps.
  package static func number(of seconds: Int64) -> Int32 {
    let lowBits = max(0, 63 - seconds.leadingZeroBitCount - 6)
    return Int32(truncatingIfNeeded: Int64(64 * lowBits) + seconds >> lowBits)
  }
}
