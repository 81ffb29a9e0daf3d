internal import Foundation
internal import Synchronization

/// A client of an S3-compatible storage: lists and reads objects.
///
/// libcurl signs the requests. Connections and credentials are kept for all threads.
package final class S3Client: Sendable {
  private let settings: StorageSettings
  private let environment: [String: String]
  private let state = Mutex(State())

  private struct State {
    var role: (credentials: Credentials, region: String?)?
    var idle: [HTTPTransfer] = []
    /// True from the failure of all tries to the next answer.
    var isAway = false
  }

  /// The consecutive tries of a request that brings nothing.
  private static let tries = 5
  private static let largestAnswer = 16 * 1024 * 1024

  /// The client of this process, by its environment; made when it is first needed.
  package static let shared = Result { () throws(StorageError) -> S3Client in
    try S3Client(environment: ProcessInfo.processInfo.environment)
  }

  /// - Throws: `StorageError` when a setting cannot be used.
  init(environment: [String: String]) throws(StorageError) {
    self.environment = environment
    settings = try StorageSettings(environment: environment) { path in
      FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// The objects whose keys begin with that of an address, in byte order of the keys.
  package func list(_ address: S3Address) throws(StorageError) -> [ListedObject] {
    var objects: [ListedObject] = []
    var token: String?
    repeat {
      var parameters = ["list-type": "2", "prefix": address.key]
      parameters["continuation-token"] = token
      let page = try ListingPage(answer(parameters, bucket: address.bucket))
      objects += page.objects
      guard page.nextToken == nil || page.nextToken != token else {
        throw StorageError(
          .unusable,
          "cannot be listed: the storage repeats a page; look at the storage, and run again")
      }
      token = page.nextToken
    } while token != nil
    return objects.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  /// The answer to a request for a listing, which is repeated when it breaks off.
  private func answer(
    _ parameters: [String: String], bucket: String
  ) throws(StorageError) -> [UInt8] {
    var attempt = 1
    while true {
      do {
        let transfer = try self.transfer()
        let region = try send(
          S3Address(bucket: bucket, key: ""), query: sortedQuery(parameters), over: transfer)
        let bytes = try transfer.rest(limit: Self.largestAnswer)
        if transfer.status == 200 {
          keep(transfer)
          return bytes
        }
        try refuse(transfer, answer: bytes, region: region)
      } catch let error as StorageError {
        throw error
      } catch let error as HTTPTransfer.Broken {
        try pause(after: attempt, because: error)
        attempt += 1
      } catch {
        throw StorageError(.unreachable, "cannot be listed: \(error); run again")
      }
    }
  }

  // MARK: - Requests

  /// Sends a signed request.
  ///
  /// - Returns: the region of the signature.
  func send(
    _ address: S3Address, query: String = "", headers: [(name: String, value: String)] = [],
    over transfer: HTTPTransfer
  ) throws -> String {
    let (credentials, region) = try credentials()
    var request = HTTPRequest(url: url(of: address, region: region, query: query))
    // The digest of an empty body, which the signature names.
    request.headers =
      headers + [
        ("x-amz-content-sha256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
      ]
    if let token = credentials.sessionToken {
      request.headers.append(("x-amz-security-token", token))
    }
    request.signature = .init(
      region: region, keyID: credentials.keyID, secret: credentials.secret)
    try transfer.send(request)
    state.withLock { $0.isAway = false }
    return region
  }

  /// - Throws: `StorageError` for a refusal, `HTTPTransfer.Broken` when a repetition can help.
  func refuse(_ transfer: HTTPTransfer, answer: [UInt8], region: String) throws {
    let code = refusalCode(answer)
    let status = transfer.status
    if StorageError.isTemporary(status: status, code: code) {
      throw HTTPTransfer.Broken(
        reason: "the storage answered \(status)" + (code.map { " \($0)" } ?? ""))
    }
    throw StorageError(
      status: status, code: code, bucketRegion: transfer.header("x-amz-bucket-region"),
      region: region)
  }

  /// Waits before the next try; 3 s in all.
  ///
  /// - Throws: `StorageError` after the last try, and at once for a permanent cause; if the storage is
  ///   known to be away, after the first one, because many objects may follow.
  func pause(after attempt: Int, because error: HTTPTransfer.Broken) throws(StorageError) {
    if error.isPermanent {
      throw StorageError(
        .unusable,
        "cannot be read: \(error.reason); check AWS_ENDPOINT_URL_S3 and AWS_CA_BUNDLE")
    }
    let isAway = state.withLock { $0.isAway }
    guard attempt < Self.tries, !isAway else {
      state.withLock { $0.isAway = true }
      throw StorageError(
        .unreachable,
        "cannot be read: \(error.reason) (\(isAway ? "1 try" : "\(Self.tries) tries")); check the network, "
          + "AWS_ENDPOINT_URL_S3 and AWS_CA_BUNDLE, and run again")
    }
    usleep(UInt32(200_000 << (attempt - 1)))
  }

  /// AWS names the bucket in the host, for which the certificate has no name with a dot; other
  /// storages name it in the path.
  private func url(of address: S3Address, region: String, query: String) -> String {
    let root: String
    if let endpoint = settings.endpoint {
      root = "\(endpoint)/\(address.bucket)"
    } else {
      let domain = "s3.\(region).amazonaws.com\(region.hasPrefix("cn-") ? ".cn" : "")"
      root =
        address.bucket.contains(".")
        ? "https://\(domain)/\(address.bucket)" : "https://\(address.bucket).\(domain)"
    }
    return "\(root)/\(percentEncoded(address.key, keepingSlash: true))"
      + (query.isEmpty ? "" : "?\(query)")
  }

  private func credentials() throws(StorageError) -> (Credentials, region: String) {
    let standard = "us-east-1"
    if let credentials = settings.credentials {
      return (credentials, settings.region ?? standard)
    }
    // Credentials of a role are renewed five minutes before they expire.
    let now = Date().timeIntervalSince1970
    if let role = state.withLock({ $0.role }), (role.credentials.expiry ?? 0) > now + 300 {
      return (role.credentials, settings.region ?? role.region ?? standard)
    }
    let role = try InstanceRole(environment: environment).credentials()
    state.withLock { $0.role = (role.0, role.region) }
    return (role.0, settings.region ?? role.region ?? standard)
  }

  // MARK: - Connections

  func transfer() throws(HTTPTransfer.Broken) -> HTTPTransfer {
    if let kept = state.withLock({ $0.idle.popLast() }) { return kept }
    return try HTTPTransfer()
  }

  /// Keeps the connections of a transfer for another request.
  func keep(_ transfer: HTTPTransfer) { state.withLock { $0.idle.append(transfer) } }
}
