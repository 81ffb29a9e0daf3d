-- NULL in rows of before, until a receipt of the product comes.
alter table rollup.product_market_item add column payment_seq text collate "C";
comment on column rollup.product_market_item.payment_seq is
  'The smallest known payment_seq of the product''s receipts with that id. While that receipt stands, no other receipt has to be read.';
