-- Each bucket of durations is a row, summed like any count. A bucket keeps the four highest bits of its durations, so each
-- of the earlier ones, with seven, lies in one of them.
drop view if exists report.level_funnel;
drop view if exists report.level_time;
alter table rollup.level drop column first_reached_at;
alter table rollup.level_time rename to earlier_level_time;
alter table rollup.earlier_level_time rename constraint level_time_key to earlier_level_time_key;

create table rollup.level_time (
  app_id text collate "C" not null,
  user_level integer not null,
  kind text collate "C" not null check (kind in ('first_observed', 'previous_level')),
  bucket integer not null,
  user_count bigint not null,
  constraint level_time_key unique (app_id, user_level, kind, bucket)
) with (fillfactor = 90);
alter table rollup.level_time replica identity full;
comment on table rollup.level_time is
  'One row per application, level, kind of duration and bucket of durations until the level. Written by: rollup.add_up.';
comment on column rollup.level_time.app_id is 'The application.';
comment on column rollup.level_time.user_level is 'The level.';
comment on column rollup.level_time.kind is
  'first_observed: since the first observation of the user; previous_level: since the highest lower level reached no later.';
comment on column rollup.level_time.bucket is
  'The number of a bucket of durations with the same four highest bits of their seconds: below 16 the second itself, from there on 8 buckets for each doubling.';
comment on column rollup.level_time.user_count is 'Users with a duration in the bucket.';

create table rollup.level_percentile (
  app_id text collate "C" not null,
  user_level integer not null,
  kind text collate "C" not null,
  user_count bigint not null,
  p25_minutes numeric(14, 2) not null,
  p50_minutes numeric(14, 2) not null,
  p90_minutes numeric(14, 2) not null,
  primary key (app_id, user_level, kind)
);
comment on table rollup.level_percentile is
  'One row per application, level and kind of duration: the percentiles of rollup.level_time. Written by: rollup.find_level_percentiles.';
comment on column rollup.level_percentile.app_id is 'The application.';
comment on column rollup.level_percentile.user_level is 'The level.';
comment on column rollup.level_percentile.kind is 'As in rollup.level_time.';
comment on column rollup.level_percentile.user_count is 'Users with such a duration.';
comment on column rollup.level_percentile.p25_minutes is '25th percentile, in minutes.';
comment on column rollup.level_percentile.p50_minutes is 'Median, in minutes.';
comment on column rollup.level_percentile.p90_minutes is '90th percentile, in minutes.';

insert into rollup.level_time (app_id, user_level, kind, bucket, user_count)
  select b.app_id, b.user_level, b.kind, 8 * b.low_bits + (b.seconds >> b.low_bits), sum(b.user_count)
    from (
      select s.*, greatest(length(ltrim(s.seconds::bit(64)::text, '0')) - 4, 0) as low_bits
        from (
          select t.app_id, t.user_level, t.kind, c.user_count,
              case when c.place <= 128 then c.place - 1
                else ((c.place - 1) % 64 + 64) << ((c.place - 1) / 64 - 1)::integer end as seconds
            from rollup.earlier_level_time t
            cross join unnest(t.counts) with ordinality c (user_count, place)
            where c.user_count is not null
        ) s
    ) b
    group by b.app_id, b.user_level, b.kind, 8 * b.low_bits + (b.seconds >> b.low_bits);
drop table rollup.earlier_level_time;

insert into rollup.level_percentile (app_id, user_level, kind, user_count, p25_minutes, p50_minutes, p90_minutes)
  select c.app_id, c.user_level, c.kind, c.user_count, max(m.minutes) filter (where m.place = 1),
      max(m.minutes) filter (where m.place = 2), max(m.minutes) filter (where m.place = 3)
    from (
      select t.app_id, t.user_level, t.kind, t.user_count,
          array[min(t.bucket) filter (where t.through >= t.user_count * 0.25),
            min(t.bucket) filter (where t.through >= t.user_count * 0.5),
            min(t.bucket) filter (where t.through >= t.user_count * 0.9)] as buckets
        from (
          select d.*, sum(d.user_count) over (level order by d.bucket) as through, sum(d.user_count) over level as total
            from rollup.level_time d
            window level as (partition by d.app_id, d.user_level, d.kind)
        ) s
        cross join lateral (select s.app_id, s.user_level, s.kind, s.bucket, s.through, s.total as user_count) t
        group by t.app_id, t.user_level, t.kind, t.user_count
    ) c
    cross join lateral (
      select u.place, round(case when u.bucket < 16 then u.bucket
          else (2 * (u.bucket % 8 + 8) + 1) * 2 ^ (u.bucket / 8 - 1)::numeric / 2 end / 60.0, 2) as minutes
        from unnest(c.buckets) with ordinality u (bucket, place)
    ) m
    group by c.app_id, c.user_level, c.kind, c.user_count;
insert into ingest.table_place (table_schema, table_name) values ('rollup', 'level_percentile');
