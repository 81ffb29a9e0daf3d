-- The view takes the days of a product from the sums of days, and its type from its newest receipt.
drop view if exists report.product;
drop table rollup.product;
drop table rollup.product_market_item;
delete from ingest.table_place where table_schema = 'rollup' and table_name in ('product', 'product_market_item');
