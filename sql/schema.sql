-- The tables after all migrations, for reading and for diffs. Made by scripts/generate.
-- Functions are in sql/functions, views in sql/views, comments in docs/data-dictionary.md.
-- PostgreSQL database dump

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

-- Name: game; Type: SCHEMA; Schema: -; Owner: -

CREATE SCHEMA game;

-- Name: ingest; Type: SCHEMA; Schema: -; Owner: -

CREATE SCHEMA ingest;

-- Name: report; Type: SCHEMA; Schema: -; Owner: -

CREATE SCHEMA report;

-- Name: rollup; Type: SCHEMA; Schema: -; Owner: -

CREATE SCHEMA rollup;

-- Name: staging; Type: SCHEMA; Schema: -; Owner: -

CREATE SCHEMA staging;

-- Name: merge_counts; Type: TYPE; Schema: staging; Owner: -

CREATE TYPE staging.merge_counts AS (
	inserted bigint,
	filled bigint,
	duplicates bigint,
	conflicts bigint
);

-- Name: source_file; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.source_file (
    source_file_id bigint NOT NULL,
    load_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    path text NOT NULL,
    sha256 bytea NOT NULL,
    byte_count bigint NOT NULL,
    line_count bigint NOT NULL,
    inserted_count bigint NOT NULL,
    filled_count bigint NOT NULL,
    duplicate_count bigint NOT NULL,
    conflict_count bigint NOT NULL,
    rejected_count bigint NOT NULL,
    suppressed_count bigint DEFAULT 0 NOT NULL,
    released_count bigint DEFAULT 0 NOT NULL,
    blank_count bigint NOT NULL,
    loaded_at timestamp with time zone DEFAULT now() NOT NULL,
    opened_by xid8,
    undone_at timestamp with time zone,
    app_id text COLLATE pg_catalog."C",
    observed_at timestamp with time zone,
    as_of timestamp with time zone NOT NULL,
    time_unit text NOT NULL,
    unwrap_field text,
    purchase_token_mode text NOT NULL,
    max_line_bytes bigint NOT NULL,
    max_nesting integer NOT NULL,
    max_identifier_bytes integer NOT NULL,
    max_text_bytes bigint NOT NULL,
    empty_path text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    canonical_path text COLLATE pg_catalog."C",
    asked_on date,
    has_met_files boolean DEFAULT true NOT NULL,
    CONSTRAINT asked_on_of_empty_file CHECK (((asked_on IS NULL) OR (line_count = blank_count))),
    CONSTRAINT empty_path_of_empty_file CHECK (((empty_path = ''::text) OR (line_count = blank_count))),
    CONSTRAINT outcomes_add_up CHECK ((line_count = (((((((inserted_count + filled_count) + duplicate_count) + conflict_count) + rejected_count) + suppressed_count) + released_count) + blank_count))),
    CONSTRAINT source_file_asked_on_check CHECK (isfinite(asked_on)),
    CONSTRAINT source_file_blank_count_check CHECK ((blank_count >= 0)),
    CONSTRAINT source_file_byte_count_check CHECK ((byte_count >= 0)),
    CONSTRAINT source_file_conflict_count_check CHECK ((conflict_count >= 0)),
    CONSTRAINT source_file_duplicate_count_check CHECK ((duplicate_count >= 0)),
    CONSTRAINT source_file_filled_count_check CHECK ((filled_count >= 0)),
    CONSTRAINT source_file_inserted_count_check CHECK ((inserted_count >= 0)),
    CONSTRAINT source_file_rejected_count_check CHECK ((rejected_count >= 0)),
    CONSTRAINT source_file_released_count_check CHECK ((released_count >= 0)),
    CONSTRAINT source_file_sha256_check CHECK ((octet_length(sha256) = 32)),
    CONSTRAINT source_file_suppressed_count_check CHECK ((suppressed_count >= 0))
);

