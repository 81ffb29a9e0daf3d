/// The name of an object in a storage, or the beginning of the names of many: `s3://BUCKET/KEY`, or
/// `rclone:REMOTE:PATH` for a remote of rclone's own configuration.
///
/// The key is written as it is, without percent-encoding.
struct StorageName: Sendable {
  /// Everything before the key; the root of a remote, where a path names it, too.
  let head: String
  /// What rclone calls the place of the keys.
  let root: String
  let key: String

  /// The remote of `s3://`, which variables of the environment describe.
  static let s3Remote = "gamebase_ingest_s3"

  /// True for the name of an object, also for a malformed one.
  static func isMeant(by text: String) -> Bool {
    text.hasPrefix("s3://") || text.hasPrefix("rclone:")
  }

  var text: String { head + key }
  /// The name in the form of rclone.
  var source: String { root + key }
  var isS3: Bool { head.hasPrefix("s3:") }

  /// The place of its objects, for a message.
  var place: String {
    isS3
      ? "the bucket \(root.dropFirst(Self.s3Remote.count + 1).dropLast())"
      : "the remote \(root.prefix { $0 != ":" })"
  }

  /// True for a path that rclone takes as it is: others, such as `a//b`, it resolves to those of other objects.
  static func isPlain(_ path: String) -> Bool {
    var parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    return parts.allSatisfy { part in
      !part.isEmpty && part.contains { $0 != UInt8(ascii: ".") } || part.count > 2
    }
  }
}

extension StorageName {
  /// - Returns: nil unless it begins with a scheme and the name of a bucket or a remote. A remote that is described
  ///   in its place, as in `:s3,secret=…:`, is none: the description can hold a password.
  init?(_ text: String) {
    let bucket = #/s3://((?!\.)[A-Za-z0-9._\-[^\x00-\x7F]]{3,255})(?:/|$)/#
    let remote = #/rclone:([A-Za-z0-9_[^\x00-\x7F]][A-Za-z0-9_\-+.@ [^\x00-\x7F]]*:/?)/#
    if let name = text.prefixMatch(of: bucket.matchingSemantics(.unicodeScalar))?.output.1 {
      (head, root) = ("s3://\(name)/", "\(Self.s3Remote):\(name)/")
    } else if let name = text.prefixMatch(of: remote.matchingSemantics(.unicodeScalar))?.output.1 {
      (head, root) = ("rclone:\(name)", String(name))
    } else {
      return nil
    }
    key = String(Substring(text.utf8.dropFirst(head.utf8.count)))
  }
}
