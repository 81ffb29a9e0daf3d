/// Detects formats other than JSON Lines by the first bytes of a file's first line.
enum FileSignature {
  /// - Parameter bytes: the beginning of the first refused line.
  /// - Returns: nil when the bytes match no known format.
  static func guess(_ bytes: [UInt8]) -> FileDiagnosis? {
    if let magic = magics.first(where: { bytes.dropFirst($0.at).starts(with: $0.bytes) }) {
      return FileDiagnosis(magic.kind, looksLike: magic.name)
    }
    if let name = wideText(bytes) { return FileDiagnosis(.wideText, looksLike: name) }
    let start = bytes.drop(while: ByteSlice.isWhiteSpace)
    let text = ArraySlice(start.reversed().drop(while: ByteSlice.isWhiteSpace).reversed())
    switch text.first {
    case UInt8(ascii: "<"):
      let beginning = String(decoding: text.prefix(14), as: UTF8.self).lowercased()
      return ["<!doctype html", "<html", "<head", "<body"].contains(where: beginning.hasPrefix)
        ? FileDiagnosis(.html, looksLike: "HTML") : FileDiagnosis(.xml, looksLike: "XML")
    case UInt8(ascii: "{") where text.count == 1:
      return FileDiagnosis(.prettyPrinted, looksLike: "JSON over several lines")
    case UInt8(ascii: "[") where text.dropFirst().first != UInt8(ascii: "\""):
      return FileDiagnosis(.array, looksLike: "one JSON array")
    case nil, UInt8(ascii: "{"): return nil
    default: return table(text)
    }
  }

  private static let magics: [(at: Int, bytes: [UInt8], kind: FileDiagnosis.Kind, name: String)] = [
    (0, Array("PK\u{3}\u{4}".utf8), .archive, "a zip archive"),
    (0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .archive, "a 7z archive"),
    (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .archive, "an xz file"),
    (0, Array("BZh".utf8), .archive, "a bzip2 file"),
    (0, Array("LZIP".utf8), .archive, "an lzip file"),
    (0, [0x04, 0x22, 0x4D, 0x18], .archive, "an lz4 file"),
    (0, [0xFF, 0x06, 0x00, 0x00, 0x73, 0x4E, 0x61, 0x50], .archive, "a snappy file"),
    (0, Array("Rar!".utf8), .archive, "a rar archive"),
    // The reader has already decompressed the file once, so these were compressed twice.
    (0, [0x1F, 0x8B], .archive, "a gzip file within an archive"),
    (0, Compression.zstdMagic, .archive, "a zstd file within an archive"),
    (0, Array("PAR1".utf8), .binary, "a Parquet file"),
    (0, Array("Obj\u{1}".utf8), .binary, "an Avro file"),
    (0, Array("ORC".utf8), .binary, "an ORC file"),
    (0, Array("SQLite format 3".utf8), .binary, "an SQLite database"),
    (0, Array("PGDMP".utf8), .binary, "a dump of PostgreSQL"),
    (0, Array("%PDF".utf8), .binary, "a PDF document"),
    (257, Array("ustar".utf8), .archive, "a tar archive"),
  ]

  /// UTF-16 or UTF-32, by its mark or by its zeros.
  private static func wideText(_ bytes: [UInt8]) -> String? {
    let marks: [(bytes: [UInt8], name: String)] = [
      ([0xFF, 0xFE, 0, 0], "UTF-32LE"), ([0, 0, 0xFE, 0xFF], "UTF-32BE"),
      ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
    ]
    if let mark = marks.first(where: { bytes.starts(with: $0.bytes) }) { return mark.name }
    // JSON is mostly ASCII, so in UTF-16 every other byte is zero.
    let beginning = bytes.prefix(64)
    let areMany = [0, 1].map { parity in
      beginning.enumerated().count { $0.offset % 2 == parity && $0.element == 0 }
        >= beginning.count * 3 / 8
    }
    guard beginning.count >= 8, areMany[0] != areMany[1] else { return nil }
    return areMany[1] ? "UTF-16LE" : "UTF-16BE"
  }

  private static let separators: [(byte: UInt8, kind: FileDiagnosis.Kind, name: String)] = [
    (UInt8(ascii: "\t"), .tsv, "TSV"), (UInt8(ascii: ","), .csv, "CSV"),
    (UInt8(ascii: ";"), .csv, "CSV with semicolons"), (UInt8(ascii: "|"), .csv, "CSV with bars"),
  ]

  /// The header line of a table: short fields with one separator between them.
  private static func table(_ text: ArraySlice<UInt8>) -> FileDiagnosis? {
    separators.first { separator in
      let fields = text.split(separator: separator.byte, omittingEmptySubsequences: false)
      return fields.count >= 2
        && fields.allSatisfy { field in
          field.count <= 128 && field.allSatisfy { $0 >= 0x20 && !"{}[]<>".utf8.contains($0) }
        }
    }.map { FileDiagnosis($0.kind, looksLike: $0.name) }
  }
}

extension FileDiagnosis {
  fileprivate init(_ kind: Kind, looksLike name: String) {
    let remedy =
      switch kind {
      case .archive, .binary: "; unpack it into JSON Lines (plain, .gz or .zst)"
      case .wideText: "; convert it: iconv -f \(name) -t UTF-8"
      case .html: ", maybe the error page of a download"
      case .prettyPrinted: "; write one object a line: jq -c ."
      case .array: "; write one object a line: jq -c '.[]'"
      default: "; deliver one JSON object a line"
      }
    self.init(kind: kind, guess: "looks like \(name)\(remedy)")
  }
}
