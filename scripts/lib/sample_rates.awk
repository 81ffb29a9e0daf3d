# Prints made-up exchange rates to USD for the months of the sample data, as CSV.
BEGIN {
  split("KRW 0.00072 JPY 0.0064 EUR 1.08 TWD 0.031 GBP 1.27 THB 0.028 VND 0.00004 IDR 0.000061 BRL 0.18 HUF 0.0027 KWD 3.25", rate, " ")
  print "currency,valid_on,rate"
  for (month = 4; month <= 7; month++) for (day = 1; day <= 30; day += 4)
    for (i = 1; i in rate; i += 2) printf "%s,2025-%02d-%02d,%s\n", rate[i], month, day, rate[i + 1]
}
