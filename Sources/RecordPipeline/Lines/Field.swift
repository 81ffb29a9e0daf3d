/// A field of a stream, as a line of the stream's table: the kind of its values, its names and its columns.
///
/// It holds no memory of its own, because the loop over the fields of a line copies each field.
package struct Field: Sendable {
  /// The kinds of values, as docs/data-contract.md describes them.
  ///
  /// `DecodedLine.write(_:to:)` has the rule of each, `EventEncoder` those of events.
  package enum Kind: Sendable {
    case identifier, text, textList, token
    case level, code, itemNumber
    /// The time of the record; `observation` has a default, and `source` says where it came from.
    case time, observation, observationSource
    /// A further time, which is checked and stays in `extra`.
    case checkedTime
    /// The end of a subscription; 0 and negative numbers mean that there is none.
    case expiry
    case currency, price, productType
    case flag
    /// A flag that `purchaseType` can imply.
    case sandboxFlag, promotionFlag
    /// Android's type of a purchase, which has no column; not the type of the product.
    case purchaseType
    /// The user that a line belongs to; erasures find the line by it. `unstoredUser` has no column.
    case user, unstoredUser
    /// The application of a line, else the default.
    case application
    /// No value, but a rule: a line has one of the fields before it that are named by their first spellings.
    case anyOf
    case eventID, eventCategory, eventData
    /// A column that the stream's own encoder writes.
    case derived
  }

  let kind: Kind
  /// True when a line without the field is refused.
  let isMandatory: Bool
  /// All names that lines use, with blanks between them; messages about an absent field use the first one.
  let spellings: StaticString
  /// A name for each column of the kind, with blanks between them.
  let columnNames: StaticString
  /// Bit n: a member of the data of an event, and not of the line, in messages of category kind n.
  var kindsOfCategories: UInt8 = 0
  /// Bit n: slot n of a line holds a value of the field, in one of its spellings.
  var slots: UInt64 = 0
  var firstColumn: UInt8 = 0

  /// A field without which a line is refused.
  static func mandatory(
    _ kind: Kind, _ spellings: StaticString, into columnNames: StaticString = ""
  ) -> Self { Self(kind: kind, isMandatory: true, spellings: spellings, columnNames: columnNames) }

  /// A field that a line may lack.
  static func optional(
    _ kind: Kind, _ spellings: StaticString = "", into columnNames: StaticString = ""
  ) -> Self { Self(kind: kind, isMandatory: false, spellings: spellings, columnNames: columnNames) }

  var isInData: Bool { kindsOfCategories != 0 }

  /// The slot of the first spelling, which messages use when the line does not give the field.
  var firstSlot: Int { slots.trailingZeroBitCount }

  /// The indexes of its columns in the stream; empty for a value that is only checked.
  var columns: Range<Int> { Int(firstColumn)..<Int(firstColumn) + kind.columns.count }
}

extension Field.Kind {
  /// The columns of a field, in order and without names.
  var columns: [Column] {
    switch self {
    case .identifier, .user, .eventID, .currency, .derived: [Column(.text)]
    case .application: [Column(.text, .comparedUnlessEmpty)]
    case .text: [Column(.text, isPrivate: true)]
    case .textList, .eventData: [Column(.json, isPrivate: true)]
    case .token: [Column(.bytea, isPrivate: true), Column(.text, .secret, isPrivate: true)]
    case .level: [Column(.integer)]
    case .code, .itemNumber: [Column(.bigint)]
    case .time, .observation, .expiry: [Column(.timestamptz)]
    case .observationSource: [Column(.text, .remark)]
    case .price:
      [Column(.bigint)] + [.text, .boolean, .boolean].map { Column($0, .follower) }
    case .productType: [Column(.text), Column(.text, .follower)]
    case .flag, .sandboxFlag, .promotionFlag: [Column(.boolean)]
    case .eventCategory: [Column(.text), Column(.text, .follower), Column(.text, .follower)]
    case .unstoredUser, .checkedTime, .purchaseType, .anyOf: []
    }
  }

  /// True when a line without the field still gets a value in the column.
  var hasDefault: Bool {
    [.application, .observation, .observationSource, .eventID].contains(self)
  }
}
