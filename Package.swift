// swift-tools-version: 6.2
import PackageDescription

/// Strict settings of every target: Swift 6 mode (from the tools version) and no warnings.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "gamebase-ingest",
  products: [.executable(name: "gamebase-ingest", targets: ["gamebase-ingest"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
  ],
  targets: [
    // The C boundary: system libraries, and one C++ file behind a C header.
    .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(
      name: "CCompression", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev", "libzstd-dev"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CProcess"),
    .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),

    // Digests of files, tokens and erased users.
    .target(name: "SHA256", dependencies: ["CCrypto"], swiftSettings: strict),
    // The figures of one player, computed from the player's rows; no database.
    .target(name: "PlayerHistory", swiftSettings: strict),
    // The core. RecordPipeline and Postgres do not depend on each other; Loading uses both.
    .target(name: "Postgres", dependencies: ["CLibpq", "CProcess"], swiftSettings: strict),
    .target(
      name: "RecordPipeline",
      dependencies: [
        "CSimdjson", "CCompression", "CProcess", "SHA256",
      ],
      swiftSettings: strict),
    .target(
      name: "Loading",
      dependencies: [
        "CProcess", "PlayerHistory", "Postgres", "RecordPipeline", "SHA256",
      ],
      swiftSettings: strict, plugins: ["EmbedSQL"]),
    // Writes sql/ into a Swift source of Loading.
    .plugin(name: "EmbedSQL", capability: .buildTool()),

    // The configuration file, and the origin of each option's value; no database.
    .target(
      name: "Configuration", dependencies: [.product(name: "TOMLKit", package: "TOMLKit")],
      swiftSettings: strict),

    // The page of `report`: what it reads from the views, and how it shows it.
    .target(
      name: "ReportPage", dependencies: ["Loading", "Postgres", "SHA256"],
      resources: [.embedInCode("page.css")], swiftSettings: strict),

    // Generated data, and a private PostgreSQL server.
    .target(name: "SampleData", dependencies: ["RecordPipeline"], swiftSettings: strict),
    .target(name: "LocalCluster", dependencies: ["CProcess"], swiftSettings: strict),

    .executableTarget(
      name: "gamebase-ingest",
      dependencies: [
        "CProcess", "Configuration", "Loading", "LocalCluster", "Postgres", "RecordPipeline",
        "ReportPage", "SHA256", "SampleData",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // The invariants for any input, for the tests and the fuzz target; part of no product.
    .target(
      name: "PipelineInvariants", dependencies: ["RecordPipeline"],
      path: "Tests/PipelineInvariants", swiftSettings: strict),
    // Shared code of tests that need a server, a folder or a thread; part of no product.
    .target(
      name: "TestSupport", dependencies: ["LocalCluster", "Postgres", "SampleData"],
      path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "PostgresTests", dependencies: ["Postgres", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "RecordPipelineTests",
      dependencies: ["PipelineInvariants", "RecordPipeline", "SHA256"],
      swiftSettings: strict),
    .testTarget(
      name: "PlayerHistoryTests", dependencies: ["PlayerHistory"], swiftSettings: strict),
    .testTarget(
      name: "ConfigurationTests", dependencies: ["Configuration"], swiftSettings: strict),
    .testTarget(
      name: "LoadingTests",
      dependencies: [
        "Loading", "Postgres", "RecordPipeline", "SHA256", "SampleData", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests",
      dependencies: ["Postgres", "TestSupport", "gamebase-ingest"],
      swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)

// scripts/sanitize address and scripts/sanitize fuzz set this variable to the path of the compiler's
// libFuzzer. The package then has the fuzz target, the pure modules and their tests, with coverage
// counters. All other targets are removed, because they would be built with sanitizers too.
if let libFuzzer = Context.environment["GAMEBASE_INGEST_LIBFUZZER"] {
  let pure: Set<String> = [
    "CCompression", "CCrypto", "CProcess", "CSimdjson", "PipelineInvariants", "RecordPipeline",
    "RecordPipelineTests", "SHA256",
  ]
  package.products = []
  package.targets.removeAll { !pure.contains($0.name) }
  for target in package.targets where ["CSimdjson", "RecordPipeline"].contains(target.name) {
    target.cxxSettings = [.unsafeFlags(["-fsanitize=fuzzer-no-link"])]
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer"])]
  }
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/FuzzPipeline/CLibFuzzer"),
    .executableTarget(
      name: "FuzzPipeline", dependencies: ["CLibFuzzer", "PipelineInvariants"],
      path: "Tests/FuzzPipeline", exclude: ["CLibFuzzer", "fields.dict"], swiftSettings: strict,
      linkerSettings: [.unsafeFlags([libFuzzer])]),
  ]
}

// scripts/sanitize threads sets this variable. The package then has only what the tests of loads need,
// because the thread sanitizer needs a build of its own.
if Context.environment["GAMEBASE_INGEST_ONLY_LOADING_TESTS"] != nil {
  let others: Set<String> = [
    "CommandTests", "Configuration", "ConfigurationTests", "PipelineInvariants",
    "PostgresTests", "RecordPipelineTests", "ReportPage", "gamebase-ingest",
  ]
  package.products = []
  package.targets.removeAll { others.contains($0.name) }
}
