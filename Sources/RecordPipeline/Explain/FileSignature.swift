/// Detects formats other than JSON Lines by the first bytes of a file's first line.
enum FileSignature {
  /// - Parameter bytes: the beginning of the first refused line.
  /// - Returns: nil when the bytes match no known format.
  static func guess(_ bytes: [UInt8]) -> FileDiagnosis? {
    archive(bytes) ?? wideText(bytes) ?? markup(bytes) ?? json(bytes) ?? table(bytes)
  }

  // MARK: - Archives and other binary formats

  private static let magics: [(bytes: [UInt8], kind: FileDiagnosis.Kind, name: String)] = [
    (Array("PK\u{3}\u{4}".utf8), .archive, "a zip archive"),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .archive, "a 7z archive"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .archive, "an xz file"),
    (Array("BZh".utf8), .archive, "a bzip2 file"),
    (Array("LZIP".utf8), .archive, "an lzip file"),
    ([0x04, 0x22, 0x4D, 0x18], .archive, "an lz4 file"),
    ([0xFF, 0x06, 0x00, 0x00, 0x73, 0x4E, 0x61, 0x50], .archive, "a snappy file"),
    (Array("Rar!".utf8), .archive, "a rar archive"),
    // The reader has already decompressed the file once, so these were compressed twice.
    ([0x1F, 0x8B], .archive, "a gzip file within an archive"),
    (Compression.zstdMagic, .archive, "a zstd file within an archive"),
    (Array("PAR1".utf8), .binary, "a Parquet file"),
    (Array("Obj\u{1}".utf8), .binary, "an Avro file"),
    (Array("ORC".utf8), .binary, "an ORC file"),
    (Array("SQLite format 3".utf8), .binary, "an SQLite database"),
    (Array("PGDMP".utf8), .binary, "a dump of PostgreSQL"),
    (Array("%PDF".utf8), .binary, "a PDF document"),
  ]
  private static let tarOffset = 257

  private static func archive(_ bytes: [UInt8]) -> FileDiagnosis? {
    let magic = magics.first { bytes.starts(with: $0.bytes) }
    let tar = bytes.dropFirst(tarOffset).starts(with: "ustar".utf8) ? "a tar archive" : nil
    guard let name = magic?.name ?? tar else { return nil }
    return FileDiagnosis(
      kind: magic?.kind ?? .archive,
      guess: "looks like \(name); unpack it into JSON Lines (plain, .gz or .zst)")
  }

  // MARK: - UTF-16 and UTF-32

  private static func wideText(_ bytes: [UInt8]) -> FileDiagnosis? {
    let name: String
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      name = bytes[0] == 0 ? "UTF-32BE" : "UTF-32LE"
    } else if bytes.starts(with: [0xFF, 0xFE]) {
      name = "UTF-16LE"
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      name = "UTF-16BE"
    } else {
      // JSON is mostly ASCII, so in UTF-16 every other byte is zero.
      let beginning = bytes.prefix(64)
      guard beginning.count >= 8 else { return nil }
      let zeros = [0, 1].map { parity in
        beginning.enumerated().count { $0.offset % 2 == parity && $0.element == 0 }
      }
      let needed = beginning.count * 3 / 8
      guard (zeros[0] >= needed) != (zeros[1] >= needed) else { return nil }
      name = zeros[1] >= needed ? "UTF-16LE" : "UTF-16BE"
    }
    return FileDiagnosis(
      kind: .wideText, guess: "looks like \(name); convert it: iconv -f \(name) -t UTF-8")
  }

  // MARK: - Text formats

  private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var slice = bytes[...]
    while let first = slice.first, ByteSlice.isWhiteSpace(first) { slice.removeFirst() }
    while let last = slice.last, ByteSlice.isWhiteSpace(last) { slice.removeLast() }
    return slice
  }

  private static func markup(_ bytes: [UInt8]) -> FileDiagnosis? {
    let text = trimmed(bytes)
    guard text.first == UInt8(ascii: "<") else { return nil }
    let beginning = String(decoding: text.prefix(14), as: UTF8.self).lowercased()
    return ["<!doctype html", "<html", "<head", "<body"].contains(where: beginning.hasPrefix)
      ? FileDiagnosis(kind: .html, guess: "looks like HTML, maybe the error page of a download")
      : FileDiagnosis(kind: .xml, guess: "looks like XML; deliver one JSON object a line")
  }

  private static func json(_ bytes: [UInt8]) -> FileDiagnosis? {
    let text = trimmed(bytes)
    if text.elementsEqual("{".utf8) {
      return FileDiagnosis(
        kind: .prettyPrinted,
        guess: "looks like JSON over several lines; write one object a line: jq -c .")
    }
    if text.first == UInt8(ascii: "["), text.dropFirst().first != UInt8(ascii: "\"") {
      return FileDiagnosis(
        kind: .array, guess: "looks like one JSON array; write one object a line: jq -c '.[]'")
    }
    return nil
  }

  private static let separators: [(byte: UInt8, kind: FileDiagnosis.Kind, name: String)] = [
    (UInt8(ascii: "\t"), .tsv, "TSV"), (UInt8(ascii: ","), .csv, "CSV"),
    (UInt8(ascii: ";"), .csv, "CSV with semicolons"), (UInt8(ascii: "|"), .csv, "CSV with bars"),
  ]

  /// Detects the header line of a table: short fields with one separator between them.
  private static func table(_ bytes: [UInt8]) -> FileDiagnosis? {
    let text = trimmed(bytes)
    guard let first = text.first, first != UInt8(ascii: "{") else { return nil }
    for separator in separators {
      let fields = text.split(separator: separator.byte, omittingEmptySubsequences: false)
      guard fields.count >= 2, fields.allSatisfy(isShortField) else { continue }
      return FileDiagnosis(
        kind: separator.kind, guess: "looks like \(separator.name); deliver one JSON object a line")
    }
    return nil
  }

  private static func isShortField(_ field: ArraySlice<UInt8>) -> Bool {
    field.count <= 128 && field.allSatisfy { $0 >= 0x20 && !"{}[]<>".utf8.contains($0) }
  }
}
