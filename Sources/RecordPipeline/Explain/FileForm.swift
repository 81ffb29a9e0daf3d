extension FileDiagnosis {
  /// The format of a file other than JSON Lines; nil: it is none of the known ones.
  ///
  /// - Parameter line: the first refused line.
  init?(formOf line: [UInt8]) {
    // A character for each byte.
    let text = String(String.UnicodeScalarView(line.map { Unicode.Scalar($0) }))
    let form = Self.forms.first {
      text.prefixMatch(of: $0.beginning.matchingSemantics(.unicodeScalar)) != nil
    }
    guard let (kind, name, _) = form else { return nil }
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

  private static var forms: [(kind: Kind, name: String, beginning: Regex<Substring>)] {
    [
      (.archive, "a zip archive", /PK\x03\x04/),
      (.archive, "a 7z archive", /7z\xBC\xAF\x27\x1C/),
      (.archive, "an xz file", /\xFD7zXZ\x00/),
      (.archive, "a bzip2 file", /BZh/),
      (.archive, "an lzip file", /LZIP/),
      (.archive, "an lz4 file", /\x04\x22M\x18/),
      (.archive, "a snappy file", /\xFF\x06\x00\x00sNaP/),
      (.archive, "a rar archive", /Rar!/),
      (.archive, "a tar archive", /(?s).{257}ustar/),
      // The reader has already decompressed the file once, so these were compressed twice.
      (.archive, "a gzip file within an archive", /\x1F\x8B/),
      (.archive, "a zstd file within an archive", /\x28\xB5\x2F\xFD/),
      (.binary, "a Parquet file", /PAR1/),
      (.binary, "an Avro file", /Obj\x01/),
      (.binary, "an ORC file", /ORC/),
      (.binary, "an SQLite database", /SQLite format 3/),
      (.binary, "a dump of PostgreSQL", /PGDMP/),
      (.binary, "a PDF document", /%PDF/),
      (.wideText, "UTF-32LE", /\xFF\xFE\x00\x00/),
      (.wideText, "UTF-32BE", /\x00\x00\xFE\xFF/),
      // Without a mark: JSON begins with ASCII characters.
      (.wideText, "UTF-16LE", /\xFF\xFE|(?:[^\x00]\x00){4}/),
      (.wideText, "UTF-16BE", /\xFE\xFF|(?:\x00[^\x00]){4}/),
      (.html, "HTML", /(?i)[ \t\r]*<(?:!doctype html|html|head|body)/),
      (.xml, "XML", /[ \t\r]*</),
      (.prettyPrinted, "JSON over several lines", /[ \t\r]*\{[ \t\r]*\z/),
      (.array, "one JSON array", /[ \t\r]*\[(?!")/),
      // The header of a table: short fields with one separator between them.
      (.tsv, "TSV", /[^\x00-\x1F{}\[\]<>]{0,128}(?:\t[^\x00-\x1F{}\[\]<>]{0,128})+\r?\z/),
      (.csv, "CSV", /[^\x00-\x1F{}\[\]<>,]{0,128}(?:,[^\x00-\x1F{}\[\]<>,]{0,128})+\r?\z/),
      (
        .csv, "CSV with semicolons",
        /[^\x00-\x1F{}\[\]<>;]{0,128}(?:;[^\x00-\x1F{}\[\]<>;]{0,128})+\r?\z/
      ),
      (
        .csv, "CSV with bars",
        /[^\x00-\x1F{}\[\]<>|]{0,128}(?:\|[^\x00-\x1F{}\[\]<>|]{0,128})+\r?\z/
      ),
    ]
  }
}
