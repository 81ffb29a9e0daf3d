/// The bucket of a duration, for percentiles that need no sorting.
///
/// A duration in whole seconds falls into the bucket of all durations with the same seven highest
/// bits; below 128 s each second is a bucket of its own. So a bucket is at most 1/64 of its
/// durations wide, and its middle at most 0.8 % off. Buckets are counted, so any order of work
/// gives the same percentiles.
package enum DurationBucket {
  /// The shortest duration of the bucket of `seconds`, which is not negative.
  package static func lowest(of seconds: Int64) -> Int64 {
    guard seconds >= 128 else { return seconds }
    let lowBits = 63 - seconds.leadingZeroBitCount - 6
    return (seconds >> lowBits) << lowBits
  }

  /// The shortest duration of the next bucket.
  package static func next(after lowest: Int64) -> Int64 {
    guard lowest >= 128 else { return lowest + 1 }
    return lowest + 1 << (63 - lowest.leadingZeroBitCount - 6)
  }
}
