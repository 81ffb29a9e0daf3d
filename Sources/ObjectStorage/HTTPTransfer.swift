internal import CCurl
internal import Glibc

/// A request that is read by `HTTPTransfer`.
struct HTTPRequest {
  var url: String
  var method = "GET"
  var headers: [(name: String, value: String)] = []
  /// nil: the request is not signed.
  var signature: Signature?
  /// Seconds to wait for a connection.
  var connectSeconds = 10

  struct Signature {
    let region: String
    let keyID: String
    let secret: String
  }
}

/// One HTTP request after another, over connections that are kept, each read piece by piece.
///
/// The reader pulls: bytes that it does not take stay in the socket, so a slow reader needs no more
/// memory. One thread at a time uses a transfer.
final class HTTPTransfer: @unchecked Sendable {
  /// The answer did not come, or broke off.
  struct Broken: Error {
    let reason: String
    /// True when a repetition would end in the same way.
    var isPermanent = false
  }

  private let multi: UnsafeMutableRawPointer
  private let easy: UnsafeMutableRawPointer
  private let buffer: UnsafeMutableRawBufferPointer
  /// The unread bytes are `start..<end`.
  private var start = 0
  private var end = 0
  /// True when libcurl holds bytes for which the buffer has no room.
  private var isPaused = false
  /// True once the bytes at the start of the answer have left the buffer.
  private var hasDiscarded = false
  private var isAttached = false
  /// The result of libcurl once the request has ended.
  private var result: CURLcode?
  private var headers: UnsafeMutablePointer<curl_slist>?

  private static let bufferSize = 512 * 1024
  /// Seconds without a byte after which an answer counts as broken.
  private static let stallSeconds = 30.0
  /// A certificate that nobody trusts, or a file of authorities that cannot be read.
  private static let certificateErrors: Set = [
    CURLE_PEER_FAILED_VERIFICATION.rawValue, CURLE_SSL_CACERT_BADFILE.rawValue,
  ]
  /// The set-up of libcurl, once for the process.
  private static let library: Void = {
    // With the signal ignored, a write to a connection that the storage has closed fails.
    signal(SIGPIPE, SIG_IGN)
    gbi_curl_start()
  }()

  init() throws(Broken) {
    _ = Self.library
    guard let multi = curl_multi_init(), let easy = curl_easy_init() else {
      throw Broken(reason: "out of memory")
    }
    self.multi = UnsafeMutableRawPointer(multi)
    self.easy = UnsafeMutableRawPointer(easy)
    buffer = .allocate(byteCount: Self.bufferSize, alignment: 64)
  }

  deinit {
    stop()
    curl_easy_cleanup(easy)
    curl_multi_cleanup(multi)
    curl_slist_free_all(headers)
    buffer.deallocate()
  }

