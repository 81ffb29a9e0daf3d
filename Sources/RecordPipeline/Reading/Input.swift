internal import Glibc

/// A file to load, and the stream of its lines.
package struct Input: Sendable, Equatable {
  /// The path as given, or that of a file found in a folder.
  package let path: String
  /// The stream's name.
  package let stream: String
  /// The searched folder in which the file was found; nil when the file was named.
  ///
  /// Links below such a folder are not trusted, because other users may be able to write to it.
  package var folder: String?

  package init(path: String, stream: String, folder: String? = nil) {
    self.path = path
    self.stream = stream
    self.folder = folder
  }

  /// The path by which the file is recognized in later runs, however its path is written.
  ///
  /// It is found out anew at each call: the real path of the file's folder, and its name.
  package var canonicalPath: String { RecordPipeline.canonicalPath(path) }

  /// Bytes on disk, read anew from the path; 0 for a pipe or a missing file.
  ///
  /// An estimate for the order of work and for progress; it does not limit reading.
  package var sizeOnDisk: Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
