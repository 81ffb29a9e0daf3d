"""The streams of docs/data-contract.md: tables, columns, keys and spellings of fields."""

from __future__ import annotations

from values import OracleError

Row = dict[str, object]
Key = tuple[object, ...]

# By stream: table, columns and key. Rows are printed in this order of columns.
TABLES = {
    "receipt": "receipt", "level_up": "level_up", "game_user": "game_user_snapshot",
    "item": "item_snapshot", "event": "event",
}
COLUMNS = {
    "receipt": (
        "payment_seq", "app_id", "user_id", "gamebase_product_id", "market_item_id", "item_seq",
        "product_type", "product_type_raw", "store_code", "currency", "amount_minor", "price_raw",
        "price_repaired", "price_imprecise", "purchased_at", "expires_at", "payment_id",
        "original_payment_id", "payload", "purchase_token_sha256", "is_sandbox", "is_promotion",
        "text_repaired", "extra"),
    "level_up": (
        "app_id", "user_id", "user_level", "leveled_up_at", "channel_id", "character_id",
        "class_id", "text_repaired", "extra"),
    "game_user": (
        "app_id", "user_id", "user_level", "channel_id", "character_id", "class_id", "observed_at",
        "observed_at_source", "text_repaired", "extra"),
    "item": (
        "observed_at", "app_id", "store_code", "gamebase_product_id", "market_item_id", "item_seq",
        "currency", "amount_minor", "price_raw", "price_repaired", "price_imprecise", "product_type",
        "product_type_raw", "item_name", "localized_price", "localized_title",
        "localized_description", "is_active", "observed_at_source", "text_repaired", "extra"),
    "event": (
        "occurred_at", "app_id", "event_id", "user_id", "category", "category_raw", "event_group",
        "code", "message", "idp_type", "auth_mapping_list", "push_id", "push_title", "push_body",
        "push_is_foreground", "push_action_type", "push_user_text", "payment_seq", "data",
        "text_repaired", "extra"),
}
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
TIMES = {"purchased_at", "expires_at", "leveled_up_at", "observed_at", "occurred_at"}
# The time that makes a row an event; a row whose time source is load_start is none.
EVENT_TIMES = {
    "receipt": "purchased_at", "level_up": "leveled_up_at", "game_user": "observed_at", "item": "observed_at",
    "event": "occurred_at",
}
# A spelling of a category that counts only on lines without a category.
OLD_CATEGORY = "type"

# The spellings of each field; a refusal for a missing field names the first one.
Spellings = dict[str, tuple[str, ...]]
SPELLINGS: dict[str, Spellings] = {
    "receipt": {
        "payment_seq": ("paymentSeq",), "user_id": ("userId",), "app_id": ("appId",),
        "event_time": ("eventTime",), "gamebase_product_id": ("gamebaseProductId",),
        "market_item_id": ("marketItemId", "productId"), "item_seq": ("itemSeq", "productSeq"),
        "product_type": ("productType",), "store_code": ("storeCode", "marketId"),
        "currency": ("currency",), "price": ("price",),
        "purchased_at": ("purchaseTime", "purchaseTimeMillis"),
        "expires_at": ("expiryTime", "expiryTimeMillis"), "payment_id": ("paymentId",),
        "original_payment_id": ("originalPaymentId",), "payload": ("payload",),
        "token": ("purchaseToken", "accessToken"),
        "is_sandbox": ("sandboxPayment", "isTestPurchase", "bIsTestPurchase"),
        "is_promotion": ("promotionPayment", "isPromotion", "bIsPromotion"),
        "purchase_type": ("purchaseType",),
    },
    "level_up": {
        "user_id": ("userId",), "app_id": ("appId",), "event_time": ("eventTime",),
        "user_level": ("userLevel",), "leveled_up_at": ("levelUpTime",),
        "channel_id": ("channelId",), "character_id": ("characterId",),
        "class_id": ("classId", "characterClassId"),
    },
    "game_user": {
        "user_id": ("userId",), "app_id": ("appId",), "event_time": ("eventTime",),
        "user_level": ("userLevel",), "channel_id": ("channelId",),
        "character_id": ("characterId",), "class_id": ("classId", "characterClassId"),
    },
    "item": {
        "user": ("userId",), "app_id": ("appId",), "event_time": ("eventTime",),
        "store_code": ("storeCode", "marketId"), "gamebase_product_id": ("gamebaseProductId",),
        "market_item_id": ("marketItemId",), "item_seq": ("itemSeq", "productSeq"),
        "currency": ("currency",), "price": ("price",), "product_type": ("productType",),
        "item_name": ("itemName",), "localized_price": ("localizedPrice",),
        "localized_title": ("localizedTitle",), "localized_description": ("localizedDescription",),
        "is_active": ("active", "isActive"),
    },
    "event": {
        "user_id": ("userId",), "app_id": ("appId",), "event_time": ("eventTime",),
        "event_id": ("eventId",), "category": ("category",), "data": ("data",),
    },
}

# The members of the data of events with a column, by group. A click on an action has members of its own, and those of a
# push in its message.
DATA_SPELLINGS: dict[str, Spellings] = {
    "observer": {"code": ("code",), "message": ("message",)},
    "idp_revoked": {"code": ("code",), "idp_type": ("idPType",), "auth_mapping_list": ("authMappingList",)},
    "logged_out": {"message": ("message",)},
    "push": {
        "push_id": ("id", "identifier"), "push_title": ("title",), "push_body": ("body",),
        "push_is_foreground": ("isForeground",)},
    "push_action": {"push_action_type": ("actionType",), "push_user_text": ("userText",), "push": ("message",)},
}


def stream_of(name: str) -> str:
    """The stream that a file's name selects."""
    for prefix, stream in (
        ("receipt", "receipt"), ("levelup", "level_up"), ("gameuser", "game_user"), ("item", "item"),
        ("event", "event"),
    ):
        if name.startswith(prefix):
            return stream
    raise OracleError(f"no stream for {name}")
