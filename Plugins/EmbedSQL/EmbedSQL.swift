import Foundation
import PackagePlugin

/// Embeds `sql/` in a Swift source of the target during its build, with `scripts/lib/embed-sql`.
@main struct EmbedSQL: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = context.package.directoryURL
    let script = root.appending(path: "scripts/lib/embed-sql")
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedSQL.swift")
    // The folders are inputs too; otherwise a new file would be missed until another one changes.
    let folders = ["migrations", "functions", "views", "grants", "steps"].map {
      root.appending(path: "sql/\($0)", directoryHint: .isDirectory)
    }
    let files = try folders.flatMap {
      try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    return [
      .buildCommand(
        displayName: "Embedding SQL", executable: script, arguments: [output.path()],
        inputFiles: [script] + folders + files, outputFiles: [output])
    ]
  }
}
