/// A duration for a person: `4.2 s`, or `3 min 20 s` from 100 seconds on.
func elapsedText(_ seconds: Double) -> String {
  let tenths = Int((seconds * 10).rounded())
  return seconds < 100
    ? "\(tenths / 10).\(tenths % 10) s" : "\(tenths / 600) min \(tenths / 10 % 60) s"
}
