internal import Postgres

/// A row of the cursor over a file's open rejects.
struct StoredReject {
  let id: Int
  let lineNumber: Int
  let byteOffset: Int
  let isWhole: Bool
  let raw: [UInt8]

  init?(_ page: QueryResult, row: Int) {
    guard let id = page.integer(row: row, column: 0),
      let lineNumber = page.integer(row: row, column: 1),
      let byteOffset = page.integer(row: row, column: 2)
    else { return nil }
    self.id = id
    self.lineNumber = lineNumber
    self.byteOffset = byteOffset
    isWhole = page[row, 3] == "t"
    raw = page[row, 4].map(bytesOfHexadecimal) ?? []
  }
}
