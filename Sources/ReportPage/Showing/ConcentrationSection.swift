/// How much of the revenue of a month came from the payers who paid most.
struct ConcentrationSection {
  let month: String
  let table: HeatTable

  /// The least payers of a currency whose concentration says something.
  private static let smallestPayerCount = 10

  /// - Returns: nil when no currency has enough payers.
  init?(_ rows: [RevenueFigures.Concentration]) {
    guard let first = rows.first else { return nil }
    let shown = rows.filter { $0.topShare.value == 1 && $0.payerCount >= Self.smallestPayerCount }
      .map(\.currency)
    guard !shown.isEmpty else { return nil }
    let top = rows.map(\.topShare).filter { $0.value < 1 }
    let shares = top.sorted { $0.value < $1.value }.map(\.text).removingRepeats()
    let names = shares.map { "top \(Numbers.percent(Double($0), digits: 0))" }
    table = HeatTable(
      caption: "The part of the revenue of \(first.month) that the payers who paid most brought",
      header: ["Currency", "Payers"] + names,
      rows: shown.removingRepeats().map { currency in
        let own = rows.filter { $0.currency == currency }
        return HeatTable.Row(
          name: currency, size: Numbers.count(own.map(\.payerCount).max()),
          cells: shares.map { share in
            let row = own.first { $0.topShare.text == share }
            let value = row?.shareOfAmount?.value
            return HeatTable.Cell(
              Numbers.percent(value, digits: 0), share: value, isMature: row?.isComplete ?? true)
          })
      })
    month = first.month + (first.isComplete ? "" : ", which is not complete")
  }
}
