internal import CLibFuzzer
internal import PipelineInvariants

/// The fuzz target: libFuzzer generates the bytes, and the invariants must hold for all of them.
@main
enum Fuzzer {
  /// libFuzzer reads the arguments; scripts/sanitize fuzz starts this program.
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    _ = LLVMFuzzerRunDriver(&count, &arguments) { start, count in
      let input = Array(UnsafeBufferPointer(start: start, count: count))
      do {
        try PipelineInvariants.check(input)
      } catch {
        // A trap tells libFuzzer that this input is a find.
        fatalError("\(error)")
      }
      return 0
    }
  }
}
