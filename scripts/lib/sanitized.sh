# shellcheck shell=bash
# Sourced by scripts/fuzz and scripts/test-sanitized after setup.sh: builds the pure modules, their tests and the fuzz
# target with the address sanitizer, in a separate folder.

# Optimized, like the released program; a debug build is too slow for many inputs.
sanitized=(-c release -Xswiftc -enable-testing --sanitize address
  --scratch-path "$root/.build-sanitized")

# With this variable, Package.swift leaves out all other targets. libFuzzer is part of the toolchain.
sanitize() {
  local library
  library=libclang_rt.fuzzer_no_main-$(uname -m).a
  GAMEBASE_INGEST_LIBFUZZER=$(clang -print-file-name="$library")
  [ -f "$GAMEBASE_INGEST_LIBFUZZER" ] || die "the Swift toolchain has no $library" 78
  export GAMEBASE_INGEST_LIBFUZZER
  # The backtracer would wait for a terminal and report nothing. A small quarantine is faster.
  export SWIFT_BACKTRACE=enable=no
  export ASAN_OPTIONS=quarantine_size_mb=16:detect_leaks=1
}

# build_sanitized [SWIFT-BUILD-OPTION ...]
build_sanitized() {
  say "building (address sanitizer)"
  (cd "$root" && swift build "${sanitized[@]}" "$@" >&2) || die "the build failed"
}

# fuzz SECONDS SEED: looks for inputs that break the pipeline's invariants.
fuzz() {
  local seconds=$1 seed=$2 fuzzer corpus status=0
  fuzzer=$root/.build-sanitized/release/FuzzPipeline
  corpus=$root/.build-sanitized/corpus
  mkdir -p "$corpus" "$root/.build-sanitized/finds"
  fuzz_seeds "$root/.build-sanitized/seeds"
  local command=("$fuzzer" -max_total_time="$seconds" -seed="$seed" -max_len=4096 -timeout=10
    -rss_limit_mb=2048 -malloc_limit_mb=512 -report_slow_units=5 -print_final_stats=1
    -dict="$root/Tests/FuzzPipeline/fields.dict"
    -artifact_prefix="$root/.build-sanitized/finds/" "$corpus" "$root/.build-sanitized/seeds")
  say "fuzzing for $seconds s with seed $seed: ${command[*]}"
  timeout -k 10 $((seconds + 300)) "${command[@]}" </dev/null >"$root/.build-sanitized/fuzz.log" 2>&1 || status=$?
  if [ "$status" != 0 ]; then
    grep -aE 'Fatal error|ERROR:|SUMMARY:|Test unit written' "$root/.build-sanitized/fuzz.log" |
      cut -c1-2000 >&2 || true
    die "the fuzzer found an error, see .build-sanitized/fuzz.log; repeat with: .build-sanitized/release/FuzzPipeline FILE"
  fi
  grep -aE '^stat::(number_of_executed_units|average_exec_per_sec|slowest_unit|peak_rss)' \
    "$root/.build-sanitized/fuzz.log" >&2
}

# fuzz_seeds FOLDER: writes every line of a fixture, every find, and the cases of the public suite as values.
fuzz_seeds() {
  local folder=$1 stream
  rm -rf "$folder"
  mkdir -p "$folder"
  for stream in "$root"/Tests/Fixtures/*/input.jsonl; do
    split --lines=1 --suffix-length=4 "$stream" "$folder/$(basename "$(dirname "$stream")")-"
  done
  cp "$root"/Tests/Fixtures/fuzz-finds/* "$folder/"
  # The few cases with bytes beyond printable ASCII stay escaped, which is good enough for seeds.
  cut -s -f 2 "$root/Tests/Fixtures/json-test-suite/cases.tsv" |
    sed 's/\(.*\)/{"userId":"u","userLevel":1,"levelUpTime":1616649225531,"x":\1}/; s/\\\\/\\/g' |
    split --lines=1 --suffix-length=4 - "$folder/suite-"
}
