import Testing

@testable import ObjectStorage

@Suite("Requests to a storage")
struct RequestTests {
  @Test("A query is encoded, and sorted by the bytes of its names")
  func query() {
    #expect(
      sortedQuery(["prefix": "a b/+%한", "list-type": "2", "continuation-token": "x/=&"])
        == "continuation-token=x%2F%3D%26&list-type=2&prefix=a%20b%2F%2B%25%ED%95%9C")
    #expect(sortedQuery(["b": "", "a": "1", "B": "2"]) == "B=2&a=1&b=")
  }

  @Test("A key keeps its slashes, and all else but unreserved characters is encoded")
  func key() {
    #expect(
      percentEncoded("a b/c+d%2B/~x'()*!.jsonl", keepingSlash: true)
        == "a%20b/c%2Bd%252B/~x%27%28%29%2A%21.jsonl")
  }

  @Test(
    "An address has a bucket and a key as it is written",
    arguments: [
      ("s3://traces", "traces", ""), ("s3://traces/", "traces", ""),
      ("s3://traces/a//b%20c/한글", "traces", "a//b%20c/한글"),
    ])
  func address(text: String, bucket: String, key: String) {
    #expect(S3Address(text) == S3Address(bucket: bucket, key: key))
  }

  @Test(
    "A bucket that could change the host is none",
    arguments: [
      "s3://", "s3:///a", "s3://a@b/c", "s3://a:80/b", "s3://.a.b/c", "s3://ab", "S3://traces",
      "/traces",
    ])
  func noAddress(text: String) {
    #expect(S3Address(text) == nil)
  }
}

@Suite("Settings of a storage")
struct StorageSettingsTests {
  private let files = [
    "/home/.aws/credentials": """
    # comment
    [default]
    aws_access_key_id = ID1
    aws_secret_access_key=SECRET/1=
    [ night ]
    aws_access_key_id = ID2
    aws_secret_access_key = SECRET2
    aws_session_token = TOKEN2
    """,
    "/home/.aws/config": """
    [default]
    region = eu-west-1
    s3 =
      region = not-this-one
    [profile night]
    region = ap-northeast-2
    endpoint_url = https://storage.example/
    [profile role]
    role_arn = arn:aws:iam::1:role/x
    """,
  ]

  private func settings(_ environment: [String: String]) throws -> StorageSettings {
    try StorageSettings(environment: environment.merging(["HOME": "/home"]) { first, _ in first }) {
      files[$0]
    }
  }

  @Test("The environment comes before the profile")
  func environment() throws {
    let found = try settings([
      "AWS_ACCESS_KEY_ID": "ID", "AWS_SECRET_ACCESS_KEY": "SECRET\n", "AWS_REGION": "",
      "AWS_DEFAULT_REGION": "us-west-2", "AWS_ENDPOINT_URL": "https://a.example",
      "AWS_ENDPOINT_URL_S3": "http://127.0.0.1:9000",
    ])
    #expect(found.credentials == Credentials(keyID: "ID", secret: "SECRET"))
    #expect(found.region == "us-west-2")
    #expect(found.endpoint == "http://127.0.0.1:9000")
  }

  @Test("A profile is read from both files")
  func profiles() throws {
    let standard = try settings([:])
    #expect(standard.credentials == Credentials(keyID: "ID1", secret: "SECRET/1="))
    #expect(standard.region == "eu-west-1")
    #expect(standard.endpoint == nil)
    let night = try settings(["AWS_PROFILE": "night"])
    #expect(
      night.credentials == Credentials(keyID: "ID2", secret: "SECRET2", sessionToken: "TOKEN2"))
    #expect(night.region == "ap-northeast-2")
    #expect(night.endpoint == "https://storage.example")
  }

  @Test("Without credentials the role of the instance is asked")
  func role() throws {
    let found = try StorageSettings(environment: [:]) { _ in nil }
    #expect(found.credentials == nil)
  }

  @Test(
    "A setting that cannot be used is an error, which prints no credential",
    arguments: [
      ["AWS_PROFILE": "none"], ["AWS_PROFILE": "role"], ["AWS_ACCESS_KEY_ID": "HIDDEN"],
      ["AWS_ACCESS_KEY_ID": "HIDDEN", "AWS_SECRET_ACCESS_KEY": "HIDDEN\r\nx: y"],
      ["AWS_REGION": "a.example/"], ["AWS_ENDPOINT_URL": "http://storage.example"],
      ["AWS_ENDPOINT_URL": "http://127.0.0.1.example"], ["AWS_ENDPOINT_URL": "http://127.1"],
      ["AWS_ENDPOINT_URL_S3": "https://user:HIDDEN@storage.example"],
      ["AWS_ENDPOINT_URL_S3": "ftp://storage.example"],
    ])
  func unusable(environment: [String: String]) {
    #expect { try settings(environment) } throws: { error in
      !"\(error)".contains("HIDDEN")
    }
  }
}
