internal import Foundation

/// The role of the machine that the program runs on, from the metadata service of its cloud (IMDSv2).
struct InstanceRole {
  private let service: String
  private let transfer: HTTPTransfer

  /// The service's address on every machine of the cloud.
  private static let standardService = "http://169.254.169.254"
  private static let lifetime = "21600"

  /// - Throws: `StorageError` when there is no service to ask.
  init(environment: [String: String]) throws(StorageError) {
    guard environment["AWS_EC2_METADATA_DISABLED"]?.lowercased() != "true" else {
      throw Self.noCredentials("the metadata service is turned off")
    }
    let service = environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? Self.standardService
    let host = URLComponents(string: service)?.host ?? ""
    guard StorageSettings.isLoopback(host) || ["169.254.169.254", "[fd00:ec2::254]"].contains(host)
    else { throw Self.noCredentials("AWS_EC2_METADATA_SERVICE_ENDPOINT is no address of one") }
    self.service = service.hasSuffix("/") ? String(service.dropLast()) : service
    do {
      transfer = try HTTPTransfer()
    } catch {
      throw Self.noCredentials(error.reason)
    }
  }

  /// The credentials of the role, and the region of the machine.
  func credentials() throws(StorageError) -> (Credentials, region: String?) {
    let token = try answer(
      "PUT", "/latest/api/token", ("X-aws-ec2-metadata-token-ttl-seconds", Self.lifetime))
    let pass = ("X-aws-ec2-metadata-token", token)
    let folder = "/latest/meta-data/iam/security-credentials/"
    let role = try answer("GET", folder, pass).prefix { !$0.isNewline }
    let text = try answer("GET", folder + percentEncoded(String(role)), pass)
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(text.utf8)),
      let expiry = try? Date(answer.expiration, strategy: .iso8601)
    else { throw Self.noCredentials("the metadata service gave none for the role \(role)") }
    let credentials = Credentials(
      keyID: answer.accessKeyID, secret: answer.secretAccessKey, sessionToken: answer.token,
      expiry: expiry.timeIntervalSince1970)
    return (credentials, try? self.answer("GET", "/latest/meta-data/placement/region", pass))
  }

  private struct Answer: Decodable {
    let accessKeyID: String
    let secretAccessKey: String
    let token: String
    let expiration: String

    enum CodingKeys: String, CodingKey {
      case accessKeyID = "AccessKeyId"
      case secretAccessKey = "SecretAccessKey"
      case token = "Token"
      case expiration = "Expiration"
    }
  }

  private func answer(
    _ method: String, _ path: String, _ header: (String, String)
  ) throws(StorageError) -> String {
    var request = HTTPRequest(url: service + path, method: method)
    request.headers = [(name: header.0, value: header.1)]
    request.connectSeconds = 2
    do {
      try transfer.send(request)
      let bytes = try transfer.rest(limit: 64 * 1024)
      guard transfer.status == 200 else {
        throw HTTPTransfer.Broken(reason: "it answered \(transfer.status)")
      }
      let text = String(decoding: bytes, as: UTF8.self)
      return text.trimmingCharacters(in: .whitespacesAndNewlines)
    } catch let error as HTTPTransfer.Broken {
      throw Self.noCredentials(
        "the metadata service of an instance cannot be asked: \(error.reason)")
    } catch {
      throw Self.noCredentials("\(error)")
    }
  }

  private static func noCredentials(_ reason: String) -> StorageError {
    StorageError(
      .denied,
      "may not be read: no credentials were found in the environment or a profile, and \(reason); set "
        + "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE")
  }
}
