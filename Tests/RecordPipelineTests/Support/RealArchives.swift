/// The content of the archives below: forty game users.
let archivedLines = (0..<40).map { "{\"userId\":\"u\($0)\",\"userLevel\":\($0)}\n" }.joined()

/// Made by `gzip -9n`.
let realGzip = bytes(
  hex: """
    1f8b08000000000002035dd32b0e0261144361cf327e8da02d8f811d90b00cc6a1206026ec1d82a247de1cf7
    a57719cfc77c3f5fc7693c3763fdbb2ef36bbe8dd3e6bd5afeaabaaaabbbba6bbaa6ebb6ebb6ebaeebaeebbe
    ebbeeba1eba1ebd475ea7aec7a8406b0442d72c14b0013c40432c14c4013d40436c14d8013e4043ac14ec013
    f4043ec1cff033fc0c3f736f1c1cfc0c3fc3cff033fc0c3fc3cff033fc0c3fc3cff033fc0c3fc32ff00bfc02
    bfc02ff00b3f962f0bbfc02ff00bfc02bfc02ff00bfc02bfc02ff00bfcf2f5fb002cb29665ec040000
    """)

/// Made by `zstd -19 --check`.
let realZstd = bytes(
  hex: """
    28b52ffd0468650400524a1914b0a9037024e0a116b972db5b4a2953f2a133c18140939e8e8e9ecfe3f1f7bb
    ddfeffbedff7f57a723232723a8d469fcf66f37ddb765d97cba9a9a8a8d92c167bbd5aadefebba6d5bada684
    5026e29dd96fb74053c2398cc5208253ca114e312046a21c264fa81040bdc766f0a50310126145e003eff7fb
    7ebf305251fa89f449a40833a42b03c8140f5b6395
    """)

/// Made by `zstd -3 --no-check`.
let realZstdUnchecked = bytes(
  hex: """
    28b52ffd005865040082c611169037e953b62e53f74ed72bd1d4ddada5c4a49a31694aa741ffffffffffaaaa
    aaaaaadbb66ddbb66d1b428a922408721c86f1ba9da6586a900c294054c1d45202002115983a044fa8207c9f
    cd70a3941e1012614500f901fcd5fe6a7fb58628445003f5279ff4c4939dd4292738ddd4a69aa66998690099
    524c3055e4a1d947b37ed8847865009d02
    """)

private func bytes(hex: String) -> [UInt8] {
  let digits = hex.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
  return stride(from: 0, to: digits.count - 1, by: 2).map { index in
    UInt8(digits[index] << 4 | digits[index + 1])
  }
}