-- Name: touched_row; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.touched_row (
    stream text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text COLLATE pg_catalog."C",
    event_at timestamp with time zone NOT NULL,
    is_dated boolean NOT NULL,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    payment_seq text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY rollup.touched_row ALTER COLUMN user_id SET STATISTICS 0;

ALTER TABLE ONLY rollup.touched_row REPLICA IDENTITY FULL;

-- Name: currency; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.currency (
    currency text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    minor_unit smallint,
    kind text NOT NULL,
    valid_from date,
    valid_until date,
    minor_unit_value numeric GENERATED ALWAYS AS (
CASE minor_unit
    WHEN 0 THEN (1)::numeric
    WHEN 1 THEN 0.1
    WHEN 2 THEN 0.01
    WHEN 3 THEN 0.001
    WHEN 4 THEN 0.0001
    ELSE NULL::numeric
END) STORED,
    CONSTRAINT currency_check CHECK ((valid_from <= valid_until)),
    CONSTRAINT currency_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT currency_kind_check CHECK ((kind = ANY (ARRAY['money'::text, 'fund'::text, 'metal'::text, 'account_unit'::text, 'test'::text, 'no_currency'::text]))),
    CONSTRAINT currency_minor_unit_check CHECK (((minor_unit >= 0) AND (minor_unit <= 4)))
);

-- Name: display_language; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.display_language (
    code text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    is_gamebase boolean NOT NULL,
    is_hive boolean NOT NULL,
    CONSTRAINT display_language_check CHECK ((is_gamebase OR is_hive))
);

-- Name: error_code; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.error_code (
    code bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    family text NOT NULL COLLATE pg_catalog."C"
);

-- Name: event; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.event (
    occurred_at timestamp with time zone NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    user_id text COLLATE pg_catalog."C",
    category text NOT NULL COLLATE pg_catalog."C",
    category_raw text COLLATE pg_catalog."C",
    event_group text NOT NULL COLLATE pg_catalog."C",
    code bigint,
    message text,
    idp_type text COLLATE pg_catalog."C",
    auth_mapping_list json,
    push_id text COLLATE pg_catalog."C",
    push_title text,
    push_body text,
    push_is_foreground boolean,
    push_action_type text COLLATE pg_catalog."C",
    push_user_text text,
    payment_seq text COLLATE pg_catalog."C",
    data json,
    text_repaired boolean NOT NULL,
    extra json,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    row_digest uuid,
    CONSTRAINT event_category_named CHECK ((category <> ''::text)),
    CONSTRAINT event_event_group_check CHECK ((event_group = ANY (ARRAY['purchase'::text, 'push'::text, 'server_push'::text, 'observer'::text, 'idp_revoked'::text, 'logged_out'::text, 'other'::text]))),
    CONSTRAINT event_event_id_named CHECK ((event_id <> ''::text)),
    CONSTRAINT event_identifiers_bounded CHECK ((GREATEST(octet_length(app_id), octet_length(event_id), octet_length(user_id), octet_length(category), octet_length(push_id), octet_length(payment_seq)) <= 512)),
    CONSTRAINT event_line_number_counted CHECK ((line_number >= 1)),
    CONSTRAINT event_occurred_at_check CHECK (isfinite(occurred_at)),
    CONSTRAINT event_occurred_at_in_range CHECK (((occurred_at >= '2000-01-01 00:00:00+00'::timestamp with time zone) AND (occurred_at <= '2100-01-02 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT event_user_id_named CHECK (((user_id <> ''::text) AND (user_id <> '0'::text)))
)
PARTITION BY RANGE (occurred_at);
ALTER TABLE ONLY game.event ALTER COLUMN message SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN auth_mapping_list SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN push_title SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN push_body SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN push_user_text SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN data SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN extra SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN line_number SET STATISTICS 0;
ALTER TABLE ONLY game.event ALTER COLUMN row_digest SET STATISTICS 0;

-- Name: event_category; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.event_category (
    category text NOT NULL COLLATE pg_catalog."C",
    event_group text NOT NULL COLLATE pg_catalog."C",
    constant_name text COLLATE pg_catalog."C",
    description text NOT NULL
);

-- Name: exchange_rate; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.exchange_rate (
    base_currency text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    valid_on date NOT NULL,
    rate numeric(24,12) NOT NULL,
    CONSTRAINT exchange_rate_rate_check CHECK (((rate > (0)::numeric) AND (rate < 'Infinity'::numeric)))
);

-- Name: game_user_snapshot; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.game_user_snapshot (
    observed_at timestamp with time zone NOT NULL,
    user_id text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    channel_id text COLLATE pg_catalog."C",
    character_id text COLLATE pg_catalog."C",
    user_level integer NOT NULL,
    class_id text COLLATE pg_catalog."C",
    observed_at_source text NOT NULL COLLATE pg_catalog."C",
    text_repaired boolean NOT NULL,
    extra json,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    row_digest uuid,
    CONSTRAINT game_user_snapshot_identifiers_bounded CHECK ((GREATEST(octet_length(app_id), octet_length(user_id), octet_length(character_id), octet_length(channel_id)) <= 512)),
    CONSTRAINT game_user_snapshot_line_number_counted CHECK ((line_number >= 1)),
    CONSTRAINT game_user_snapshot_observed_at_check CHECK (isfinite(observed_at)),
    CONSTRAINT game_user_snapshot_observed_at_in_range CHECK (((observed_at >= '2000-01-01 00:00:00+00'::timestamp with time zone) AND (observed_at <= '2100-01-02 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT game_user_snapshot_observed_at_source_check CHECK ((observed_at_source = ANY (ARRAY['line'::text, 'option'::text, 'load_start'::text]))),
    CONSTRAINT game_user_snapshot_user_id_named CHECK (((user_id <> ''::text) AND (user_id <> '0'::text))),
    CONSTRAINT game_user_snapshot_user_level_check CHECK ((user_level >= 0))
)
PARTITION BY RANGE (observed_at);
ALTER TABLE ONLY game.game_user_snapshot ALTER COLUMN extra SET STATISTICS 0;
ALTER TABLE ONLY game.game_user_snapshot ALTER COLUMN line_number SET STATISTICS 0;
ALTER TABLE ONLY game.game_user_snapshot ALTER COLUMN row_digest SET STATISTICS 0;

ALTER TABLE ONLY game.game_user_snapshot REPLICA IDENTITY FULL;

-- Name: identity_provider; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.identity_provider (
    idp_type text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL
);

-- Name: idp_revoked_code; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.idp_revoked_code (
    code bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL
);

-- Name: item_snapshot; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.item_snapshot (
    observed_at timestamp with time zone NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    market_item_id text COLLATE pg_catalog."C",
    item_seq bigint,
    currency text COLLATE pg_catalog."C",
    amount_minor bigint,
    price_raw text,
    price_repaired boolean NOT NULL,
    price_imprecise boolean NOT NULL,
    product_type text COLLATE pg_catalog."C",
    product_type_raw text,
    item_name text,
    localized_price text,
    localized_title text,
    localized_description text,
    is_active boolean,
    observed_at_source text NOT NULL COLLATE pg_catalog."C",
    text_repaired boolean NOT NULL,
    extra json,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    row_digest uuid,
    CONSTRAINT item_snapshot_amount_minor_check CHECK ((amount_minor >= 0)),
    CONSTRAINT item_snapshot_check CHECK (((gamebase_product_id IS NOT NULL) OR (market_item_id IS NOT NULL) OR (item_seq IS NOT NULL))),
    CONSTRAINT item_snapshot_check1 CHECK (((currency IS NOT NULL) OR (amount_minor IS NULL))),
    CONSTRAINT item_snapshot_currency_check CHECK ((octet_length(currency) = 3)),
    CONSTRAINT item_snapshot_identifiers_bounded CHECK ((GREATEST(octet_length(app_id), octet_length(gamebase_product_id), octet_length(market_item_id), octet_length(store_code)) <= 512)),
    CONSTRAINT item_snapshot_line_number_counted CHECK ((line_number >= 1)),
    CONSTRAINT item_snapshot_observed_at_check CHECK (isfinite(observed_at)),
    CONSTRAINT item_snapshot_observed_at_in_range CHECK (((observed_at >= '2000-01-01 00:00:00+00'::timestamp with time zone) AND (observed_at <= '2100-01-02 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT item_snapshot_observed_at_source_check CHECK ((observed_at_source = ANY (ARRAY['line'::text, 'option'::text, 'load_start'::text]))),
    CONSTRAINT item_snapshot_product_type_check CHECK ((product_type = ANY (ARRAY['UNKNOWN'::text, 'CONSUMABLE'::text, 'AUTO_RENEWABLE'::text, 'CONSUMABLE_AUTO_RENEWABLE'::text])))
)
PARTITION BY RANGE (observed_at);
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN price_raw SET STATISTICS 0;
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN item_name SET STATISTICS 0;
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN localized_price SET STATISTICS 0;
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN localized_title SET STATISTICS 0;
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN localized_description SET STATISTICS 0;
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN extra SET STATISTICS 0;
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN line_number SET STATISTICS 0;
ALTER TABLE ONLY game.item_snapshot ALTER COLUMN row_digest SET STATISTICS 0;

ALTER TABLE ONLY game.item_snapshot REPLICA IDENTITY FULL;

-- Name: launching_status; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.launching_status (
    code bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    is_playable boolean NOT NULL,
    description text NOT NULL
);

-- Name: level_up; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.level_up (
    leveled_up_at timestamp with time zone NOT NULL,
    user_id text NOT NULL COLLATE pg_catalog."C",
    user_level integer NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    character_id text COLLATE pg_catalog."C",
    channel_id text COLLATE pg_catalog."C",
    class_id text COLLATE pg_catalog."C",
    text_repaired boolean NOT NULL,
    extra json,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    row_digest uuid,
    CONSTRAINT level_up_identifiers_bounded CHECK ((GREATEST(octet_length(app_id), octet_length(user_id), octet_length(character_id), octet_length(channel_id)) <= 512)),
    CONSTRAINT level_up_leveled_up_at_check CHECK (isfinite(leveled_up_at)),
    CONSTRAINT level_up_leveled_up_at_in_range CHECK (((leveled_up_at >= '2000-01-01 00:00:00+00'::timestamp with time zone) AND (leveled_up_at <= '2100-01-02 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT level_up_line_number_counted CHECK ((line_number >= 1)),
    CONSTRAINT level_up_user_id_named CHECK (((user_id <> ''::text) AND (user_id <> '0'::text))),
    CONSTRAINT level_up_user_level_check CHECK ((user_level >= 0))
)
PARTITION BY RANGE (leveled_up_at);
ALTER TABLE ONLY game.level_up ALTER COLUMN extra SET STATISTICS 0;
ALTER TABLE ONLY game.level_up ALTER COLUMN line_number SET STATISTICS 0;
ALTER TABLE ONLY game.level_up ALTER COLUMN row_digest SET STATISTICS 0;

ALTER TABLE ONLY game.level_up REPLICA IDENTITY FULL;

-- Name: network_status; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.network_status (
    platform text NOT NULL COLLATE pg_catalog."C",
    code bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT network_status_platform_check CHECK ((platform = ANY (ARRAY['ios'::text, 'android_unity'::text])))
);

-- Name: push_action; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.push_action (
    app_id text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C"
);

-- Name: push_action_title; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.push_action_title (
    app_id text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    language text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL,
    CONSTRAINT push_action_title_title_check CHECK ((title <> ''::text))
);

-- Name: push_category_action; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.push_category_action (
    app_id text NOT NULL COLLATE pg_catalog."C",
    category text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    action text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT push_category_action_position_check CHECK ((("position" >= 1) AND ("position" <= 3)))
);

-- Name: receipt; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.receipt (
    payment_seq text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    market_item_id text COLLATE pg_catalog."C",
    item_seq bigint,
    product_type text COLLATE pg_catalog."C",
    product_type_raw text,
    store_code text COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    amount_minor bigint,
    price_raw text,
    price_repaired boolean NOT NULL,
    price_imprecise boolean NOT NULL,
    purchased_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    payment_id text COLLATE pg_catalog."C",
    original_payment_id text COLLATE pg_catalog."C",
    payload text,
    purchase_token_sha256 bytea,
    purchase_token text,
    is_sandbox boolean,
    is_promotion boolean,
    text_repaired boolean NOT NULL,
    extra json,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    row_digest uuid,
    CONSTRAINT receipt_amount_minor_check CHECK ((amount_minor >= 0)),
    CONSTRAINT receipt_currency_check CHECK ((octet_length(currency) = 3)),
    CONSTRAINT receipt_expires_at_check CHECK (isfinite(expires_at)),
    CONSTRAINT receipt_expires_at_in_range CHECK (((expires_at >= '2000-01-01 00:00:00+00'::timestamp with time zone) AND (expires_at <= '2100-01-01 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT receipt_identifiers_bounded CHECK ((GREATEST(octet_length(payment_seq), octet_length(app_id), octet_length(user_id), octet_length(gamebase_product_id), octet_length(market_item_id), octet_length(store_code)) <= 512)),
    CONSTRAINT receipt_line_number_counted CHECK ((line_number >= 1)),
    CONSTRAINT receipt_payment_seq_named CHECK ((payment_seq <> ''::text)),
    CONSTRAINT receipt_product_type_check CHECK ((product_type = ANY (ARRAY['UNKNOWN'::text, 'CONSUMABLE'::text, 'AUTO_RENEWABLE'::text, 'CONSUMABLE_AUTO_RENEWABLE'::text]))),
    CONSTRAINT receipt_purchase_token_sha256_check CHECK ((octet_length(purchase_token_sha256) = 32)),
    CONSTRAINT receipt_purchased_at_check CHECK (isfinite(purchased_at)),
    CONSTRAINT receipt_purchased_at_in_range CHECK (((purchased_at >= '2000-01-01 00:00:00+00'::timestamp with time zone) AND (purchased_at <= '2100-01-02 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT receipt_user_id_named CHECK (((user_id <> ''::text) AND (user_id <> '0'::text)))
);
ALTER TABLE ONLY game.receipt ALTER COLUMN price_raw SET STATISTICS 0;
ALTER TABLE ONLY game.receipt ALTER COLUMN payload SET STATISTICS 0;
ALTER TABLE ONLY game.receipt ALTER COLUMN purchase_token_sha256 SET STATISTICS 0;
ALTER TABLE ONLY game.receipt ALTER COLUMN purchase_token SET STATISTICS 0;
ALTER TABLE ONLY game.receipt ALTER COLUMN extra SET STATISTICS 0;
ALTER TABLE ONLY game.receipt ALTER COLUMN line_number SET STATISTICS 0;
ALTER TABLE ONLY game.receipt ALTER COLUMN row_digest SET STATISTICS 0;

-- Name: store; Type: TABLE; Schema: game; Owner: -

CREATE TABLE game.store (
    store_code text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL
);

-- Name: source_file_source_file_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.source_file ALTER COLUMN source_file_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME ingest.source_file_source_file_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: acceptance; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.acceptance (
    acceptance_id bigint DEFAULT nextval('ingest.source_file_source_file_id_seq'::regclass) NOT NULL,
    accepted_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    accepted_by text DEFAULT SESSION_USER NOT NULL,
    streams text[] NOT NULL,
    asked_file text,
    asked_load_id bigint,
    asked_stream text,
    asked_field text,
    is_asked_by_key boolean NOT NULL,
    line_count bigint DEFAULT 0 NOT NULL,
    row_count bigint DEFAULT 0 NOT NULL,
    value_count bigint DEFAULT 0 NOT NULL,
    undone_at timestamp with time zone,
    undone_by text,
    CONSTRAINT acceptance_line_count_check CHECK ((line_count >= 0)),
    CONSTRAINT acceptance_row_count_check CHECK ((row_count >= 0)),
    CONSTRAINT acceptance_undone_by_given CHECK (((undone_at IS NULL) = (undone_by IS NULL))),
    CONSTRAINT acceptance_value_count_check CHECK ((value_count >= 0))
);

-- Name: conflict; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.conflict (
    conflict_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    natural_key jsonb NOT NULL,
    field text NOT NULL,
    kept text NOT NULL,
    refused text NOT NULL,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    refused_row jsonb,
    acceptance_id bigint
);
ALTER TABLE ONLY ingest.conflict ALTER COLUMN refused_row SET STATISTICS 0;

-- Name: conflict_conflict_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.conflict ALTER COLUMN conflict_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ingest.conflict_conflict_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: definition_set; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.definition_set (
    is_current boolean DEFAULT true NOT NULL,
    checksum bytea NOT NULL,
    function_names text[] NOT NULL,
    built_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT definition_set_is_current_check CHECK (is_current)
);

-- Name: embedded_count; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.embedded_count (
    source_file_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    inserted_count bigint DEFAULT 0 NOT NULL,
    filled_count bigint DEFAULT 0 NOT NULL,
    duplicate_count bigint DEFAULT 0 NOT NULL,
    conflict_count bigint DEFAULT 0 NOT NULL,
    CONSTRAINT embedded_count_conflict_count_check CHECK ((conflict_count >= 0)),
    CONSTRAINT embedded_count_duplicate_count_check CHECK ((duplicate_count >= 0)),
    CONSTRAINT embedded_count_filled_count_check CHECK ((filled_count >= 0)),
    CONSTRAINT embedded_count_inserted_count_check CHECK ((inserted_count >= 0))
);

-- Name: erased_line; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.erased_line (
    source_file_id bigint NOT NULL,
    outcome text NOT NULL COLLATE pg_catalog."C",
    line_count bigint NOT NULL,
    CONSTRAINT erased_line_line_count_check CHECK ((line_count >= 1)),
    CONSTRAINT erased_line_outcome_check CHECK ((outcome = ANY (ARRAY['inserted'::text, 'filled'::text, 'conflict'::text, 'rejected'::text])))
);

-- Name: erased_record; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.erased_record (
    source_file_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    record_count bigint NOT NULL,
    CONSTRAINT erased_record_outcome_check CHECK ((outcome = ANY (ARRAY['inserted'::text, 'filled'::text, 'conflict'::text]))),
    CONSTRAINT erased_record_record_count_check CHECK ((record_count >= 1))
);

-- Name: erased_user; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.erased_user (
    user_hmac bytea NOT NULL,
    app_id text COLLATE pg_catalog."C",
    erased_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT erased_user_user_hmac_check CHECK ((octet_length(user_hmac) = 32))
);

ALTER TABLE ONLY ingest.erased_user REPLICA IDENTITY FULL;

-- Name: erasure_key; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.erasure_key (
    is_current boolean DEFAULT true NOT NULL,
    check_value bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT erasure_key_check_value_check CHECK ((octet_length(check_value) = 32)),
    CONSTRAINT erasure_key_is_current_check CHECK (is_current)
);

-- Name: failed_file; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.failed_file (
    failed_file_id bigint NOT NULL,
    load_id bigint NOT NULL,
    stream text COLLATE pg_catalog."C",
    path text NOT NULL,
    sha256 bytea,
    reason text NOT NULL,
    byte_count bigint DEFAULT 0 NOT NULL,
    line_count bigint DEFAULT 0 NOT NULL,
    rejected_count bigint DEFAULT 0 NOT NULL,
    failed_at timestamp with time zone DEFAULT now() NOT NULL,
    canonical_path text COLLATE pg_catalog."C",
    first_failed_at timestamp with time zone DEFAULT now() NOT NULL,
    attempt_count bigint DEFAULT 1 NOT NULL,
    error_code integer,
    kind text DEFAULT 'failed'::text NOT NULL COLLATE pg_catalog."C",
    app_id text COLLATE pg_catalog."C",
    CONSTRAINT failed_file_attempt_count_check CHECK ((attempt_count >= 1)),
    CONSTRAINT failed_file_counts_bounded CHECK (((attempt_count <= 1000000000) AND (LEAST(byte_count, line_count, rejected_count) >= 0))),
    CONSTRAINT failed_file_kind_check CHECK ((kind = ANY (ARRAY['failed'::text, 'missing'::text]))),
    CONSTRAINT failed_file_sha256_check CHECK ((octet_length(sha256) = 32)),
    CONSTRAINT failed_file_times_finite CHECK ((isfinite(failed_at) AND isfinite(first_failed_at)))
);

-- Name: failed_file_failed_file_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.failed_file ALTER COLUMN failed_file_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ingest.failed_file_failed_file_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: failed_reject; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.failed_reject (
    failed_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    byte_offset bigint NOT NULL,
    code text NOT NULL COLLATE pg_catalog."C",
    field text,
    reason text NOT NULL,
    raw bytea NOT NULL,
    raw_byte_count bigint NOT NULL,
    user_id text COLLATE pg_catalog."C",
    app_id text COLLATE pg_catalog."C",
    CONSTRAINT failed_reject_raw_bounded CHECK ((octet_length(raw) <= 1048576))
);
ALTER TABLE ONLY ingest.failed_reject ALTER COLUMN user_id SET STATISTICS 0;

-- Name: failure_dismissal; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.failure_dismissal (
    dismissal_id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    app_id text COLLATE pg_catalog."C",
    load_id bigint,
    stream text COLLATE pg_catalog."C",
    path text NOT NULL,
    reason text NOT NULL,
    failed_at timestamp with time zone NOT NULL,
    dismissed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    dismissed_by text DEFAULT SESSION_USER NOT NULL,
    note text,
    CONSTRAINT failure_dismissal_kind_check CHECK ((kind = ANY (ARRAY['failed'::text, 'missing'::text, 'undone'::text, 'implausible'::text, 'incomplete'::text])))
);

-- Name: failure_dismissal_dismissal_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.failure_dismissal ALTER COLUMN dismissal_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ingest.failure_dismissal_dismissal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: file_app; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.file_app (
    source_file_id bigint NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    first_event_at timestamp with time zone,
    newest_event_at timestamp with time zone,
    CONSTRAINT events_in_order CHECK (((num_nulls(first_event_at, newest_event_at) = ANY (ARRAY[0, 2])) AND (first_event_at <= newest_event_at))),
    CONSTRAINT events_of_contract CHECK (((first_event_at >= '2000-01-01 00:00:00+00'::timestamp with time zone) AND (newest_event_at <= '2100-01-02 00:00:00+00'::timestamp with time zone)))
);

-- Name: fill; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.fill (
    fill_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    natural_key jsonb NOT NULL,
    field text NOT NULL,
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL
);

-- Name: fill_fill_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.fill ALTER COLUMN fill_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ingest.fill_fill_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: kept_item_name; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.kept_item_name (
    app_id text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text NOT NULL COLLATE pg_catalog."C",
    source_file_id bigint NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    is_dated boolean NOT NULL,
    item_name text NOT NULL,
    store_code text COLLATE pg_catalog."C",
    market_item_id text COLLATE pg_catalog."C",
    item_seq bigint,
    currency text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY ingest.kept_item_name ALTER COLUMN item_name SET STATISTICS 0;

-- Name: kept_observation; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.kept_observation (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    stream text NOT NULL COLLATE pg_catalog."C",
    source_file_id bigint NOT NULL,
    first_observed_at timestamp with time zone NOT NULL,
    last_observed_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY ingest.kept_observation ALTER COLUMN user_id SET STATISTICS 0;

-- Name: known_field; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.known_field (
    source_file_id bigint NOT NULL,
    field text NOT NULL COLLATE pg_catalog."C",
    line_count bigint NOT NULL,
    CONSTRAINT known_field_line_count_check CHECK ((line_count >= 1))
);

-- Name: load; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.load (
    load_id bigint NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone,
    finished_at timestamp with time zone,
    exit_code integer,
    loader_version text NOT NULL,
    database_user text DEFAULT CURRENT_USER NOT NULL,
    target text COLLATE pg_catalog."C",
    first_day date,
    last_day date,
    CONSTRAINT load_days_finite CHECK ((isfinite(first_day) AND isfinite(last_day))),
    CONSTRAINT load_times_finite CHECK ((isfinite(started_at) AND isfinite(seen_at) AND isfinite(finished_at)))
);

-- Name: load_load_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.load ALTER COLUMN load_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ingest.load_load_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: met_file; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.met_file (
    source_file_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    met_file_id bigint NOT NULL
);

-- Name: open_day; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.open_day (
    app_id text NOT NULL COLLATE pg_catalog."C",
    stream text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    reason text NOT NULL,
    first_found_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT open_day_day_check CHECK (isfinite(day)),
    CONSTRAINT open_day_kind_check CHECK ((kind = ANY (ARRAY['implausible'::text, 'incomplete'::text])))
);

-- Name: overlaid_row; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.overlaid_row (
    overlaid_row_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    natural_key jsonb NOT NULL,
    loaded_values jsonb NOT NULL
);
ALTER TABLE ONLY ingest.overlaid_row ALTER COLUMN loaded_values SET STATISTICS 0;

-- Name: overlaid_row_overlaid_row_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.overlaid_row ALTER COLUMN overlaid_row_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ingest.overlaid_row_overlaid_row_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: pruned_conflict; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.pruned_conflict (
    source_file_id bigint NOT NULL,
    counted_at timestamp with time zone NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    app_id text COLLATE pg_catalog."C",
    conflict_count bigint NOT NULL,
    CONSTRAINT pruned_conflict_at_quarter CHECK (((EXTRACT(epoch FROM counted_at) % (900)::numeric) = (0)::numeric)),
    CONSTRAINT pruned_conflict_conflict_count_check CHECK ((conflict_count >= 1))
);

ALTER TABLE ONLY ingest.pruned_conflict REPLICA IDENTITY FULL;

-- Name: pruned_reject; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.pruned_reject (
    source_file_id bigint,
    counted_at timestamp with time zone NOT NULL,
    stream text COLLATE pg_catalog."C",
    code text NOT NULL COLLATE pg_catalog."C",
    field text,
    reject_count bigint NOT NULL,
    open_count bigint NOT NULL,
    CONSTRAINT pruned_reject_at_quarter CHECK (((EXTRACT(epoch FROM counted_at) % (900)::numeric) = (0)::numeric)),
    CONSTRAINT pruned_reject_open CHECK (((open_count >= 0) AND (open_count <= reject_count))),
    CONSTRAINT pruned_reject_reject_count_check CHECK ((reject_count >= 1))
);

ALTER TABLE ONLY ingest.pruned_reject REPLICA IDENTITY FULL;

-- Name: reference_file; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.reference_file (
    reference_file_id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    path text NOT NULL,
    sha256 bytea NOT NULL,
    byte_count bigint NOT NULL,
    loaded_at timestamp with time zone DEFAULT now() NOT NULL,
    loader_version text NOT NULL,
    database_user text DEFAULT CURRENT_USER NOT NULL,
    CONSTRAINT reference_file_byte_count_check CHECK ((byte_count >= 0)),
    CONSTRAINT reference_file_kind_check CHECK ((kind = 'push-actions'::text)),
    CONSTRAINT reference_file_sha256_check CHECK ((octet_length(sha256) = 32))
);

-- Name: reference_file_reference_file_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.reference_file ALTER COLUMN reference_file_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ingest.reference_file_reference_file_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: reject; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.reject (
    reject_id bigint NOT NULL,
    source_file_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    line_number bigint NOT NULL,
    byte_offset bigint NOT NULL,
    code text NOT NULL COLLATE pg_catalog."C",
    field text,
    reason text NOT NULL,
    raw bytea NOT NULL,
    raw_byte_count bigint NOT NULL,
    user_id text COLLATE pg_catalog."C",
    app_id text COLLATE pg_catalog."C",
    resolved_at timestamp with time zone,
    resolved_order bigint,
    CONSTRAINT reject_byte_offset_check CHECK ((byte_offset >= 0)),
    CONSTRAINT reject_line_number_check CHECK ((line_number >= 1)),
    CONSTRAINT reject_raw_bounded CHECK ((octet_length(raw) <= 1048576))
);
ALTER TABLE ONLY ingest.reject ALTER COLUMN user_id SET STATISTICS 0;

-- Name: stream; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.stream (
    stream text NOT NULL COLLATE pg_catalog."C",
    target_table text NOT NULL COLLATE pg_catalog."C",
    key_columns text[] NOT NULL,
    compared_columns text[] NOT NULL,
    followers jsonb DEFAULT '{}'::jsonb NOT NULL,
    empty_is_absent_columns text[] DEFAULT '{}'::text[] NOT NULL,
    secret_columns text[] DEFAULT '{}'::text[] NOT NULL,
    partition_column text,
    time_column text COLLATE pg_catalog."C",
    time_source_column text COLLATE pg_catalog."C",
    has_player boolean DEFAULT true NOT NULL,
    has_user boolean DEFAULT true NOT NULL,
    embedded_stream text COLLATE pg_catalog."C",
    judged_from date
);

-- Name: reject_reject_id_seq; Type: SEQUENCE; Schema: ingest; Owner: -

ALTER TABLE ingest.reject ALTER COLUMN reject_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME ingest.reject_reject_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: row_digest_key; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.row_digest_key (
    points bytea NOT NULL,
    CONSTRAINT row_digest_key_points_check CHECK ((octet_length(points) = 16))
);

ALTER TABLE ONLY ingest.row_digest_key REPLICA IDENTITY FULL;

-- Name: schema_migration; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.schema_migration (
    version text NOT NULL COLLATE pg_catalog."C",
    checksum bytea NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

-- Name: setting; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.setting (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    set_at timestamp with time zone DEFAULT now() NOT NULL,
    set_by text DEFAULT SESSION_USER NOT NULL,
    CONSTRAINT setting_base_currency_check CHECK (((name <> 'base-currency'::text) OR (value ~ '^[A-Z]{3}$'::text))),
    CONSTRAINT setting_name_check CHECK (((name = ANY (ARRAY['app-id'::text, 'apps'::text, 'time-zone'::text, 'base-currency'::text, 'receipt-feed'::text, 'max-age'::text, 'min-daily-lines'::text, 'min-usual-lines'::text])) OR (name ~ '^(receipt-feed|max-age|min-daily-lines|min-usual-lines)\..'::text))),
    CONSTRAINT setting_number_check CHECK (((name !~ '^(max-age|min-daily-lines|min-usual-lines)'::text) OR (value ~ '^[1-9][0-9]{0,6}$'::text))),
    CONSTRAINT setting_receipt_feed_check CHECK (((name !~ '^receipt-feed'::text) OR (value = ANY (ARRAY['auto'::text, 'files'::text, 'events'::text])))),
    CONSTRAINT setting_time_zone_check CHECK (((name <> 'time-zone'::text) OR (value = 'UTC'::text) OR ((value ~ '^[A-Za-z].*/.'::text) AND (value !~ '^(Etc|posix|right)/'::text)))),
    CONSTRAINT setting_value_check CHECK ((value <> ''::text))
);

-- Name: table_place; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.table_place (
    table_schema text NOT NULL COLLATE pg_catalog."C",
    table_name text NOT NULL COLLATE pg_catalog."C",
    distribution_column text COLLATE pg_catalog."C",
    colocated_with text COLLATE pg_catalog."C",
    CONSTRAINT table_place_check CHECK (((colocated_with IS NULL) OR (distribution_column IS NOT NULL)))
);

-- Name: unknown_field; Type: TABLE; Schema: ingest; Owner: -

CREATE TABLE ingest.unknown_field (
    source_file_id bigint NOT NULL,
    field text COLLATE pg_catalog."C",
    line_count bigint NOT NULL,
    first_line_number bigint NOT NULL,
    CONSTRAINT unknown_field_first_line_number_check CHECK ((first_line_number >= 1)),
    CONSTRAINT unknown_field_line_count_check CHECK ((line_count >= 1))
);

ALTER TABLE ONLY ingest.unknown_field REPLICA IDENTITY FULL;

-- Name: app_horizon; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.app_horizon (
    app_id text NOT NULL COLLATE pg_catalog."C",
    receipt_feed text NOT NULL COLLATE pg_catalog."C",
    receipt_first_at timestamp with time zone,
    receipt_newest_at timestamp with time zone,
    money_first_at timestamp with time zone,
    money_newest_at timestamp with time zone,
    first_at timestamp with time zone,
    observed_first_at timestamp with time zone,
    observed_newest_at timestamp with time zone,
    receipt_trusted_at timestamp with time zone,
    trusted_at timestamp with time zone,
    CONSTRAINT app_horizon_receipt_feed_check CHECK ((receipt_feed = ANY (ARRAY['files'::text, 'events'::text])))
);

-- Name: horizon; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.horizon (
    app_id text NOT NULL COLLATE pg_catalog."C",
    stream text NOT NULL COLLATE pg_catalog."C",
    first_event_at timestamp with time zone,
    newest_event_at timestamp with time zone,
    first_on date,
    newest_on date,
    newest_day_line_count bigint
);

-- Name: player; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.player (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    first_observed_at timestamp with time zone,
    first_observed_on date,
    first_observed_in text COLLATE pg_catalog."C",
    last_observed_at timestamp with time zone,
    first_paid_at timestamp with time zone,
    first_paid_on date,
    last_paid_at timestamp with time zone,
    paid_count bigint NOT NULL,
    user_level integer,
    channel_id text COLLATE pg_catalog."C",
    character_id text COLLATE pg_catalog."C",
    class_id text COLLATE pg_catalog."C",
    last_level_up_at timestamp with time zone,
    highest_level integer
)
WITH (fillfactor='80');
ALTER TABLE ONLY rollup.player ALTER COLUMN user_id SET STATISTICS 0;

-- Name: calendar_period; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.calendar_period (
    period text NOT NULL COLLATE pg_catalog."C",
    period_start date NOT NULL,
    last_day date NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    CONSTRAINT calendar_period_period_check CHECK ((period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text])))
);

-- Name: dropped_month; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.dropped_month (
    stream text NOT NULL COLLATE pg_catalog."C",
    month date NOT NULL,
    source_file_id bigint NOT NULL,
    starts_at timestamp with time zone GENERATED ALWAYS AS (((month)::timestamp without time zone AT TIME ZONE 'UTC'::text)) STORED NOT NULL,
    ends_at timestamp with time zone GENERATED ALWAYS AS ((((month)::timestamp without time zone + '1 mon'::interval) AT TIME ZONE 'UTC'::text)) STORED NOT NULL,
    CONSTRAINT dropped_month_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);

-- Name: player_period; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.player_period (
    app_id text NOT NULL COLLATE pg_catalog."C",
    period text NOT NULL COLLATE pg_catalog."C",
    period_start date NOT NULL,
    row_count bigint NOT NULL,
    observed_user_count bigint NOT NULL,
    level_up_user_count bigint NOT NULL,
    snapshot_user_count bigint NOT NULL,
    new_user_count bigint NOT NULL,
    payer_count bigint NOT NULL,
    new_payer_count bigint NOT NULL,
    CONSTRAINT player_period_period_check CHECK ((period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text])))
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.player_period REPLICA IDENTITY FULL;

-- Name: currency_period; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.currency_period (
    app_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    period text NOT NULL COLLATE pg_catalog."C",
    period_start date NOT NULL,
    paid_count bigint NOT NULL,
    payer_count bigint NOT NULL,
    amount_minor numeric NOT NULL,
    new_payer_amount_minor numeric NOT NULL,
    CONSTRAINT currency_period_period_check CHECK ((period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text])))
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.currency_period REPLICA IDENTITY FULL;

-- Name: base_unit; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.base_unit (
    currency text COLLATE pg_catalog."C",
    minor_unit integer,
    minor_unit_value numeric(5,4),
    CONSTRAINT base_unit_check CHECK (((minor_unit IS NULL) = (currency IS NULL))),
    CONSTRAINT base_unit_check1 CHECK (((minor_unit_value IS NULL) = (currency IS NULL)))
);

ALTER TABLE ONLY rollup.base_unit REPLICA IDENTITY FULL;

-- Name: day_rate; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.day_rate (
    currency text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    rate numeric(24,12) NOT NULL
);

-- Name: stream_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.stream_day (
    stream text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    line_count bigint NOT NULL,
    first_event_at timestamp with time zone NOT NULL,
    newest_event_at timestamp with time zone NOT NULL
);

-- Name: character_change; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.character_change (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    channel_id text COLLATE pg_catalog."C",
    character_id text COLLATE pg_catalog."C",
    valid_from timestamp with time zone NOT NULL,
    user_level integer NOT NULL,
    class_id text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY rollup.character_change ALTER COLUMN user_id SET STATISTICS 0;
ALTER TABLE ONLY rollup.character_change ALTER COLUMN character_id SET STATISTICS 0;

ALTER TABLE ONLY rollup.character_change REPLICA IDENTITY FULL;

-- Name: churn_month; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.churn_month (
    app_id text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    month date NOT NULL,
    change_count bigint NOT NULL,
    active_change bigint NOT NULL,
    churned_count bigint NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.churn_month REPLICA IDENTITY FULL;

-- Name: product_name; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.product_name (
    app_id text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text NOT NULL COLLATE pg_catalog."C",
    product_name text NOT NULL,
    is_dated boolean NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    store_code text COLLATE pg_catalog."C",
    market_item_id text COLLATE pg_catalog."C",
    item_seq bigint,
    currency text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY rollup.product_name ALTER COLUMN product_name SET STATISTICS 0;

-- Name: cohort_size; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.cohort_size (
    app_id text NOT NULL COLLATE pg_catalog."C",
    cohort_kind text NOT NULL COLLATE pg_catalog."C",
    cohort_on date NOT NULL,
    cohort_size bigint NOT NULL,
    CONSTRAINT cohort_size_cohort_kind_check CHECK ((cohort_kind = ANY (ARRAY['first_observed'::text, 'first_paid'::text])))
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.cohort_size REPLICA IDENTITY FULL;

-- Name: cohort_step; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.cohort_step (
    day_n integer NOT NULL,
    CONSTRAINT cohort_step_day_n_check CHECK ((day_n >= 0))
);

-- Name: cohort_converted; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.cohort_converted (
    app_id text NOT NULL COLLATE pg_catalog."C",
    cohort_on date NOT NULL,
    day_n integer NOT NULL,
    converted_count bigint NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.cohort_converted REPLICA IDENTITY FULL;

-- Name: current_game_user; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.current_game_user (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    channel_id text COLLATE pg_catalog."C",
    character_id text COLLATE pg_catalog."C",
    user_level integer NOT NULL,
    class_id text COLLATE pg_catalog."C",
    observed_at timestamp with time zone NOT NULL,
    observed_at_source text NOT NULL COLLATE pg_catalog."C",
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL
)
WITH (fillfactor='80');
ALTER TABLE ONLY rollup.current_game_user ALTER COLUMN user_id SET STATISTICS 0;
ALTER TABLE ONLY rollup.current_game_user ALTER COLUMN character_id SET STATISTICS 0;

ALTER TABLE ONLY rollup.current_game_user REPLICA IDENTITY FULL;

-- Name: current_item; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.current_item (
    app_id text NOT NULL COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    market_item_id text COLLATE pg_catalog."C",
    item_seq bigint,
    currency text COLLATE pg_catalog."C",
    amount_minor bigint,
    product_type text COLLATE pg_catalog."C",
    item_name text,
    localized_price text,
    localized_title text,
    localized_description text,
    is_active boolean,
    observed_at timestamp with time zone NOT NULL,
    observed_at_source text NOT NULL COLLATE pg_catalog."C",
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL
);
ALTER TABLE ONLY rollup.current_item ALTER COLUMN item_name SET STATISTICS 0;
ALTER TABLE ONLY rollup.current_item ALTER COLUMN localized_price SET STATISTICS 0;
ALTER TABLE ONLY rollup.current_item ALTER COLUMN localized_title SET STATISTICS 0;
ALTER TABLE ONLY rollup.current_item ALTER COLUMN localized_description SET STATISTICS 0;

ALTER TABLE ONLY rollup.current_item REPLICA IDENTITY FULL;

-- Name: event_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.event_day (
    day date NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    category text NOT NULL COLLATE pg_catalog."C",
    event_group text NOT NULL COLLATE pg_catalog."C",
    code bigint,
    event_count bigint NOT NULL,
    user_count bigint NOT NULL
);

ALTER TABLE ONLY rollup.event_day REPLICA IDENTITY FULL;

-- Name: refresh_state; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.refresh_state (
    stream text NOT NULL COLLATE pg_catalog."C",
    source_file_id bigint DEFAULT 0 NOT NULL,
    load_id bigint,
    refreshed_at timestamp with time zone,
    has_open_erasure boolean DEFAULT false NOT NULL
);

-- Name: conflict_line; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.conflict_line (
    source_file_id bigint NOT NULL,
    line_number bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    app_id text COLLATE pg_catalog."C"
);

-- Name: set_aside_player; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.set_aside_player (
    player_number bigint NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    since timestamp with time zone DEFAULT now() NOT NULL,
    attempt_count bigint DEFAULT 1 NOT NULL,
    error text NOT NULL COLLATE pg_catalog."C",
    streams text[] DEFAULT '{}'::text[] NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY rollup.set_aside_player ALTER COLUMN user_id SET STATISTICS 0;

-- Name: idp_revocation_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.idp_revocation_day (
    day date NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    idp_type text COLLATE pg_catalog."C",
    code bigint,
    event_count bigint NOT NULL,
    user_count bigint NOT NULL
);

ALTER TABLE ONLY rollup.idp_revocation_day REPLICA IDENTITY FULL;

-- Name: item_change; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.item_change (
    app_id text NOT NULL COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    market_item_id text COLLATE pg_catalog."C",
    item_seq bigint,
    currency text COLLATE pg_catalog."C",
    valid_from timestamp with time zone NOT NULL,
    amount_minor bigint,
    product_type text COLLATE pg_catalog."C",
    item_name text,
    localized_title text,
    is_active boolean
);
ALTER TABLE ONLY rollup.item_change ALTER COLUMN item_name SET STATISTICS 0;
ALTER TABLE ONLY rollup.item_change ALTER COLUMN localized_title SET STATISTICS 0;

ALTER TABLE ONLY rollup.item_change REPLICA IDENTITY FULL;

-- Name: kickout_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.kickout_day (
    day date NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    message_count bigint NOT NULL,
    message_user_count bigint NOT NULL,
    close_count bigint DEFAULT 0 NOT NULL,
    close_user_count bigint DEFAULT 0 NOT NULL,
    CONSTRAINT kickout_day_kind_check CHECK ((kind = ANY (ARRAY['app'::text, 'transfer'::text])))
);

-- Name: level; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.level (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_level integer NOT NULL,
    recorded_user_count bigint NOT NULL,
    stopped_user_count bigint NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.level REPLICA IDENTITY FULL;

-- Name: cohort_level; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.cohort_level (
    app_id text NOT NULL COLLATE pg_catalog."C",
    cohort_month date NOT NULL,
    user_level integer NOT NULL,
    recorded_user_count bigint NOT NULL,
    stopped_user_count bigint NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.cohort_level REPLICA IDENTITY FULL;

-- Name: level_percentile; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.level_percentile (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_level integer NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    user_count bigint NOT NULL,
    p25_minutes numeric(14,2) NOT NULL,
    p50_minutes numeric(14,2) NOT NULL,
    p90_minutes numeric(14,2) NOT NULL
);

-- Name: file_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.file_day (
    source_file_id bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    line_count bigint NOT NULL,
    load_start_count bigint NOT NULL,
    unknown_sandbox_count bigint NOT NULL,
    unpriced_count bigint NOT NULL,
    free_count bigint NOT NULL,
    imprecise_count bigint NOT NULL,
    repaired_count bigint NOT NULL,
    unknown_product_type_count bigint NOT NULL,
    untyped_expiry_count bigint NOT NULL,
    first_event_at timestamp with time zone,
    newest_event_at timestamp with time zone
);

-- Name: mrr_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.mrr_day (
    app_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    change_count bigint NOT NULL,
    twelfths_change numeric NOT NULL,
    unknown_length_change bigint NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.mrr_day REPLICA IDENTITY FULL;

-- Name: mrr_month; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.mrr_month (
    app_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    month date NOT NULL,
    change_count bigint NOT NULL,
    new_twelfths numeric NOT NULL,
    reactivated_twelfths numeric NOT NULL,
    expansion_twelfths numeric NOT NULL,
    contraction_twelfths numeric NOT NULL,
    churned_twelfths numeric NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.mrr_month REPLICA IDENTITY FULL;

-- Name: concentration_month; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.concentration_month (
    month date NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    top_share numeric NOT NULL,
    payer_count bigint NOT NULL,
    amount_minor numeric NOT NULL,
    total_amount_minor numeric NOT NULL,
    CONSTRAINT concentration_month_top_share_check CHECK (((top_share > (0)::numeric) AND (top_share <= (1)::numeric))),
    CONSTRAINT concentration_month_total_amount_minor_check CHECK ((total_amount_minor > (0)::numeric))
);

-- Name: player_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.player_day (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    is_observed boolean NOT NULL,
    is_new_payer boolean NOT NULL,
    level_up_count integer NOT NULL,
    paid_count integer NOT NULL,
    level_at_end integer
);
ALTER TABLE ONLY rollup.player_day ALTER COLUMN user_id SET STATISTICS 0;

-- Name: purchase; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.purchase (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    is_sandbox boolean,
    is_promotion boolean,
    price_imprecise boolean NOT NULL,
    is_paid boolean NOT NULL,
    is_level_exact boolean,
    purchased_at timestamp with time zone NOT NULL,
    amount_minor bigint,
    day date NOT NULL,
    user_level integer,
    payment_seq text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    channel_id text COLLATE pg_catalog."C",
    character_id text COLLATE pg_catalog."C",
    class_id text COLLATE pg_catalog."C",
    is_first_paid boolean NOT NULL
);
ALTER TABLE ONLY rollup.purchase ALTER COLUMN user_id SET STATISTICS 0;
ALTER TABLE ONLY rollup.purchase ALTER COLUMN payment_seq SET STATISTICS 0;
ALTER TABLE ONLY rollup.purchase ALTER COLUMN channel_id SET STATISTICS 0;
ALTER TABLE ONLY rollup.purchase ALTER COLUMN character_id SET STATISTICS 0;
ALTER TABLE ONLY rollup.purchase ALTER COLUMN class_id SET STATISTICS 0;

ALTER TABLE ONLY rollup.purchase REPLICA IDENTITY FULL;

-- Name: player_value; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.player_value (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    minor_unit integer NOT NULL,
    paid_count bigint NOT NULL,
    converted_count bigint NOT NULL,
    base_amount numeric(60,16) NOT NULL,
    shown_amount numeric(60,4) GENERATED ALWAYS AS (
CASE
    WHEN (converted_count > 0) THEN round(base_amount, minor_unit)
    ELSE NULL::numeric
END) STORED
)
WITH (fillfactor='90');
ALTER TABLE ONLY rollup.player_value ALTER COLUMN user_id SET STATISTICS 0;

ALTER TABLE ONLY rollup.player_value REPLICA IDENTITY FULL;

-- Name: revenue_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.revenue_day (
    app_id text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    currency text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    is_promotion boolean NOT NULL,
    purchase_count bigint NOT NULL,
    paid_count bigint NOT NULL,
    payer_count bigint NOT NULL,
    new_payer_count bigint NOT NULL,
    free_count bigint NOT NULL,
    unpriced_count bigint NOT NULL,
    imprecise_count bigint NOT NULL,
    unknown_sandbox_count bigint NOT NULL,
    amount_minor numeric NOT NULL,
    promotion_amount_minor numeric NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.revenue_day REPLICA IDENTITY FULL;

-- Name: sandbox_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.sandbox_day (
    app_id text NOT NULL COLLATE pg_catalog."C",
    day date NOT NULL,
    currency text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    purchase_count bigint NOT NULL,
    payer_count bigint NOT NULL,
    amount_minor numeric NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.sandbox_day REPLICA IDENTITY FULL;

-- Name: subscription_period; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.subscription_period (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    payment_seq text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    amount_minor bigint,
    chain_id text NOT NULL COLLATE pg_catalog."C",
    chain_rule text NOT NULL COLLATE pg_catalog."C",
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    period_kind text COLLATE pg_catalog."C",
    is_trial boolean NOT NULL,
    is_paid boolean NOT NULL,
    is_renewed boolean NOT NULL,
    is_expiry boolean NOT NULL,
    renewal_number integer,
    cohort_month date,
    cohort_product_id text COLLATE pg_catalog."C",
    cohort_started_as text COLLATE pg_catalog."C",
    CONSTRAINT subscription_period_chain_rule_check CHECK ((chain_rule = ANY (ARRAY['original'::text, 'google'::text, 'payment'::text, 'product'::text]))),
    CONSTRAINT subscription_period_check CHECK ((ends_at >= starts_at)),
    CONSTRAINT subscription_period_cohort_started_as_check CHECK ((cohort_started_as = ANY (ARRAY['trial'::text, 'paid'::text, 'other'::text]))),
    CONSTRAINT subscription_period_period_kind_check CHECK ((period_kind = ANY (ARRAY['new'::text, 'continued'::text, 'renewal'::text, 'resubscription'::text])))
);
ALTER TABLE ONLY rollup.subscription_period ALTER COLUMN user_id SET STATISTICS 0;
ALTER TABLE ONLY rollup.subscription_period ALTER COLUMN payment_seq SET STATISTICS 0;
ALTER TABLE ONLY rollup.subscription_period ALTER COLUMN chain_id SET STATISTICS 0;

-- Name: push_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.push_day (
    day date NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    push_id text COLLATE pg_catalog."C",
    received_count bigint NOT NULL,
    received_user_count bigint NOT NULL,
    clicked_count bigint NOT NULL,
    clicked_user_count bigint NOT NULL,
    action_count bigint NOT NULL,
    open_app_count bigint NOT NULL,
    open_url_count bigint NOT NULL,
    reply_count bigint NOT NULL,
    dismiss_count bigint NOT NULL,
    first_received_at timestamp with time zone,
    first_clicked_at timestamp with time zone
);

ALTER TABLE ONLY rollup.push_day REPLICA IDENTITY FULL;

-- Name: push; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.push (
    app_id text NOT NULL COLLATE pg_catalog."C",
    push_id text NOT NULL COLLATE pg_catalog."C",
    first_received_at timestamp with time zone,
    received_user_count bigint NOT NULL,
    clicked_user_count bigint NOT NULL,
    starts_at timestamp with time zone
);

-- Name: cohort_observed; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.cohort_observed (
    app_id text NOT NULL COLLATE pg_catalog."C",
    cohort_on date NOT NULL,
    day_n integer NOT NULL,
    observed_count bigint NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.cohort_observed REPLICA IDENTITY FULL;

-- Name: cohort_revenue; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.cohort_revenue (
    app_id text NOT NULL COLLATE pg_catalog."C",
    cohort_kind text NOT NULL COLLATE pg_catalog."C",
    cohort_on date NOT NULL,
    day_n integer NOT NULL,
    currency text NOT NULL COLLATE pg_catalog."C",
    paid_count bigint NOT NULL,
    payer_count bigint NOT NULL,
    amount_minor numeric NOT NULL,
    CONSTRAINT cohort_revenue_cohort_kind_check CHECK ((cohort_kind = ANY (ARRAY['first_observed'::text, 'first_paid'::text])))
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.cohort_revenue REPLICA IDENTITY FULL;

-- Name: level_revenue; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.level_revenue (
    app_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    user_level integer,
    level_attribution text NOT NULL COLLATE pg_catalog."C",
    paid_count bigint NOT NULL,
    payer_count bigint NOT NULL,
    amount_minor numeric NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.level_revenue REPLICA IDENTITY FULL;

-- Name: subscription_day; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.subscription_day (
    app_id text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    store_code text COLLATE pg_catalog."C",
    day date NOT NULL,
    change_count bigint NOT NULL,
    paid_change bigint NOT NULL,
    trial_change bigint NOT NULL,
    other_change bigint NOT NULL,
    new_count bigint NOT NULL,
    continued_count bigint NOT NULL,
    converted_count bigint NOT NULL,
    renewed_count bigint NOT NULL,
    resubscribed_count bigint NOT NULL,
    expired_count bigint NOT NULL,
    overlapped_count bigint NOT NULL,
    active_paid bigint DEFAULT 0 NOT NULL,
    active_trial bigint DEFAULT 0 NOT NULL,
    active_other bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.subscription_day REPLICA IDENTITY FULL;

-- Name: subscription_cohort; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.subscription_cohort (
    app_id text NOT NULL COLLATE pg_catalog."C",
    cohort_product_id text COLLATE pg_catalog."C",
    cohort_month date NOT NULL,
    cohort_started_as text NOT NULL COLLATE pg_catalog."C",
    renewal_number integer NOT NULL,
    chain_count bigint NOT NULL,
    renewed_count bigint NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.subscription_cohort REPLICA IDENTITY FULL;

-- Name: trial_month; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.trial_month (
    app_id text NOT NULL COLLATE pg_catalog."C",
    gamebase_product_id text COLLATE pg_catalog."C",
    month date NOT NULL,
    trial_count bigint NOT NULL,
    converted_count bigint NOT NULL,
    ends_at timestamp with time zone
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.trial_month REPLICA IDENTITY FULL;

-- Name: cohort_value; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.cohort_value (
    app_id text NOT NULL COLLATE pg_catalog."C",
    cohort_kind text NOT NULL COLLATE pg_catalog."C",
    cohort_on date NOT NULL,
    day_n integer NOT NULL,
    paid_count bigint NOT NULL,
    converted_count bigint NOT NULL,
    base_amount numeric(60,16) NOT NULL,
    CONSTRAINT cohort_value_cohort_kind_check CHECK ((cohort_kind = ANY (ARRAY['first_observed'::text, 'first_paid'::text])))
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.cohort_value REPLICA IDENTITY FULL;

-- Name: history; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.history (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    part integer NOT NULL,
    rows bytea NOT NULL,
    CONSTRAINT history_rows_check CHECK ((octet_length(rows) <= 1048576))
);
ALTER TABLE ONLY rollup.history ALTER COLUMN user_id SET STATISTICS 0;
ALTER TABLE ONLY rollup.history ALTER COLUMN rows SET STATISTICS 0;
ALTER TABLE ONLY rollup.history ALTER COLUMN rows SET STORAGE EXTERNAL;

-- Name: level_time; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.level_time (
    app_id text NOT NULL COLLATE pg_catalog."C",
    user_level integer NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    bucket integer NOT NULL,
    user_count bigint NOT NULL,
    CONSTRAINT level_time_kind_check CHECK ((kind = ANY (ARRAY['first_observed'::text, 'previous_level'::text])))
)
WITH (fillfactor='90');

ALTER TABLE ONLY rollup.level_time REPLICA IDENTITY FULL;

-- Name: touched_file; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.touched_file (
    source_file_id bigint NOT NULL
);

ALTER TABLE ONLY rollup.touched_file REPLICA IDENTITY FULL;

-- Name: refresh_lock; Type: TABLE; Schema: rollup; Owner: -

CREATE TABLE rollup.refresh_lock (
    is_never boolean NOT NULL,
    CONSTRAINT refresh_lock_is_never_check CHECK ((NOT is_never))
);

-- Name: set_aside_player_player_number_seq; Type: SEQUENCE; Schema: rollup; Owner: -

ALTER TABLE rollup.set_aside_player ALTER COLUMN player_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME rollup.set_aside_player_player_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: currency currency_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.currency
    ADD CONSTRAINT currency_pkey PRIMARY KEY (currency);

-- Name: display_language display_language_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.display_language
    ADD CONSTRAINT display_language_pkey PRIMARY KEY (code);

-- Name: error_code error_code_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.error_code
    ADD CONSTRAINT error_code_pkey PRIMARY KEY (code, name);

-- Name: event_category event_category_constant_name_key; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.event_category
    ADD CONSTRAINT event_category_constant_name_key UNIQUE (constant_name);

-- Name: event_category event_category_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.event_category
    ADD CONSTRAINT event_category_pkey PRIMARY KEY (category);

-- Name: event event_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (occurred_at, app_id, event_id);

-- Name: exchange_rate exchange_rate_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.exchange_rate
    ADD CONSTRAINT exchange_rate_pkey PRIMARY KEY (base_currency, currency, valid_on);

-- Name: identity_provider identity_provider_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.identity_provider
    ADD CONSTRAINT identity_provider_pkey PRIMARY KEY (idp_type);

-- Name: idp_revoked_code idp_revoked_code_name_key; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.idp_revoked_code
    ADD CONSTRAINT idp_revoked_code_name_key UNIQUE (name);

-- Name: idp_revoked_code idp_revoked_code_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.idp_revoked_code
    ADD CONSTRAINT idp_revoked_code_pkey PRIMARY KEY (code);

-- Name: launching_status launching_status_name_key; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.launching_status
    ADD CONSTRAINT launching_status_name_key UNIQUE (name);

-- Name: launching_status launching_status_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.launching_status
    ADD CONSTRAINT launching_status_pkey PRIMARY KEY (code);

-- Name: network_status network_status_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.network_status
    ADD CONSTRAINT network_status_pkey PRIMARY KEY (platform, code);

-- Name: push_action push_action_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.push_action
    ADD CONSTRAINT push_action_pkey PRIMARY KEY (app_id, action);

-- Name: push_action_title push_action_title_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.push_action_title
    ADD CONSTRAINT push_action_title_pkey PRIMARY KEY (app_id, action, language);

-- Name: push_category_action push_category_action_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.push_category_action
    ADD CONSTRAINT push_category_action_pkey PRIMARY KEY (app_id, category, "position");

-- Name: receipt receipt_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.receipt
    ADD CONSTRAINT receipt_pkey PRIMARY KEY (payment_seq);

-- Name: store store_pkey; Type: CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.store
    ADD CONSTRAINT store_pkey PRIMARY KEY (store_code);

-- Name: acceptance acceptance_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.acceptance
    ADD CONSTRAINT acceptance_pkey PRIMARY KEY (acceptance_id);

-- Name: conflict conflict_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.conflict
    ADD CONSTRAINT conflict_pkey PRIMARY KEY (conflict_id);

-- Name: definition_set definition_set_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.definition_set
    ADD CONSTRAINT definition_set_pkey PRIMARY KEY (is_current);

-- Name: embedded_count embedded_count_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.embedded_count
    ADD CONSTRAINT embedded_count_pkey PRIMARY KEY (source_file_id, stream);

-- Name: erased_line erased_line_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erased_line
    ADD CONSTRAINT erased_line_pkey PRIMARY KEY (source_file_id, outcome);

-- Name: erased_record erased_record_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erased_record
    ADD CONSTRAINT erased_record_pkey PRIMARY KEY (source_file_id, stream, outcome);

-- Name: erased_user erased_user_once; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erased_user
    ADD CONSTRAINT erased_user_once UNIQUE NULLS NOT DISTINCT (user_hmac, app_id);

-- Name: erasure_key erasure_key_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erasure_key
    ADD CONSTRAINT erasure_key_pkey PRIMARY KEY (is_current);

-- Name: failed_file failed_file_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.failed_file
    ADD CONSTRAINT failed_file_pkey PRIMARY KEY (failed_file_id);

-- Name: failed_reject failed_reject_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.failed_reject
    ADD CONSTRAINT failed_reject_pkey PRIMARY KEY (failed_file_id, line_number);

-- Name: failure_dismissal failure_dismissal_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.failure_dismissal
    ADD CONSTRAINT failure_dismissal_pkey PRIMARY KEY (dismissal_id);

-- Name: file_app file_app_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.file_app
    ADD CONSTRAINT file_app_pkey PRIMARY KEY (source_file_id, app_id);

-- Name: fill fill_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.fill
    ADD CONSTRAINT fill_pkey PRIMARY KEY (fill_id);

-- Name: kept_item_name kept_item_name_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.kept_item_name
    ADD CONSTRAINT kept_item_name_pkey PRIMARY KEY (app_id, gamebase_product_id, source_file_id, observed_at);

-- Name: kept_observation kept_observation_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.kept_observation
    ADD CONSTRAINT kept_observation_pkey PRIMARY KEY (app_id, user_id, stream, source_file_id);

-- Name: known_field known_field_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.known_field
    ADD CONSTRAINT known_field_pkey PRIMARY KEY (source_file_id, field);

-- Name: load load_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.load
    ADD CONSTRAINT load_pkey PRIMARY KEY (load_id);

-- Name: met_file met_file_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.met_file
    ADD CONSTRAINT met_file_pkey PRIMARY KEY (source_file_id, stream, met_file_id);

-- Name: open_day open_day_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.open_day
    ADD CONSTRAINT open_day_pkey PRIMARY KEY (app_id, stream, day);

-- Name: overlaid_row overlaid_row_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.overlaid_row
    ADD CONSTRAINT overlaid_row_pkey PRIMARY KEY (overlaid_row_id);

-- Name: pruned_conflict pruned_conflict_once; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.pruned_conflict
    ADD CONSTRAINT pruned_conflict_once UNIQUE NULLS NOT DISTINCT (source_file_id, counted_at, stream, app_id);

-- Name: pruned_reject pruned_reject_once; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.pruned_reject
    ADD CONSTRAINT pruned_reject_once UNIQUE NULLS NOT DISTINCT (source_file_id, counted_at, stream, code, field);

-- Name: reference_file reference_file_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.reference_file
    ADD CONSTRAINT reference_file_pkey PRIMARY KEY (reference_file_id);

-- Name: reject reject_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.reject
    ADD CONSTRAINT reject_pkey PRIMARY KEY (reject_id);

-- Name: schema_migration schema_migration_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (version);

-- Name: setting setting_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (name);

-- Name: source_file source_file_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.source_file
    ADD CONSTRAINT source_file_pkey PRIMARY KEY (source_file_id);

-- Name: stream stream_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.stream
    ADD CONSTRAINT stream_pkey PRIMARY KEY (stream);

-- Name: table_place table_place_pkey; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.table_place
    ADD CONSTRAINT table_place_pkey PRIMARY KEY (table_schema, table_name);

-- Name: unknown_field unknown_field_once; Type: CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.unknown_field
    ADD CONSTRAINT unknown_field_once UNIQUE NULLS NOT DISTINCT (source_file_id, field);

-- Name: app_horizon app_horizon_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.app_horizon
    ADD CONSTRAINT app_horizon_pkey PRIMARY KEY (app_id);

-- Name: calendar_period calendar_period_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.calendar_period
    ADD CONSTRAINT calendar_period_pkey PRIMARY KEY (period, period_start);

-- Name: churn_month churn_month_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.churn_month
    ADD CONSTRAINT churn_month_key UNIQUE NULLS NOT DISTINCT (app_id, gamebase_product_id, month);

-- Name: cohort_converted cohort_converted_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.cohort_converted
    ADD CONSTRAINT cohort_converted_key UNIQUE NULLS NOT DISTINCT (app_id, cohort_on, day_n);

-- Name: cohort_level cohort_level_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.cohort_level
    ADD CONSTRAINT cohort_level_key UNIQUE NULLS NOT DISTINCT (app_id, cohort_month, user_level);

-- Name: cohort_observed cohort_observed_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.cohort_observed
    ADD CONSTRAINT cohort_observed_key UNIQUE NULLS NOT DISTINCT (app_id, cohort_on, day_n);

-- Name: cohort_revenue cohort_revenue_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.cohort_revenue
    ADD CONSTRAINT cohort_revenue_key UNIQUE NULLS NOT DISTINCT (app_id, cohort_kind, cohort_on, day_n, currency);

-- Name: cohort_size cohort_size_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.cohort_size
    ADD CONSTRAINT cohort_size_key UNIQUE NULLS NOT DISTINCT (app_id, cohort_kind, cohort_on);

-- Name: cohort_step cohort_step_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.cohort_step
    ADD CONSTRAINT cohort_step_pkey PRIMARY KEY (day_n);

-- Name: cohort_value cohort_value_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.cohort_value
    ADD CONSTRAINT cohort_value_key UNIQUE NULLS NOT DISTINCT (app_id, cohort_kind, cohort_on, day_n);

-- Name: concentration_month concentration_month_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.concentration_month
    ADD CONSTRAINT concentration_month_pkey PRIMARY KEY (month, app_id, currency, top_share);

-- Name: conflict_line conflict_line_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.conflict_line
    ADD CONSTRAINT conflict_line_pkey PRIMARY KEY (source_file_id, line_number, stream);

-- Name: currency_period currency_period_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.currency_period
    ADD CONSTRAINT currency_period_key UNIQUE NULLS NOT DISTINCT (app_id, currency, period, period_start);

-- Name: current_game_user current_game_user_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.current_game_user
    ADD CONSTRAINT current_game_user_key UNIQUE NULLS NOT DISTINCT (app_id, user_id, channel_id, character_id);

-- Name: current_item current_item_rollup_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.current_item
    ADD CONSTRAINT current_item_rollup_key UNIQUE NULLS NOT DISTINCT (app_id, gamebase_product_id, currency, market_item_id, store_code, item_seq);

-- Name: day_rate day_rate_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.day_rate
    ADD CONSTRAINT day_rate_pkey PRIMARY KEY (currency, day);

-- Name: dropped_month dropped_month_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.dropped_month
    ADD CONSTRAINT dropped_month_pkey PRIMARY KEY (stream, month);

-- Name: event_day event_day_rollup_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.event_day
    ADD CONSTRAINT event_day_rollup_key UNIQUE NULLS NOT DISTINCT (day, app_id, category, event_group, code);

-- Name: file_day file_day_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.file_day
    ADD CONSTRAINT file_day_pkey PRIMARY KEY (source_file_id, stream, app_id, day);

-- Name: history history_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.history
    ADD CONSTRAINT history_pkey PRIMARY KEY (app_id, user_id, part);

-- Name: horizon horizon_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.horizon
    ADD CONSTRAINT horizon_pkey PRIMARY KEY (app_id, stream);

-- Name: idp_revocation_day idp_revocation_day_rollup_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.idp_revocation_day
    ADD CONSTRAINT idp_revocation_day_rollup_key UNIQUE NULLS NOT DISTINCT (day, app_id, idp_type, code);

-- Name: item_change item_change_rollup_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.item_change
    ADD CONSTRAINT item_change_rollup_key UNIQUE NULLS NOT DISTINCT (app_id, gamebase_product_id, currency, valid_from, market_item_id, store_code, item_seq);

-- Name: kickout_day kickout_day_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.kickout_day
    ADD CONSTRAINT kickout_day_pkey PRIMARY KEY (day, app_id, kind);

-- Name: level level_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.level
    ADD CONSTRAINT level_key UNIQUE NULLS NOT DISTINCT (app_id, user_level);

-- Name: level_percentile level_percentile_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.level_percentile
    ADD CONSTRAINT level_percentile_pkey PRIMARY KEY (app_id, user_level, kind);

-- Name: level_revenue level_revenue_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.level_revenue
    ADD CONSTRAINT level_revenue_key UNIQUE NULLS NOT DISTINCT (app_id, currency, user_level, level_attribution);

-- Name: level_time level_time_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.level_time
    ADD CONSTRAINT level_time_key UNIQUE (app_id, user_level, kind, bucket);

-- Name: mrr_day mrr_day_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.mrr_day
    ADD CONSTRAINT mrr_day_key UNIQUE NULLS NOT DISTINCT (app_id, currency, day);

-- Name: mrr_month mrr_month_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.mrr_month
    ADD CONSTRAINT mrr_month_key UNIQUE NULLS NOT DISTINCT (app_id, currency, month);

-- Name: player_day player_day_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.player_day
    ADD CONSTRAINT player_day_pkey PRIMARY KEY (app_id, user_id, day);

-- Name: player_period player_period_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.player_period
    ADD CONSTRAINT player_period_key UNIQUE NULLS NOT DISTINCT (app_id, period, period_start);

-- Name: player player_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.player
    ADD CONSTRAINT player_pkey PRIMARY KEY (app_id, user_id);

-- Name: player_value player_value_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.player_value
    ADD CONSTRAINT player_value_key UNIQUE NULLS NOT DISTINCT (app_id, user_id, minor_unit);

-- Name: product_name product_name_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.product_name
    ADD CONSTRAINT product_name_pkey PRIMARY KEY (app_id, gamebase_product_id);

-- Name: push_day push_day_rollup_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.push_day
    ADD CONSTRAINT push_day_rollup_key UNIQUE NULLS NOT DISTINCT (day, app_id, push_id);

-- Name: push push_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.push
    ADD CONSTRAINT push_pkey PRIMARY KEY (app_id, push_id);

-- Name: refresh_state refresh_state_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.refresh_state
    ADD CONSTRAINT refresh_state_pkey PRIMARY KEY (stream);

-- Name: revenue_day revenue_day_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.revenue_day
    ADD CONSTRAINT revenue_day_key UNIQUE NULLS NOT DISTINCT (app_id, day, currency, gamebase_product_id, store_code, is_promotion);

-- Name: sandbox_day sandbox_day_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.sandbox_day
    ADD CONSTRAINT sandbox_day_key UNIQUE NULLS NOT DISTINCT (app_id, day, currency, gamebase_product_id, store_code);

-- Name: set_aside_player set_aside_player_app_id_user_id_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.set_aside_player
    ADD CONSTRAINT set_aside_player_app_id_user_id_key UNIQUE (app_id, user_id);

-- Name: set_aside_player set_aside_player_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.set_aside_player
    ADD CONSTRAINT set_aside_player_pkey PRIMARY KEY (player_number);

-- Name: stream_day stream_day_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.stream_day
    ADD CONSTRAINT stream_day_pkey PRIMARY KEY (stream, app_id, day);

-- Name: subscription_cohort subscription_cohort_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.subscription_cohort
    ADD CONSTRAINT subscription_cohort_key UNIQUE NULLS NOT DISTINCT (app_id, cohort_product_id, cohort_month, cohort_started_as, renewal_number);

-- Name: subscription_day subscription_day_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.subscription_day
    ADD CONSTRAINT subscription_day_key UNIQUE NULLS NOT DISTINCT (app_id, gamebase_product_id, store_code, day);

-- Name: subscription_period subscription_period_pkey; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.subscription_period
    ADD CONSTRAINT subscription_period_pkey PRIMARY KEY (app_id, user_id, payment_seq);

-- Name: trial_month trial_month_key; Type: CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.trial_month
    ADD CONSTRAINT trial_month_key UNIQUE NULLS NOT DISTINCT (app_id, gamebase_product_id, month, ends_at);

-- Name: event_source_file; Type: INDEX; Schema: game; Owner: -

CREATE INDEX event_source_file ON ONLY game.event USING brin (source_file_id) WITH (pages_per_range='32');

-- Name: game_user_snapshot_key; Type: INDEX; Schema: game; Owner: -

CREATE UNIQUE INDEX game_user_snapshot_key ON ONLY game.game_user_snapshot USING btree (observed_at, user_id, app_id, channel_id, character_id) NULLS NOT DISTINCT;

-- Name: game_user_snapshot_source_file; Type: INDEX; Schema: game; Owner: -

CREATE INDEX game_user_snapshot_source_file ON ONLY game.game_user_snapshot USING brin (source_file_id) WITH (pages_per_range='32');

-- Name: item_snapshot_key; Type: INDEX; Schema: game; Owner: -

CREATE UNIQUE INDEX item_snapshot_key ON ONLY game.item_snapshot USING btree (observed_at, app_id, store_code, gamebase_product_id, market_item_id, item_seq, currency) NULLS NOT DISTINCT;

-- Name: item_snapshot_source_file; Type: INDEX; Schema: game; Owner: -

CREATE INDEX item_snapshot_source_file ON ONLY game.item_snapshot USING brin (source_file_id) WITH (pages_per_range='32');

-- Name: level_up_key; Type: INDEX; Schema: game; Owner: -

CREATE UNIQUE INDEX level_up_key ON ONLY game.level_up USING btree (leveled_up_at, user_id, user_level, app_id, character_id) NULLS NOT DISTINCT;

-- Name: level_up_source_file; Type: INDEX; Schema: game; Owner: -

CREATE INDEX level_up_source_file ON ONLY game.level_up USING brin (source_file_id) WITH (pages_per_range='32');

-- Name: receipt_purchased_at; Type: INDEX; Schema: game; Owner: -

CREATE INDEX receipt_purchased_at ON game.receipt USING brin (purchased_at) WITH (pages_per_range='32');

-- Name: receipt_source_file; Type: INDEX; Schema: game; Owner: -

CREATE INDEX receipt_source_file ON game.receipt USING brin (source_file_id) WITH (pages_per_range='32');

-- Name: conflict_acceptance; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX conflict_acceptance ON ingest.conflict USING btree (acceptance_id) WHERE (acceptance_id IS NOT NULL);

-- Name: conflict_key; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX conflict_key ON ingest.conflict USING hash (natural_key) WHERE (refused_row IS NOT NULL);

-- Name: conflict_source_file; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX conflict_source_file ON ingest.conflict USING btree (source_file_id, line_number);

-- Name: failed_file_path; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX failed_file_path ON ingest.failed_file USING btree (path);

-- Name: failure_dismissal_path; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX failure_dismissal_path ON ingest.failure_dismissal USING hash (path);

-- Name: file_app_of_app; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX file_app_of_app ON ingest.file_app USING btree (app_id, source_file_id);

-- Name: fill_key; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX fill_key ON ingest.fill USING hash (natural_key);

-- Name: fill_source_file; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX fill_source_file ON ingest.fill USING btree (source_file_id, line_number);

-- Name: kept_item_name_file; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX kept_item_name_file ON ingest.kept_item_name USING btree (source_file_id);

-- Name: kept_observation_file; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX kept_observation_file ON ingest.kept_observation USING btree (source_file_id);

-- Name: met_file_met; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX met_file_met ON ingest.met_file USING btree (met_file_id);

-- Name: overlaid_row_key; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX overlaid_row_key ON ingest.overlaid_row USING hash (natural_key);

-- Name: reference_file_newest; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX reference_file_newest ON ingest.reference_file USING btree (kind, app_id, reference_file_id);

-- Name: reject_source_file; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX reject_source_file ON ingest.reject USING btree (source_file_id, line_number);

-- Name: row_digest_key_once; Type: INDEX; Schema: ingest; Owner: -

CREATE UNIQUE INDEX row_digest_key_once ON ingest.row_digest_key USING btree ((true));

-- Name: source_file_asked; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX source_file_asked ON ingest.source_file USING btree (stream, app_id, asked_on) WHERE (asked_on IS NOT NULL);

-- Name: source_file_identity; Type: INDEX; Schema: ingest; Owner: -

CREATE UNIQUE INDEX source_file_identity ON ingest.source_file USING btree (sha256, empty_path, stream, app_id, observed_at) NULLS NOT DISTINCT WHERE (undone_at IS NULL);

-- Name: source_file_length; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX source_file_length ON ingest.source_file USING btree (byte_count, stream) WHERE (undone_at IS NULL);

-- Name: source_file_load; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX source_file_load ON ingest.source_file USING btree (load_id);

-- Name: source_file_opened_by; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX source_file_opened_by ON ingest.source_file USING btree (opened_by);

-- Name: source_file_path; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX source_file_path ON ingest.source_file USING hash (canonical_path) WHERE (undone_at IS NULL);

-- Name: source_file_undone; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX source_file_undone ON ingest.source_file USING btree (sha256) WHERE (undone_at IS NOT NULL);

-- Name: unknown_field_name; Type: INDEX; Schema: ingest; Owner: -

CREATE INDEX unknown_field_name ON ingest.unknown_field USING btree (field, source_file_id);

-- Name: base_unit_once; Type: INDEX; Schema: rollup; Owner: -

CREATE UNIQUE INDEX base_unit_once ON rollup.base_unit USING btree ((true));

-- Name: character_change_player; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX character_change_player ON rollup.character_change USING btree (app_id, user_id);

-- Name: file_day_day; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX file_day_day ON rollup.file_day USING btree (day, app_id);

-- Name: player_last_level_up; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX player_last_level_up ON rollup.player USING btree (app_id, last_level_up_at);

-- Name: player_value_highest; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX player_value_highest ON rollup.player_value USING btree (app_id, shown_amount DESC NULLS LAST);

-- Name: purchase_day; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX purchase_day ON rollup.purchase USING btree (app_id, day);

-- Name: purchase_hour; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX purchase_hour ON rollup.purchase USING btree (app_id, date_bin('01:00:00'::interval, purchased_at, '2000-01-01 00:00:00+00'::timestamp with time zone)) WHERE is_paid;

-- Name: purchase_player; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX purchase_player ON rollup.purchase USING btree (app_id, user_id);

-- Name: push_day_push; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX push_day_push ON rollup.push_day USING btree (app_id, push_id);

-- Name: subscription_day_newest; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX subscription_day_newest ON rollup.subscription_day USING btree (app_id, COALESCE(gamebase_product_id, ''::text), COALESCE(store_code, ''::text), day);

-- Name: subscription_period_end; Type: INDEX; Schema: rollup; Owner: -

CREATE INDEX subscription_period_end ON rollup.subscription_period USING btree (app_id, ends_at);

-- Name: event refuse_facts_without_file; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER refuse_facts_without_file AFTER INSERT ON game.event FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_facts_without_file('event');

-- Name: game_user_snapshot refuse_facts_without_file; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER refuse_facts_without_file AFTER INSERT ON game.game_user_snapshot FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_facts_without_file('game_user');

-- Name: item_snapshot refuse_facts_without_file; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER refuse_facts_without_file AFTER INSERT ON game.item_snapshot FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_facts_without_file('item');

-- Name: level_up refuse_facts_without_file; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER refuse_facts_without_file AFTER INSERT ON game.level_up FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_facts_without_file('level_up');

-- Name: receipt refuse_facts_without_file; Type: TRIGGER; Schema: game; Owner: -

CREATE TRIGGER refuse_facts_without_file AFTER INSERT ON game.receipt FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_facts_without_file('receipt');

-- Name: known_field refuse_lines_of_other_files; Type: TRIGGER; Schema: ingest; Owner: -

CREATE TRIGGER refuse_lines_of_other_files AFTER INSERT ON ingest.known_field REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_lines_of_other_files();

-- Name: reject refuse_lines_of_other_files; Type: TRIGGER; Schema: ingest; Owner: -

CREATE TRIGGER refuse_lines_of_other_files AFTER INSERT ON ingest.reject REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_lines_of_other_files();

-- Name: unknown_field refuse_lines_of_other_files; Type: TRIGGER; Schema: ingest; Owner: -

CREATE TRIGGER refuse_lines_of_other_files AFTER INSERT ON ingest.unknown_field REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_lines_of_other_files();

-- Name: source_file refuse_open_entry; Type: TRIGGER; Schema: ingest; Owner: -

CREATE CONSTRAINT TRIGGER refuse_open_entry AFTER INSERT OR UPDATE ON ingest.source_file DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ingest.refuse_open_entry();

-- Name: exchange_rate exchange_rate_base_currency_fkey; Type: FK CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.exchange_rate
    ADD CONSTRAINT exchange_rate_base_currency_fkey FOREIGN KEY (base_currency) REFERENCES game.currency(currency);

-- Name: exchange_rate exchange_rate_currency_fkey; Type: FK CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.exchange_rate
    ADD CONSTRAINT exchange_rate_currency_fkey FOREIGN KEY (currency) REFERENCES game.currency(currency);

-- Name: push_action_title push_action_title_app_id_action_fkey; Type: FK CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.push_action_title
    ADD CONSTRAINT push_action_title_app_id_action_fkey FOREIGN KEY (app_id, action) REFERENCES game.push_action(app_id, action);

-- Name: push_category_action push_category_action_app_id_action_fkey; Type: FK CONSTRAINT; Schema: game; Owner: -

ALTER TABLE ONLY game.push_category_action
    ADD CONSTRAINT push_category_action_app_id_action_fkey FOREIGN KEY (app_id, action) REFERENCES game.push_action(app_id, action);

-- Name: conflict conflict_acceptance_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.conflict
    ADD CONSTRAINT conflict_acceptance_id_fkey FOREIGN KEY (acceptance_id) REFERENCES ingest.acceptance(acceptance_id);

-- Name: conflict conflict_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.conflict
    ADD CONSTRAINT conflict_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: embedded_count embedded_count_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.embedded_count
    ADD CONSTRAINT embedded_count_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: embedded_count embedded_count_stream_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.embedded_count
    ADD CONSTRAINT embedded_count_stream_fkey FOREIGN KEY (stream) REFERENCES ingest.stream(stream);

-- Name: erased_line erased_line_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erased_line
    ADD CONSTRAINT erased_line_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id);

-- Name: erased_record erased_record_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erased_record
    ADD CONSTRAINT erased_record_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id);

-- Name: erased_record erased_record_stream_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.erased_record
    ADD CONSTRAINT erased_record_stream_fkey FOREIGN KEY (stream) REFERENCES ingest.stream(stream);

-- Name: failed_file failed_file_load_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.failed_file
    ADD CONSTRAINT failed_file_load_id_fkey FOREIGN KEY (load_id) REFERENCES ingest.load(load_id);

-- Name: failed_reject failed_reject_failed_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.failed_reject
    ADD CONSTRAINT failed_reject_failed_file_id_fkey FOREIGN KEY (failed_file_id) REFERENCES ingest.failed_file(failed_file_id);

-- Name: file_app file_app_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.file_app
    ADD CONSTRAINT file_app_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: fill fill_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.fill
    ADD CONSTRAINT fill_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: kept_observation kept_observation_stream_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.kept_observation
    ADD CONSTRAINT kept_observation_stream_fkey FOREIGN KEY (stream) REFERENCES ingest.stream(stream);

-- Name: known_field known_field_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.known_field
    ADD CONSTRAINT known_field_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: met_file met_file_met_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.met_file
    ADD CONSTRAINT met_file_met_file_id_fkey FOREIGN KEY (met_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: met_file met_file_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.met_file
    ADD CONSTRAINT met_file_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: met_file met_file_stream_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.met_file
    ADD CONSTRAINT met_file_stream_fkey FOREIGN KEY (stream) REFERENCES ingest.stream(stream);

-- Name: open_day open_day_stream_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.open_day
    ADD CONSTRAINT open_day_stream_fkey FOREIGN KEY (stream) REFERENCES ingest.stream(stream);

-- Name: overlaid_row overlaid_row_stream_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.overlaid_row
    ADD CONSTRAINT overlaid_row_stream_fkey FOREIGN KEY (stream) REFERENCES ingest.stream(stream);

-- Name: pruned_conflict pruned_conflict_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.pruned_conflict
    ADD CONSTRAINT pruned_conflict_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id);

-- Name: pruned_reject pruned_reject_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.pruned_reject
    ADD CONSTRAINT pruned_reject_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id);

-- Name: reject reject_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.reject
    ADD CONSTRAINT reject_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: source_file source_file_load_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.source_file
    ADD CONSTRAINT source_file_load_id_fkey FOREIGN KEY (load_id) REFERENCES ingest.load(load_id);

-- Name: stream stream_embedded_stream_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.stream
    ADD CONSTRAINT stream_embedded_stream_fkey FOREIGN KEY (embedded_stream) REFERENCES ingest.stream(stream);

-- Name: table_place table_place_table_schema_colocated_with_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.table_place
    ADD CONSTRAINT table_place_table_schema_colocated_with_fkey FOREIGN KEY (table_schema, colocated_with) REFERENCES ingest.table_place(table_schema, table_name);

-- Name: unknown_field unknown_field_source_file_id_fkey; Type: FK CONSTRAINT; Schema: ingest; Owner: -

ALTER TABLE ONLY ingest.unknown_field
    ADD CONSTRAINT unknown_field_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id) DEFERRABLE INITIALLY DEFERRED;

-- Name: base_unit base_unit_currency_fkey; Type: FK CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.base_unit
    ADD CONSTRAINT base_unit_currency_fkey FOREIGN KEY (currency) REFERENCES game.currency(currency);

-- Name: dropped_month dropped_month_stream_fkey; Type: FK CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.dropped_month
    ADD CONSTRAINT dropped_month_stream_fkey FOREIGN KEY (stream) REFERENCES ingest.stream(stream);

-- Name: refresh_state refresh_state_load_id_fkey; Type: FK CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.refresh_state
    ADD CONSTRAINT refresh_state_load_id_fkey FOREIGN KEY (load_id) REFERENCES ingest.load(load_id);

-- Name: refresh_state refresh_state_stream_fkey; Type: FK CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.refresh_state
    ADD CONSTRAINT refresh_state_stream_fkey FOREIGN KEY (stream) REFERENCES ingest.stream(stream);

-- Name: touched_file touched_file_source_file_id_fkey; Type: FK CONSTRAINT; Schema: rollup; Owner: -

ALTER TABLE ONLY rollup.touched_file
    ADD CONSTRAINT touched_file_source_file_id_fkey FOREIGN KEY (source_file_id) REFERENCES ingest.source_file(source_file_id);

-- PostgreSQL database dump complete

