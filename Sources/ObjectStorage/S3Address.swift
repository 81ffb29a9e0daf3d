/// The address of an object, or the beginning of the addresses of many: `s3://BUCKET/KEY`.
///
/// The key is written as it is, without percent-encoding.
package struct S3Address: Sendable, Equatable {
  package static let scheme = "s3://"

  package let bucket: String
  package let key: String

  package init(bucket: String, key: String) {
    self.bucket = bucket
    self.key = key
  }

  /// - Parameter text: begins with the scheme.
  /// - Returns: nil when the name of the bucket is none; it becomes a part of a host's name.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.scheme) else { return nil }
    let rest = text.utf8.dropFirst(Self.scheme.utf8.count)
    let name = rest.prefix { $0 != UInt8(ascii: "/") }
    let isName = name.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isName, (3...255).contains(name.count), name.first != UInt8(ascii: ".") else {
      return nil
    }
    self.init(
      bucket: String(Substring(name)), key: String(Substring(rest.dropFirst(name.count + 1))))
  }

  package var text: String { "\(Self.scheme)\(bucket)/\(key)" }
}

/// Percent-encodes all bytes but the unreserved characters, as signatures demand it.
///
/// - Parameter slash: true to keep slashes, in a path.
/// - Source: RFC 3986, 2.3; AWS Signature Version 4, canonical requests.
func percentEncoded(_ text: String, keepingSlash slash: Bool = false) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var bytes: [UInt8] = []
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      bytes.append(byte)
    case UInt8(ascii: "/") where slash: bytes.append(byte)
    default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// A query in the order that the signature demands: by the bytes of the encoded names.
///
/// libcurl signs the parameters in the order of the URL, and only its later versions sort them.
func sortedQuery(_ parameters: [String: String]) -> String {
  parameters.map { (percentEncoded($0.key), percentEncoded($0.value)) }
    .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    .map { "\($0.0)=\($0.1)" }
    .joined(separator: "&")
}
