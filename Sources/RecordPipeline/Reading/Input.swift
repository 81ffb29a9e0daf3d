internal import Glibc

/// A file that is to be loaded, and the stream that its lines belong to.
package struct Input: Sendable, Equatable {
  /// As it was given; for a folder, the path of the file that was found in it.
  package let path: String
  /// The stream's name.
  package let stream: String
  /// The folder below which it was found, where anybody may have put it; nil when it was named.
  package var folder: String?

  package init(path: String, stream: String, folder: String? = nil) {
    self.path = path
    self.stream = stream
    self.folder = folder
  }

  /// Bytes on disk, by the path: what a pipe holds or a missing file would have held counts as 0.
  ///
  /// An estimate for the order of work and for progress, never for what is read.
  package var sizeOnDisk: Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
