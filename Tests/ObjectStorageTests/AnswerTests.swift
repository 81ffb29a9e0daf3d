import Testing

@testable import ObjectStorage

@Suite("Answers of a storage")
struct AnswerTests {
  @Test("A listing gives the objects and the token of the next page")
  func page() throws {
    let page = try ListingPage(
      Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- a comment with <Key> -->
        <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
          <IsTruncated>true</IsTruncated><NextContinuationToken>a+/=&amp;b</NextContinuationToken>
          <Contents><Key>a b/&lt;한글&gt;&#x26;&#38;%2B+.jsonl</Key>
            <LastModified>2026-01-31T00:00:00.000Z</LastModified><ETag>&quot;e1&quot;</ETag>
            <Owner><ID>Key</ID></Owner><Size>12</Size></Contents>
          <Contents><Key><![CDATA[<raw>]]></Key><ETag>"e2"</ETag><Size>0</Size><Restored/></Contents>
          <CommonPrefixes><Prefix>other/</Prefix></CommonPrefixes>
        </ListBucketResult>
        """.utf8))
    #expect(page.nextToken == "a+/=&b")
    #expect(
      page.objects == [
        ListedObject(
          key: "a b/<한글>&&%2B+.jsonl", size: 12, eTag: "\"e1\"",
          lastModified: "2026-01-31T00:00:00.000Z"),
        ListedObject(key: "<raw>", size: 0, eTag: "\"e2\"", lastModified: ""),
      ])
  }

  @Test(
    "An answer that is no whole listing is an error",
    arguments: [
      "", "plain", "<html><body>sign in</body></html>", "<ListBucketResult><Contents>",
      "<ListBucketResult><Contents><Key>a</Key><Size>1</Size></Contents></ListBucketResult>",
      "<ListBucketResult><Contents><Key>a</Key><ETag>e</ETag><Size>-1</Size></Contents></ListBucketResult>",
      "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
      "<ListBucketResult></Other></ListBucketResult>",
      "<!DOCTYPE a [<!ENTITY b 'c'>]><ListBucketResult>&b;</ListBucketResult>",
      "<ListBucketResult>&#xD800;</ListBucketResult>",
    ])
  func noListing(answer: String) {
    #expect(throws: StorageError.self) { try ListingPage(Array(answer.utf8)) }
  }

  @Test(
    "A refusal has a code, unless another text stands in its place",
    arguments: [
      ("<Error><Code>NoSuchKey</Code><Key>Code</Key></Error>", "NoSuchKey"),
      ("<Error><Code>no code 12</Code></Error>", nil), ("<Error/>", nil), ("<html>", nil),
    ] as [(String, String?)])
  func code(answer: String, code: String?) {
    #expect(refusalCode(Array(answer.utf8)) == code)
  }

  @Test(
    "A refusal says what to do next",
    arguments: [
      (403, "SignatureDoesNotMatch", StorageError.Kind.denied, "AWS_SECRET_ACCESS_KEY"),
      (403, "AccessDenied", .denied, "s3:ListBucket"),
      (404, "NoSuchKey", .missing, "list the bucket"),
      (404, "NoSuchBucket", .missingBucket, "check its name"),
      (412, "PreconditionFailed", .changed, "load it again"),
      (301, "PermanentRedirect", .denied, "AWS_REGION=ap-northeast-2"),
      (400, "AuthorizationHeaderMalformed", .denied, "AWS_REGION=ap-northeast-2"),
      (418, nil, .unusable, "run again"), (501, "NotImplemented", .unusable, "run again"),
    ] as [(Int, String?, StorageError.Kind, String)])
  func refusal(status: Int, code: String?, kind: StorageError.Kind, cure: String) {
    let error = StorageError(
      status: status, code: code, bucketRegion: "ap-northeast-2", region: "us-east-1")
    #expect(error.kind == kind)
    #expect(error.message.contains(cure))
    #expect(error.message.contains(String(status)))
    #expect(!StorageError.isTemporary(status: status, code: code))
  }

  @Test(
    "A storage that is overloaded or out of order is asked again",
    arguments: [
      (503, "SlowDown"), (500, "InternalError"), (502, nil), (504, nil), (520, nil), (429, nil),
      (408, nil), (400, "RequestTimeout"),
    ] as [(Int, String?)])
  func temporary(status: Int, code: String?) {
    #expect(StorageError.isTemporary(status: status, code: code))
  }

  @Test(
    "A storage that cannot be reached is unreachable, and an answer that is no listing unusable")
  func unreachable() throws {
    let client = try S3Client(environment: [
      "AWS_ENDPOINT_URL_S3": "http://127.0.0.1:1", "AWS_ACCESS_KEY_ID": "a",
      "AWS_SECRET_ACCESS_KEY": "b", "HOME": "/nonexistent",
    ])
    let address = S3Address(bucket: "traces", key: "x/")
    // The second time there is one try.
    for tries in ["5 tries", "1 try"] {
      let error = #expect(throws: StorageError.self) { try client.list(address) }
      #expect(error?.kind == .unreachable)
      #expect(error?.message.contains(tries) == true)
    }
    let error = #expect(throws: StorageError.self) { try ListingPage(Array("<html>".utf8)) }
    #expect(error?.kind == .unusable)
  }
}
