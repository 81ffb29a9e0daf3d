extension CurrencyTable {
  /// Every ISO 4217 code that was valid on any day since 2000-01-01, one per line.
  ///
  /// The columns start at fixed positions: code, digits of the minor unit (`-` without one), kind,
  /// first day (`-` when before 2000-01-01), last day (`-` while the code is valid), and name.
  ///
  /// The first day is the day on which ISO made the code effective, or else the day on which the
  /// money came into use. If neither is known (AYM, CHC, COU, GHP, UYI), it is 1 January of the
  /// earliest year that the order of ISO's numeric codes allows. For XSU and XUA it is 1 January of
  /// the institution's year.
  ///
  /// The last day is the last day of the month in list three, or the last day as legal tender if
  /// that is known to be later (ANG, AZM, LTL, MRO, MZM, ROL, STD, TMM, VEB, ZMK). HRK, ZWL and BGN
  /// end on the day before amendments 174, 177 and 180 make them historic.
  ///
  /// The minor unit comes from list one. List three has no minor units, so an ended code keeps the
  /// last one that list one gave. ECV and TJR have none, because no source states it.
  ///
  /// - Source: ISO 4217 lists one and three of 2026-01-01, including amendment 180, the latest on
  ///   2026-11-21.
  package static let iso4217Lines = """
    ADP 0 money        -          2003-07-31 Andorran Peseta
    AED 2 money        -          -          UAE Dirham
    AFA 2 money        -          2003-01-31 Old Afghani
    AFN 2 money        2002-10-07 -          Afghani
    ALL 2 money        -          -          Albanian Lek
    AMD 2 money        -          -          Armenian Dram
    ANG 2 money        -          2025-06-30 Netherlands Antillean Guilder
    AOA 2 money        -          -          Angolan Kwanza
    AON 0 money        -          2000-02-29 Angolan New Kwanza
    AOR 0 money        -          2000-02-29 Angolan Readjusted Kwanza
    ARS 2 money        -          -          Argentine Peso
    ATS 2 money        -          2002-03-31 Austrian Schilling
    AUD 2 money        -          -          Australian Dollar
    AWG 2 money        -          -          Aruban Florin
    AYM 2 money        2005-01-01 2005-10-31 Azerbaijan Manat (withdrawn before use)
    AZM 2 money        -          2006-12-31 Old Azerbaijan Manat
    AZN 2 money        2006-01-01 -          Azerbaijan Manat
    BAM 2 money        -          -          Bosnian Convertible Mark
    BBD 2 money        -          -          Barbados Dollar
    BDT 2 money        -          -          Bangladeshi Taka
    BEF 0 money        -          2002-03-31 Belgian Franc
    BGL 2 money        -          2003-11-30 Old Bulgarian Lev
    BGN 2 money        -          2025-12-31 Bulgarian Lev
    BHD 3 money        -          -          Bahraini Dinar
    BIF 0 money        -          -          Burundi Franc
    BMD 2 money        -          -          Bermudian Dollar
    BND 2 money        -          -          Brunei Dollar
    BOB 2 money        -          -          Boliviano
    BOV 2 fund         -          -          Bolivian Mvdol
    BRL 2 money        -          -          Brazilian Real
    BSD 2 money        -          -          Bahamian Dollar
    BTN 2 money        -          -          Bhutanese Ngultrum
    BWP 2 money        -          -          Botswana Pula
    BYB 0 money        -          2001-01-31 Belarusian Ruble (until 2000)
    BYN 2 money        2016-07-01 -          Belarusian Ruble
    BYR 0 money        2000-01-01 2017-01-31 Belarusian Ruble (2000 to 2016)
    BZD 2 money        -          -          Belize Dollar
    CAD 2 money        -          -          Canadian Dollar
    CDF 2 money        -          -          Congolese Franc
    CHC 2 fund         2004-01-01 2004-11-30 WIR Franc (electronic)
    CHE 2 fund         2004-11-01 -          WIR Euro
    CHF 2 money        -          -          Swiss Franc
    CHW 2 fund         2004-11-01 -          WIR Franc
    CLF 4 fund         -          -          Chilean Unidad de Fomento
    CLP 0 money        -          -          Chilean Peso
    CNY 2 money        -          -          Yuan Renminbi
    COP 2 money        -          -          Colombian Peso
    COU 2 fund         2002-01-01 -          Colombian Unidad de Valor Real
    CRC 2 money        -          -          Costa Rican Colon
    CSD 2 money        2003-07-03 2006-10-31 Serbian Dinar (2003 to 2006)
    CUC 2 money        2009-03-01 2021-06-30 Cuban Convertible Peso
    CUP 2 money        -          -          Cuban Peso
    CVE 2 money        -          -          Cabo Verde Escudo
    CYP 2 money        -          2008-01-31 Cyprus Pound
    CZK 2 money        -          -          Czech Koruna
    DEM 2 money        -          2002-03-31 Deutsche Mark
    DJF 0 money        -          -          Djibouti Franc
    DKK 2 money        -          -          Danish Krone
    DOP 2 money        -          -          Dominican Peso
    DZD 2 money        -          -          Algerian Dinar
    ECS 0 money        -          2000-09-30 Ecuadorian Sucre
    ECV - fund         -          2000-09-30 Ecuadorian Unidad de Valor Constante
    EEK 2 money        -          2011-01-31 Estonian Kroon
    EGP 2 money        -          -          Egyptian Pound
    ERN 2 money        -          -          Eritrean Nakfa
    ESP 0 money        -          2002-03-31 Spanish Peseta
    ETB 2 money        -          -          Ethiopian Birr
    EUR 2 money        -          -          Euro
    FIM 2 money        -          2002-03-31 Finnish Markka
    FJD 2 money        -          -          Fiji Dollar
    FKP 2 money        -          -          Falkland Islands Pound
    FRF 2 money        -          2002-03-31 French Franc
    GBP 2 money        -          -          Pound Sterling
    GEL 2 money        -          -          Georgian Lari
    GHC 2 money        -          2008-01-31 Old Ghana Cedi
    GHP 2 money        2006-01-01 2007-06-30 Ghana Cedi (withdrawn before use)
    GHS 2 money        2007-07-01 -          Ghana Cedi
    GIP 2 money        -          -          Gibraltar Pound
    GMD 2 money        -          -          Gambian Dalasi
    GNF 0 money        -          -          Guinean Franc
    GRD 0 money        -          2002-03-31 Greek Drachma
    GTQ 2 money        -          -          Guatemalan Quetzal
    GYD 2 money        -          -          Guyana Dollar
    HKD 2 money        -          -          Hong Kong Dollar
    HNL 2 money        -          -          Honduran Lempira
    HRK 2 money        -          2022-12-31 Croatian Kuna
    HTG 2 money        -          -          Haitian Gourde
    HUF 2 money        -          -          Hungarian Forint
    IDR 2 money        -          -          Indonesian Rupiah
    IEP 2 money        -          2002-03-31 Irish Pound
    ILS 2 money        -          -          New Israeli Shekel
    INR 2 money        -          -          Indian Rupee
    IQD 3 money        -          -          Iraqi Dinar
    IRR 2 money        -          -          Iranian Rial
    ISK 0 money        -          -          Iceland Krona
    ITL 0 money        -          2002-03-31 Italian Lira
    JMD 2 money        -          -          Jamaican Dollar
    JOD 3 money        -          -          Jordanian Dinar
    JPY 0 money        -          -          Japanese Yen
    KES 2 money        -          -          Kenyan Shilling
    KGS 2 money        -          -          Kyrgyz Som
    KHR 2 money        -          -          Cambodian Riel
    KMF 0 money        -          -          Comorian Franc
    KPW 2 money        -          -          North Korean Won
    KRW 0 money        -          -          South Korean Won
    KWD 3 money        -          -          Kuwaiti Dinar
    KYD 2 money        -          -          Cayman Islands Dollar
    KZT 2 money        -          -          Kazakh Tenge
    LAK 2 money        -          -          Lao Kip
    LBP 2 money        -          -          Lebanese Pound
    LKR 2 money        -          -          Sri Lanka Rupee
    LRD 2 money        -          -          Liberian Dollar
    LSL 2 money        -          -          Lesotho Loti
    LTL 2 money        -          2015-01-15 Lithuanian Litas
    LUF 0 money        -          2002-03-31 Luxembourg Franc
    LVL 2 money        -          2014-01-31 Latvian Lats
    LYD 3 money        -          -          Libyan Dinar
    MAD 2 money        -          -          Moroccan Dirham
    MDL 2 money        -          -          Moldovan Leu
    MGA 2 money        2003-07-31 -          Malagasy Ariary
    MGF 0 money        -          2004-12-31 Malagasy Franc
    MKD 2 money        -          -          Macedonian Denar
    MMK 2 money        -          -          Myanmar Kyat
    MNT 2 money        -          -          Mongolian Tugrik
    MOP 2 money        -          -          Macao Pataca
    MRO 2 money        -          2018-06-30 Old Mauritanian Ouguiya
    MRU 2 money        2018-01-01 -          Mauritanian Ouguiya
    MTL 2 money        -          2008-01-31 Maltese Lira
    MUR 2 money        -          -          Mauritius Rupee
    MVR 2 money        -          -          Maldivian Rufiyaa
    MWK 2 money        -          -          Malawi Kwacha
    MXN 2 money        -          -          Mexican Peso
    MXV 2 fund         -          -          Mexican Unidad de Inversion
    MYR 2 money        -          -          Malaysian Ringgit
    MZM 2 money        -          2006-12-31 Old Mozambique Metical
    MZN 2 money        2006-07-01 -          Mozambique Metical
    NAD 2 money        -          -          Namibia Dollar
    NGN 2 money        -          -          Nigerian Naira
    NIO 2 money        -          -          Nicaraguan Cordoba Oro
    NLG 2 money        -          2002-03-31 Netherlands Guilder
    NOK 2 money        -          -          Norwegian Krone
    NPR 2 money        -          -          Nepalese Rupee
    NZD 2 money        -          -          New Zealand Dollar
    OMR 3 money        -          -          Omani Rial
    PAB 2 money        -          -          Panamanian Balboa
    PEN 2 money        -          -          Peruvian Sol
    PGK 2 money        -          -          Papua New Guinean Kina
    PHP 2 money        -          -          Philippine Peso
    PKR 2 money        -          -          Pakistan Rupee
    PLN 2 money        -          -          Polish Zloty
    PTE 0 money        -          2002-03-31 Portuguese Escudo
    PYG 0 money        -          -          Paraguayan Guarani
    QAR 2 money        -          -          Qatari Rial
    ROL 2 money        -          2006-12-31 Old Romanian Leu
    RON 2 money        2005-07-01 -          Romanian Leu
    RSD 2 money        2006-10-25 -          Serbian Dinar
    RUB 2 money        -          -          Russian Ruble
    RUR 2 money        -          2004-01-31 Old Russian Ruble
    RWF 0 money        -          -          Rwanda Franc
    SAR 2 money        -          -          Saudi Riyal
    SBD 2 money        -          -          Solomon Islands Dollar
    SCR 2 money        -          -          Seychelles Rupee
    SDD 2 money        -          2007-07-31 Sudanese Dinar
    SDG 2 money        2007-01-10 -          Sudanese Pound
    SEK 2 money        -          -          Swedish Krona
    SGD 2 money        -          -          Singapore Dollar
    SHP 2 money        -          -          Saint Helena Pound
    SIT 2 money        -          2007-01-31 Slovenian Tolar
    SKK 2 money        -          2009-01-31 Slovak Koruna
    SLE 2 money        2022-04-01 -          Sierra Leonean Leone
    SLL 2 money        -          2023-12-31 Old Sierra Leonean Leone
    SOS 2 money        -          -          Somali Shilling
    SRD 2 money        2004-01-01 -          Surinam Dollar
    SRG 2 money        -          2003-12-31 Surinam Guilder
    SSP 2 money        2011-07-18 -          South Sudanese Pound
    STD 2 money        -          2018-06-30 Old Sao Tome Dobra
    STN 2 money        2018-01-01 -          Sao Tome Dobra
    SVC 2 money        -          -          El Salvador Colon
    SYP 2 money        -          -          Syrian Pound
    SZL 2 money        -          -          Swazi Lilangeni
    THB 2 money        -          -          Thai Baht
    TJR - money        -          2001-04-30 Tajik Ruble
    TJS 2 money        2000-10-26 -          Tajik Somoni
    TMM 2 money        -          2009-12-31 Old Turkmenistan Manat
    TMT 2 money        2009-01-01 -          Turkmenistan Manat
    TND 3 money        -          -          Tunisian Dinar
    TOP 2 money        -          -          Tongan Pa’anga
    TPE 0 money        -          2002-11-30 Timor Escudo
    TRL 0 money        -          2005-12-31 Old Turkish Lira
    TRY 2 money        2005-01-01 -          Turkish Lira
    TTD 2 money        -          -          Trinidad and Tobago Dollar
    TWD 2 money        -          -          New Taiwan Dollar
    TZS 2 money        -          -          Tanzanian Shilling
    UAH 2 money        -          -          Ukrainian Hryvnia
    UGX 0 money        -          -          Uganda Shilling
    USD 2 money        -          -          US Dollar
    USN 2 fund         -          -          US Dollar (next day)
    USS 2 fund         -          2014-03-31 US Dollar (same day)
    UYI 0 fund         2006-01-01 -          Uruguayan Unidad Indexada
    UYU 2 money        -          -          Uruguayan Peso
    UYW 4 fund         2018-08-29 -          Uruguayan Unidad Previsional
    UZS 2 money        -          -          Uzbekistan Sum
    VEB 2 money        -          2008-06-30 Venezuelan Bolívar (until 2008)
    VED 2 money        2021-10-01 -          Venezuelan Bolívar Digital
    VEF 2 money        2008-01-01 2018-08-31 Venezuelan Bolívar Fuerte
    VES 2 money        2018-08-20 -          Venezuelan Bolívar Soberano
    VND 0 money        -          -          Vietnamese Dong
    VUV 0 money        -          -          Vanuatu Vatu
    WST 2 money        -          -          Samoan Tala
    XAD 2 fund         2025-05-12 -          Arab Accounting Dinar
    XAF 0 money        -          -          CFA Franc BEAC
    XAG - metal        -          -          Silver
    XAU - metal        -          -          Gold
    XBA - account_unit -          -          European Composite Unit (EURCO)
    XBB - account_unit -          -          European Monetary Unit (E.M.U.-6)
    XBC - account_unit -          -          European Unit of Account 9 (E.U.A.-9)
    XBD - account_unit -          -          European Unit of Account 17 (E.U.A.-17)
    XCD 2 money        -          -          East Caribbean Dollar
    XCG 2 money        2025-03-31 -          Caribbean Guilder
    XDR - account_unit -          -          Special Drawing Right
    XFO - account_unit -          2006-10-31 Gold Franc
    XFU - account_unit -          2013-11-30 UIC Franc
    XOF 0 money        -          -          CFA Franc BCEAO
    XPD - metal        -          -          Palladium
    XPF 0 money        -          -          CFP Franc
    XPT - metal        -          -          Platinum
    XSU - account_unit 2009-01-01 -          Sucre
    XTS - test         -          -          Reserved for Testing
    XUA - account_unit 2010-01-01 -          ADB Unit of Account
    XXX - no_currency  -          -          No Currency
    YER 2 money        -          -          Yemeni Rial
    YUM 2 money        -          2003-07-31 Yugoslavian New Dinar
    ZAR 2 money        -          -          South African Rand
    ZMK 2 money        -          2013-06-30 Old Zambian Kwacha
    ZMW 2 money        2013-01-01 -          Zambian Kwacha
    ZWD 2 money        -          2008-08-31 Zimbabwe Dollar (until 2008)
    ZWG 2 money        2024-06-25 -          Zimbabwe Gold
    ZWL 2 money        2009-02-02 2024-08-31 Zimbabwe Dollar (2009 to 2024)
    ZWN 2 money        2006-08-01 2006-09-30 Zimbabwe Dollar (2006)
    ZWR 2 money        2008-08-01 2009-06-30 Zimbabwe Dollar (2008 to 2009)
    """
}
