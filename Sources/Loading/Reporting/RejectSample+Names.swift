internal import RecordPipeline

extension RejectSample {
  var countsByName: [String: Int] {
    Dictionary(uniqueKeysWithValues: countsByCode.map { ($0.key.rawValue, $0.value) })
  }
}
