/// The counts of a file's refused lines by code, and the first few of these lines, for a diagnosis in bounded
/// memory.
package struct RejectSample: Sendable {
  package private(set) var countsByCode: [RejectCode: Int] = [:]
  /// The first refused line; nil when no line was refused.
  private(set) var first: RejectedLine?
  /// The first lines that are complete, masked like rejects, so that they load like the lines.
  private(set) var lines: [[UInt8]] = []
  /// The rejections of the first lines, complete or not.
  private(set) var rejections: [Rejection] = []

  /// A few lines suffice to recognize the kind of a file; each has at most 64 KiB.
  static let size = 16

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
