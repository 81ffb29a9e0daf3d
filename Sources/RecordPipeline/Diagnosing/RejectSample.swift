/// The refused lines of a file by code, and the first few of them whole: enough to tell what the file
/// is, in bounded memory.
package struct RejectSample: Sendable {
  package private(set) var countsByCode: [RejectCode: Int] = [:]
  /// The first refused line; nil: no line was refused.
  private(set) var first: RejectedLine?
  /// The first lines that are kept whole, masked as rejects are: they load as the lines do.
  private(set) var lines: [[UInt8]] = []
  /// Of the first lines, whole or not.
  private(set) var rejections: [Rejection] = []

  /// A kind of file shows in a few lines; each is at most 64 KiB.
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
