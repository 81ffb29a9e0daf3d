-- The view reads the history of items, so nothing has to be kept up to date.
drop view if exists report.receipt_price_check;
drop table rollup.price_check;
drop index rollup.item_change_market;
