/// A sample of a file's refused lines for a diagnosis: their counts by code, and the first few of
/// them.
///
/// Its memory is bounded.
package struct RejectSample: Sendable {
  package private(set) var countsByCode: [RejectCode: Int] = [:]
  /// The first refused line; nil when no line was refused.
  private(set) var first: RejectedLine?
  /// The complete lines among the first refused ones, masked like rejects.
  ///
  /// A masked line loads like its original.
  private(set) var lines: [[UInt8]] = []
  /// The rejections of the first refused lines, complete or not.
  private(set) var rejections: [Rejection] = []

  /// The number of sampled lines.
  ///
  /// A few suffice for a diagnosis, and each takes up to 64 KiB.
  static let size = 16

  /// True when the file ends in the middle of a line.
  package var looksTruncated: Bool { countsByCode[.truncatedLine] != nil }

  package init() {}

  package mutating func note(_ rejects: [RejectedLine]) {
    for reject in rejects {
      countsByCode[reject.rejection.code, default: 0] += 1
      guard rejections.count < Self.size else { continue }
      if first == nil { first = reject }
      rejections.append(reject.rejection)
      if reject.rejection.code != .lineTooLong, reject.raw.count < Limits.rejectedLineBytes {
        lines.append(reject.raw)
      }
    }
  }
}
