"""The streams of docs/data-contract.md: tables, columns and keys."""

from __future__ import annotations

from values import OracleError

Row = dict[str, object]
Key = tuple[object, ...]

TABLES = {
    "receipt": "receipt", "level_up": "level_up", "game_user": "game_user_snapshot",
    "item": "item_snapshot", "event": "event",
}
# Rows are printed in this order of columns.
COLUMNS = {stream: tuple(names.split()) for stream, names in {
    "receipt": """payment_seq app_id user_id gamebase_product_id market_item_id item_seq product_type product_type_raw
        store_code currency amount_minor price_raw price_repaired price_imprecise purchased_at expires_at payment_id
        original_payment_id payload purchase_token_sha256 is_sandbox is_promotion text_repaired extra""",
    "level_up": "app_id user_id user_level leveled_up_at channel_id character_id class_id text_repaired extra",
    "game_user": """app_id user_id user_level channel_id character_id class_id observed_at observed_at_source
        text_repaired extra""",
    "item": """observed_at app_id store_code gamebase_product_id market_item_id item_seq currency amount_minor price_raw
        price_repaired price_imprecise product_type product_type_raw item_name localized_price localized_title
        localized_description is_active observed_at_source text_repaired extra""",
    "event": """occurred_at app_id event_id user_id category category_raw event_group code message idp_type
        auth_mapping_list push_id push_title push_body push_is_foreground push_action_type push_user_text payment_seq
        data text_repaired extra""",
}.items()}
KEYS = {
    "receipt": ("payment_seq",),
    "level_up": ("app_id", "user_id", "character_id", "user_level", "leveled_up_at"),
    "game_user": ("app_id", "user_id", "channel_id", "character_id", "observed_at"),
    "item": (
        "observed_at", "app_id", "store_code", "gamebase_product_id", "market_item_id", "item_seq",
        "currency"),
    "event": ("occurred_at", "app_id", "event_id"),
}
# Columns that are filled together with their compared column.
FOLLOWERS = {
    "amount_minor": ("price_raw", "price_repaired", "price_imprecise"),
    "product_type": ("product_type_raw",),
    "category": ("category_raw", "event_group"),
}
# Columns that are neither key nor compared, beside the followers.
UNCOMPARED = ("observed_at_source", "text_repaired", "extra")
COMPARED = {
    stream: tuple(
        name for name in columns
        if name not in (*KEYS[stream], *UNCOMPARED) and not any(name in names for names in FOLLOWERS.values()))
    for stream, columns in COLUMNS.items()
}
# The time that makes a row an event; a row whose time source is load_start is none.
EVENT_TIMES = {
    "receipt": "purchased_at", "level_up": "leveled_up_at", "game_user": "observed_at", "item": "observed_at",
    "event": "occurred_at",
}
TIMES = {"expires_at", *EVENT_TIMES.values()}


def stream_of(name: str) -> str:
    """The stream that a file's name selects."""
    for stream in TABLES:
        if name.startswith(stream.replace("_", "")):
            return stream
    raise OracleError(f"no stream for {name}")
