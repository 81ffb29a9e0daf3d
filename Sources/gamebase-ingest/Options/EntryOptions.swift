internal import ArgumentParser
internal import Loading
internal import RecordPipeline

/// The options of the commands that list entries.
struct ListOptions: ParsableArguments {
  @Option(help: "The number of entries to list one by one.", transform: number(0)) var limit = 50
  @Option(help: "The form of the list.") var format: OutputFormat = .text
}

/// The options that select refused lines or conflicts.
struct EntryOptions: ParsableArguments {
  @Option(help: "Only those of one run.") var load: Int?

  @Option(
    help: "Only those of files with this path, its end from a / on, this source_file_id or sha256.",
    transform: filledText)
  var file: String?

  @Option(help: "Only those of one stream.") var stream: RecordStream?

  @Option(help: "Only those because of this field, or in this column.", transform: filledText)
  var field: String?

  func filter(code: String? = nil, naturalKey: String? = nil) -> EntryFilter {
    var filter = EntryFilter()
    (filter.loadID, filter.file, filter.stream) = (load, file, stream?.name)
    (filter.field, filter.code, filter.naturalKey) = (field, code, naturalKey)
    return filter
  }
}
