/// The reason why an object or a listing cannot be read.
package struct StorageError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable {
    /// The object does not exist.
    case missing
    /// The bucket does not exist.
    case missingBucket
    /// The credentials are missing, wrong, or lack a right, or the settings cannot be used.
    case denied
    /// The object is another one than at its listing.
    case changed
    /// The storage does not answer, asks to come back later, or its answers break off; a later run can succeed.
    case unreachable
    /// The certificate or the answers of the storage are not those of one; every run would fail.
    case unusable
  }

  package let kind: Kind
  /// The rest of a message that begins with the object's address; it holds no credential.
  package let message: String

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  package var description: String { message }
}

extension StorageError {
  /// True for an answer to which the same request can succeed later, such as 503 `SlowDown`.
  static func isTemporary(status: Int, code: String?) -> Bool {
    // 501: the storage does not have the request, now or later.
    [408, 429].contains(status) || ((500...599).contains(status) && status != 501)
      || code == "RequestTimeout"
  }

  /// The error for a refusal of the storage.
  ///
  /// The text of the refusal is not used, because it can hold the access key.
  ///
  /// - Parameters:
  ///   - code: the refusal's code, such as `AccessDenied`; nil: the answer has none.
  ///   - bucketRegion: the region that the answer names; nil: none.
  init(status: Int, code: String?, bucketRegion: String?, region: String) {
    let answer = "the storage answered \(status)" + (code.map { " \($0)" } ?? "")
    switch (status, code) {
    case (_, "PermanentRedirect"), (_, "AuthorizationHeaderMalformed"),
      (_, "IllegalLocationConstraintException"), (301, _), (307, _):
      let cure =
        bucketRegion.map { "set AWS_REGION=\($0)" } ?? "set AWS_REGION to the bucket's region"
      self.init(
        .denied,
        "is not in the region \(region): \(answer); \(cure), or AWS_ENDPOINT_URL_S3 to its endpoint"
      )
    case (_, "NoSuchBucket"):
      self.init(
        .missingBucket,
        "names a bucket that does not exist (\(answer)); check its name, and AWS_ENDPOINT_URL_S3")
    case (412, _):
      self.init(
        .changed,
        "changed since it was listed (\(answer)); load it again when its writer has finished")
    case (404, _):
      self.init(.missing, "does not exist (\(answer)); list the bucket, and load the right key")
    case (_, "InvalidAccessKeyId"), (_, "SignatureDoesNotMatch"), (_, "InvalidToken"), (401, _):
      self.init(
        .denied,
        "may not be read: \(answer); correct the credentials (AWS_ACCESS_KEY_ID and "
          + "AWS_SECRET_ACCESS_KEY, or the profile)")
    case (_, "ExpiredToken"):
      self.init(.denied, "may not be read: \(answer); get new credentials, and run again")
    case (_, "RequestTimeTooSkewed"):
      self.init(.denied, "may not be read: \(answer); set this machine's clock")
    case (_, "InvalidObjectState"):
      self.init(.denied, "is archived (\(answer)); restore it from the archive, and run again")
    case (403, _):
      self.init(
        .denied,
        "may not be read: \(answer); grant s3:ListBucket and s3:GetObject to the credentials")
    default:
      self.init(.unusable, "cannot be read: \(answer); look at the storage, and run again")
    }
  }
}