  /// Sends a request, and waits for the first bytes of its answer or for its end.
  func send(_ request: HTTPRequest) throws(Broken) {
    stop()
    curl_easy_reset(easy)
    (start, end, isPaused, hasDiscarded, result) = (0, 0, false, false, nil)
    curl_slist_free_all(headers)
    headers = nil
    for header in request.headers {
      headers = curl_slist_append(headers, "\(header.name): \(header.value)")
    }
    // No redirect is followed, and no other protocol is spoken, so the signature goes nowhere else.
    let isPlain = request.url.hasPrefix("http:")
    gbi_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, isPlain ? "http" : "https")
    gbi_curl_set_text(easy, CURLOPT_URL, request.url)
    gbi_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method)
    gbi_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headers)
    gbi_curl_set_number(easy, CURLOPT_PATH_AS_IS, 1)
    gbi_curl_set_number(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    gbi_curl_set_number(easy, CURLOPT_NOSIGNAL, 1)
    gbi_curl_set_number(easy, CURLOPT_CONNECTTIMEOUT, request.connectSeconds)
    gbi_curl_set_number(easy, CURLOPT_BUFFERSIZE, 128 * 1024)
    // A plain request stays on this machine or its host, so no proxy sees it.
    if isPlain { gbi_curl_set_text(easy, CURLOPT_NOPROXY, "*") }
    if let bundle = environmentValue("AWS_CA_BUNDLE") {
      gbi_curl_set_text(easy, CURLOPT_CAINFO, bundle)
    }
    if let signature = request.signature {
      gbi_curl_set_text(easy, CURLOPT_AWS_SIGV4, "aws:amz:\(signature.region):s3")
      gbi_curl_set_text(easy, CURLOPT_USERNAME, signature.keyID)
      gbi_curl_set_text(easy, CURLOPT_PASSWORD, signature.secret)
    }
    gbi_curl_set_writer(
      easy,
      { bytes, size, count, target in
        guard let bytes, let target else { return 0 }
        return Unmanaged<HTTPTransfer>.fromOpaque(target).takeUnretainedValue()
          .take(UnsafeRawBufferPointer(start: bytes, count: size * count))
      }, Unmanaged.passUnretained(self).toOpaque())
    curl_multi_add_handle(multi, easy)
    isAttached = true
    try fill()
  }

  /// The status of the answer, such as 200; 0 before it came.
  var status: Int { gbi_curl_status(easy) }

  /// The value of a header of the answer; nil when it has none.
  func header(_ name: String) -> String? {
    var found: UnsafeMutablePointer<curl_header>?
    guard curl_easy_header(easy, name, 0, UInt32(CURLH_HEADER), -1, &found) == CURLHE_OK else {
      return nil
    }
    return found?.pointee.value.map { String(cString: $0) }
  }

  /// Reads bytes of the answer; 0 at its end.
  func read(into target: UnsafeMutableRawBufferPointer) throws(Broken) -> Int {
    if start == end { try fill() }
    let count = min(target.count, end - start)
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<start + count]))
    start += count
    return count
  }

  /// The bytes to the end of the answer.
  ///
  /// - Throws: `Broken` also when there are more than the limit.
  func rest(limit: Int) throws(Broken) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      if start == end { try fill() }
      if start == end { return bytes }
      bytes += buffer[start..<end]
      start = end
      guard bytes.count <= limit else {
        throw Broken(reason: "the answer is too long", isPermanent: true)
      }
    }
  }

  /// Returns to the start of the answer.
  ///
  /// - Returns: false when its first bytes are no longer in memory.
  func rewind() -> Bool {
    guard !hasDiscarded else { return false }
    start = 0
    return true
  }

  /// Ends a request whose answer is not read to its end.
  private func stop() {
    guard isAttached else { return }
    curl_multi_remove_handle(multi, easy)
    isAttached = false
  }

  /// Takes bytes from libcurl, or tells it to wait.
  private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard buffer.count - end >= bytes.count else {
      isPaused = true
      return gbi_curl_pause
    }
    UnsafeMutableRawBufferPointer(rebasing: buffer[end...]).copyMemory(from: bytes)
    end += bytes.count
    return bytes.count
  }

  /// Waits until there are unread bytes, or the answer has ended.
  private func fill() throws(Broken) {
    let begin = ContinuousClock.now
    while start == end {
      if isPaused {
        (start, end, isPaused, hasDiscarded) = (0, 0, false, true)
        curl_easy_pause(easy, CURLPAUSE_CONT)
        continue
      }
      if let result {
        guard result == CURLE_OK else {
          throw Broken(
            reason: String(cString: curl_easy_strerror(result)),
            isPermanent: Self.certificateErrors.contains(result.rawValue))
        }
        return
      }
      var running: Int32 = 0
      guard curl_multi_perform(multi, &running) == CURLM_OK else {
        throw Broken(reason: "the HTTP client has failed")
      }
      noteResult()
      if start != end || result != nil || isPaused { continue }
      guard begin.duration(to: .now) < .seconds(Self.stallSeconds) else {
        throw Broken(reason: "no data came for \(Int(Self.stallSeconds)) s")
      }
      curl_multi_poll(multi, nil, 0, 200, nil)
    }
  }

  private func noteResult() {
    let code = gbi_curl_result(multi)
    if code >= 0 { result = CURLcode(rawValue: UInt32(code)) }
  }
}
