internal import CLibpq

/// The kind of server that a connection asks for by `target_session_attrs`.
struct TargetSessionAttributes: RawRepresentable, Equatable {
  let rawValue: String

  init(rawValue: String) { self.rawValue = rawValue }

  /// The attributes of a connection, or of a failed attempt.
  init(of handle: OpaquePointer) {
    self.init(rawValue: connectionOption(Self.keyword, of: handle) ?? "")
  }

  static let keyword = "target_session_attrs"
  static let any = Self(rawValue: "any")
  static let primary = Self(rawValue: "primary")

  /// True when the connection accepts no standby.
  var wantsPrimary: Bool { ["read-write", "primary"].contains(rawValue) }
  /// True when the connection accepts or prefers only sessions that cannot write.
  var wantsStandby: Bool { ["read-only", "standby", "prefer-standby"].contains(rawValue) }

  /// The attributes as a parameter of a connection.
  var parameter: (keyword: String, value: String) { (Self.keyword, rawValue) }
}
