/// An object of a listing, and the client that reads it.
package struct StoredObject: Sendable, Equatable {
  package let address: S3Address
  package let listed: ListedObject
  let client: S3Client

  package init(_ listed: ListedObject, bucket: String, client: S3Client) {
    address = S3Address(bucket: bucket, key: listed.key)
    self.listed = listed
    self.client = client
  }

  package static func == (first: StoredObject, second: StoredObject) -> Bool {
    first.address == second.address && first.listed == second.listed
  }
}

/// Reads the bytes of an object as they come; the object is never whole in memory.
///
/// A connection that breaks off is replaced, and reading goes on where it ended. Each request names
/// the listed version, so an object that was written anew fails as changed.
package final class ObjectReader {
  private let object: StoredObject
  private var transfer: HTTPTransfer?
  /// The offset of the next byte.
  private var position = 0
  /// The offset behind the last byte to read.
  private var limit: Int
  /// The offset of the first byte that the transfer has asked for.
  private var origin = 0
  /// The tries since the last byte.
  private var failures = 0

  package init(_ object: StoredObject) {
    self.object = object
    limit = object.listed.size
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int {
    while position < limit {
      do {
        let current = try transfer ?? ask(from: position)
        let wanted = UnsafeMutableRawBufferPointer(
          rebasing: buffer.prefix(limit - position))
        let count = try current.read(into: wanted)
        guard count > 0 else { throw HTTPTransfer.Broken(reason: "the object's bytes break off") }
        position += count
        failures = 0
        return count
      } catch let error as StorageError {
        throw error
      } catch let error as HTTPTransfer.Broken {
        transfer = nil
        failures += 1
        try object.client.pause(after: failures, because: error)
      } catch {
        throw StorageError(.unreachable, "cannot be read: \(error); run again")
      }
    }
    return 0
  }

  /// Returns to the first byte; no request is sent while the beginning is still in memory.
  package func rewind() {
    if origin != 0 || transfer?.rewind() != true { transfer = nil }
    position = 0
  }

  /// The bytes of a part, by a request of its own; fewer when the storage does not give them.
  package func bytes(at offset: Int, count: Int) -> [UInt8] {
    let end = min(offset + count, limit)
    guard offset >= 0, offset < end else { return [] }
    let part = ObjectReader(object)
    (part.position, part.limit) = (offset, end)
    var bytes: [UInt8] = []
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: end - offset, alignment: 1)
    defer { room.deallocate() }
    while bytes.count < end - offset {
      let wanted = UnsafeMutableRawBufferPointer(rebasing: room[bytes.count...])
      guard let got = try? part.read(into: wanted), got > 0 else { break }
      bytes += wanted.prefix(got)
    }
    return bytes
  }

  /// Ends the reading; a connection whose answer is read to its end serves the next object.
  deinit {
    if let transfer, position == limit { object.client.keep(transfer) }
  }

  /// Asks for the bytes from an offset to the limit.
  private func ask(from offset: Int) throws -> HTTPTransfer {
    let transfer = try object.client.transfer()
    var headers = [(name: "If-Match", value: object.listed.eTag)]
    let isPart = offset > 0 || limit < object.listed.size
    if isPart { headers.append((name: "Range", value: "bytes=\(offset)-\(limit - 1)")) }
    let region = try object.client.send(object.address, headers: headers, over: transfer)
    guard transfer.status == (isPart ? 206 : 200) else {
      try object.client.refuse(
        transfer, answer: transfer.rest(limit: 64 * 1024), region: region)
      throw HTTPTransfer.Broken(reason: "the storage gave another part than asked for")
    }
    let length = transfer.header("Content-Length").flatMap { Int($0) }
    // A storage that does not know If-Match is found out by the version and length of its answer.
    guard transfer.header("ETag").map({ $0 == object.listed.eTag }) ?? true,
      length.map({ $0 == limit - offset }) ?? true
    else {
      throw StorageError(
        .changed, "changed since it was listed; load it again when its writer has finished")
    }
    self.transfer = transfer
    origin = offset
    return transfer
  }
}
