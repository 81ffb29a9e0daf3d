// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours is built strictly: Swift 6 mode (from the tools version), no warning left.
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
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
  ],
  targets: [
    // The C boundary: system libraries, and one C++ file behind a C header.
    .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(
      name: "CCompression", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev", "libzstd-dev"])]),
    .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),

    // The core. RecordPipeline and Postgres never see each other; Loading joins them.
    .target(name: "Postgres", dependencies: ["CLibpq"], swiftSettings: strict),
    .target(
      name: "RecordPipeline",
      dependencies: [
        "CSimdjson", "CCompression", .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strict),
    .target(
      name: "Loading",
      dependencies: [
        "Postgres", "RecordPipeline",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // Around it: made-up data, and a private PostgreSQL server.
    .target(name: "SampleData", swiftSettings: strict),
    .target(name: "LocalCluster", swiftSettings: strict),

    .executableTarget(
      name: "gamebase-ingest",
      dependencies: [
        "Loading", "LocalCluster", "Postgres", "RecordPipeline", "SampleData",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // What the tests share that need a server, a folder or a thread; part of no product.
    .target(
      name: "TestSupport", dependencies: ["Postgres"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "PostgresTests", dependencies: ["Postgres", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "RecordPipelineTests", dependencies: ["RecordPipeline"], swiftSettings: strict),
    .testTarget(name: "SampleDataTests", dependencies: ["SampleData"], swiftSettings: strict),
    .testTarget(
      name: "LoadingTests",
      dependencies: [
        "Loading", "Postgres", "RecordPipeline", "SampleData", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests",
      dependencies: ["Postgres", "SampleData", "TestSupport", "gamebase-ingest"],
      swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)
