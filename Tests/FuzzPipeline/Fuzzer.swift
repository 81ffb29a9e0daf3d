internal import CLibFuzzer
internal import PipelineInvariants

/// Bytes in, and what must hold for all of them: libFuzzer thinks up the bytes.
@main
enum Fuzzer {
  /// libFuzzer reads the arguments: see scripts/fuzz, which starts this.
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    _ = LLVMFuzzerRunDriver(&count, &arguments) { start, count in
      let input = Array(UnsafeBufferPointer(start: start, count: count))
      do {
        try PipelineInvariants.check(input)
      } catch {
        // A trap is how libFuzzer learns that this input is a find.
        fatalError("\(error)")
      }
      return 0
    }
  }
}
