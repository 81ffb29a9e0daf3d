internal import ObjectStorage

/// A search of a storage for the objects behind an address.
struct ObjectSearch {
  /// True for the names of data files.
  let isData: (String) -> Bool

  enum Finding {
    /// - Parameter isNamed: true when the address is that of the object.
    case object(StoredObject, isNamed: Bool)
    case failed(FailedInput)
  }

  /// The objects whose keys begin as the address says, or match it as a pattern, in byte order.
  ///
  /// An object of exactly that key comes alone. No object is the same as an empty folder, unless the
  /// address ends with the name of a data file, or is a pattern.
  func findings(at address: S3Address) -> [Finding] {
    func failed(_ kind: FailedInput.Kind, _ reason: String) -> [Finding] {
      [.failed(FailedInput(path: address.text, kind: kind, reason: reason))]
    }
    do throws(StorageError) {
      let client = try S3Client.shared.get()
      let listed = try client.list(address)
      let all = Listing(listed: listed, bucket: address.bucket, client: client)
      // A key that ends with a slash marks a folder, for programs that show some.
      if !address.key.hasSuffix("/"),
        let named = listed.first(where: { $0.key.utf8.elementsEqual(address.key.utf8) })
      {
        return [all.finding(named, isNamed: true)]
      }
      if !listed.isEmpty {
        // A name that the address begins is not hidden, whatever it begins with.
        let named = address.key.isEmpty || address.key.hasSuffix("/") ? 0 : 1
        let depth = Self.depth(address.key) + named
        return all.findings { !Self.isHidden($0.key, from: depth) && isData($0.key) }
      }
      let start = address.key.prefix { !"*?[".contains($0) }
      guard start.utf8.count < address.key.utf8.count else {
        return isData(address.key)
          ? failed(.missing, "does not exist; list the bucket, and load the right key") : []
      }
      let matches = try matches(of: address, below: String(start), client: client)
      return matches.isEmpty ? failed(.missing, "is a pattern that no object matches") : matches
    } catch {
      let kind: FailedInput.Kind =
        switch error.kind {
        case .unreachable: .storageUnavailable
        case .unusable: .storageUnusable
        case .missing, .missingBucket, .denied, .changed: .unreadableFolder
        }
      return failed(kind, error.message)
    }
  }

  /// The objects that a pattern selects: those that it matches, and the data files below a match.
  private func matches(
    of pattern: S3Address, below start: String, client: S3Client
  ) throws(StorageError) -> [Finding] {
    let listed = try client.list(S3Address(bucket: pattern.bucket, key: start))
    let selection = PathPattern(canonical: pattern.text)
    let depth = Self.depth(pattern.key)
    return Listing(listed: listed, bucket: pattern.bucket, client: client).findings { object in
      selection.matches(S3Address(bucket: pattern.bucket, key: object.key).text)
        && (Self.depth(object.key) == depth
          || (!Self.isHidden(object.key, from: depth + 1) && isData(object.key)))
    }
  }

  private static func depth(_ key: String) -> Int { key.utf8.count { $0 == UInt8(ascii: "/") } }

  /// True when the name of the object or of a folder of it begins with a dot, as writers name files
  /// that are not complete.
  ///
  /// - Parameter depth: the slashes before the first name to judge.
  private static func isHidden(_ key: String, from depth: Int) -> Bool {
    key.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropFirst(depth).contains { $0.first == UInt8(ascii: ".") }
  }

  private struct Listing {
    let listed: [ListedObject]
    let bucket: String
    let client: S3Client

    func findings(where isSelected: (ListedObject) -> Bool) -> [Finding] {
      listed.filter(isSelected).map { finding($0, isNamed: false) }
    }

    func finding(_ object: ListedObject, isNamed: Bool) -> Finding {
      .object(StoredObject(object, bucket: bucket, client: client), isNamed: isNamed)
    }
  }
}
