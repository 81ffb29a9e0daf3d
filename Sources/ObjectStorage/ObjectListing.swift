/// An object of a listing.
package struct ListedObject: Sendable, Equatable {
  package let key: String
  package let size: Int
  /// The version of the object's bytes, in quotes as the storage writes it.
  package let eTag: String
  /// The time of the last change, as RFC 3339 has it.
  package let lastModified: String
}

/// One page of a listing.
struct ListingPage: Equatable {
  var objects: [ListedObject] = []
  /// The token of the next page; nil: this is the last one.
  var nextToken: String?

  /// Reads the answer to `ListObjectsV2`.
  ///
  /// - Throws: `StorageError` when the answer is none.
  init(_ answer: [UInt8]) throws(StorageError) {
    let elements: Elements
    do {
      elements = try Elements(answer)
    } catch {
      throw Self.unreadable
    }
    guard elements.root == "ListBucketResult" else { throw Self.unreadable }
    for fields in elements.contents {
      guard let key = fields["Key"], let size = fields["Size"].flatMap({ Int($0) }), size >= 0,
        let eTag = fields["ETag"]
      else { throw Self.unreadable }
      objects.append(
        ListedObject(
          key: key, size: size, eTag: eTag, lastModified: fields["LastModified"] ?? ""))
    }
    if elements.fields["IsTruncated"] == "true" {
      guard let token = elements.fields["NextContinuationToken"], !token.isEmpty else {
        throw Self.unreadable
      }
      nextToken = token
    }
  }

  private static let unreadable = StorageError(
    .unusable,
    "cannot be listed: the answer is no listing (ListObjectsV2); check AWS_ENDPOINT_URL_S3")

  /// The leaves of a listing, by their names.
  private struct Elements {
    var root = ""
    var fields: [String: String] = [:]
    var contents: [[String: String]] = []

    init(_ bytes: [UInt8]) throws(XMLElements.Malformed) {
      var events = XMLElements(bytes)
      var path: [String] = []
      var object: [String: String] = [:]
      while let event = try events.next() {
        switch event {
        case .start(let name):
          if path.isEmpty { root = name }
          path.append(name)
        case .end(let name, let text):
          path.removeLast()
          switch (path.count, path.last) {
          case (1, _) where name == "Contents":
            contents.append(object)
            object = [:]
          case (1, _): fields[name] = text
          case (2, "Contents"): object[name] = text
          default: break
          }
        }
      }
    }
  }
}

/// The code of a refusal, such as `NoSuchKey`; nil when the answer has none.
func refusalCode(_ answer: [UInt8]) -> String? {
  var events = XMLElements(answer)
  while let event = try? events.next() {
    guard case .end("Code", let text) = event else { continue }
    let isCode = text.utf8.allSatisfy {
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
    }
    return isCode && (1...64).contains(text.utf8.count) ? text : nil
  }
  return nil
}
