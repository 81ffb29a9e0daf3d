-- The vendor's code tables, so that reports can show names beside codes. Facts have no foreign key to them: an unknown
-- code is data, and views show its name as NULL.

create table game.launching_status (
  code bigint primary key,
  name text collate "C" not null unique,
  is_playable boolean not null,
  description text not null
);
comment on table game.launching_status is
  'One row per launching status, the state of the service that a client was told. Source: NHN Cloud documents "Gamebase iOS SDK: Initialization" and "Gamebase iOS SDK: ETC"; only the first one lists 203, 204 and 205. Loaded by: the migration create_reference_data.';
comment on column game.launching_status.code is 'Code of the status. Joins to code of observerLaunching events.';
comment on column game.launching_status.name is 'The vendor''s name of the constant.';
comment on column game.launching_status.is_playable is
  'True for the codes 200 to 299, with which a client may enter the game.';
comment on column game.launching_status.description is 'Meaning of the status.';
insert into game.launching_status (code, name, is_playable, description)
values
  (200, 'IN_SERVICE', true, 'The service runs normally.'),
  (201, 'RECOMMEND_UPDATE', true, 'The service runs; an update of the client is recommended.'),
  (202, 'IN_SERVICE_BY_QA_WHITE_LIST', true, 'Maintenance is under way, but this device is on the QA white list and may play.'),
  (203, 'IN_TEST', true, 'The client version is being tested.'),
  (204, 'IN_REVIEW', true, 'The client version is in review by the store.'),
  (205, 'IN_BETA', true, 'The client version belongs to the beta server.'),
  (300, 'REQUIRE_UPDATE', false, 'The client must be updated before it can play.'),
  (301, 'BLOCKED_USER', false, 'Access is blocked for this user.'),
  (302, 'TERMINATED_SERVICE', false, 'The service has ended.'),
  (303, 'INSPECTING_SERVICE', false, 'The game is under maintenance.'),
  (304, 'INSPECTING_ALL_SERVICES', false, 'All services are under maintenance.'),
  (500, 'INTERNAL_SERVER_ERROR', false, 'The launching server failed.');

create table game.event_category (
  category text collate "C" primary key,
  event_group text collate "C" not null,
  constant_name text collate "C" unique,
  description text not null
);
comment on table game.event_category is
  'One row per known category of Gamebase event messages. Source: NHN Cloud document "Gamebase iOS SDK: ETC", section Gamebase Event Handler, for the constants; the Unity SDK (GamebaseEventCategory) for the values. Loaded by: the migration create_reference_data.';
comment on column game.event_category.category is 'The category as events have it. Joins to category of events.';
comment on column game.event_category.event_group is
  'purchase, push, server_push, observer, idp_revoked or logged_out.';
comment on column game.event_category.constant_name is
  'Name of the constant in the iOS SDK; NULL for the two categories that only Unity''s standalone clients send.';
comment on column game.event_category.description is 'Cause of the event.';
insert into game.event_category (category, event_group, constant_name, description)
values
  ('idPRevoked', 'idp_revoked', 'kTCGBIdPRevoked', 'An identity provider has removed the service from a user''s account.'),
  ('loggedOut', 'logged_out', 'kTCGBLoggedOut', 'The access token has expired, and the user must log in again.'),
  ('observerHeartbeat', 'observer', 'kTCGBObserverHeartbeat', 'The state of the user''s account has changed, by a withdrawal or a ban.'),
  ('observerIntrospect', 'observer', null, 'A check of the access token has failed; only of Unity''s standalone clients.'),
  ('observerLaunching', 'observer', 'kTCGBObserverLaunching', 'The launching status has changed, such as at the start of maintenance.'),
  ('observerNetwork', 'observer', 'kTCGBObserverNetwork', 'The network connection has changed.'),
  ('observerWebview', 'observer', null, 'A message of the web view; only of Unity''s standalone clients.'),
  ('purchaseUpdated', 'purchase', 'kTCGBPurchaseUpdated', 'A purchase was completed outside of the purchase flow, such as a promotion or a delayed payment.'),
  ('pushClickAction', 'push', 'kTCGBPushClickAction', 'A user has pressed a button of a push message.'),
  ('pushClickMessage', 'push', 'kTCGBPushClickMessage', 'A user has clicked a push message.'),
  ('pushReceivedMessage', 'push', 'kTCGBPushReceivedMessage', 'A push message has arrived.'),
  ('serverPushAppKickout', 'server_push', 'kTCGBServerPushAppKickout', 'A user has closed the popup of a kick-out from the console.'),
  ('serverPushAppKickoutMessageReceived', 'server_push', 'kTCGBServerPushAppKickoutMessageReceived', 'The message of a kick-out from the console has arrived.'),
  ('serverPushTransferKickout', 'server_push', 'kTCGBServerPushTransferKickout', 'A guest account was transferred to another device, and this one was logged out.');

create table game.error_code (
  code bigint,
  name text collate "C",
  family text collate "C" not null,
  primary key (code, name)
);
comment on table game.error_code is
  'One row per error code and meaning. Two codes have two meanings: 999 was UNKNOWN_ERROR in SDKs before 2.33.0 and is SOCKET_UNKNOWN_ERROR since; 9999 is UNKNOWN_ERROR in SDKs since 2.33.0, and an unknown error of the server of in-app purchases. Source: NHN Cloud documents "Gamebase: Error Code" and "IAP: Error Codes", and the release notes of 2.33.0. Loaded by: the migration create_reference_data.';
comment on column game.error_code.code is
  'The code. Joins to code of observerHeartbeat events; a code with two meanings joins to two rows.';
comment on column game.error_code.name is
  'The vendor''s name of the constant, without the prefix TCGB_ERROR_ of iOS. The vendor only describes the codes of family IAP, so those names are of this project.';
comment on column game.error_code.family is
  'The heading in the vendor''s list of error codes. The list lacks UNKNOWN_ERROR (9999), which stands under Common here.';
insert into game.error_code (code, name, family)
values
  (1, 'NOT_INITIALIZED', 'Common'),
  (2, 'NOT_LOGGED_IN', 'Common'),
  (3, 'INVALID_PARAMETER', 'Common'),
  (4, 'INVALID_JSON_FORMAT', 'Common'),
  (5, 'USER_PERMISSION', 'Common'),
  (6, 'INVALID_MEMBER', 'Common'),
  (7, 'BANNED_MEMBER', 'Common'),
  (8, 'SAME_REQUESTOR', 'TransferAccount'),
  (9, 'NOT_GUEST_OR_HAS_OTHERS', 'TransferAccount'),
  (10, 'NOT_SUPPORTED', 'Common'),
  (11, 'NOT_SUPPORTED_ANDROID', 'Common'),
  (12, 'NOT_SUPPORTED_IOS', 'Common'),
  (13, 'NOT_SUPPORTED_UNITY_EDITOR', 'Common'),
  (14, 'NOT_SUPPORTED_UNITY_STANDALONE', 'Common'),
  (15, 'NOT_SUPPORTED_UNITY_WEBGL', 'Common'),
  (31, 'ANDROID_ACTIVITY_DESTROYED', 'Common'),
  (32, 'ANDROID_ACTIVEAPP_NOT_CALLED', 'Common'),
  (51, 'IOS_GAMECENTER_DENIED', 'Common'),
  (52, 'IOS_CANNOT_OPEN_URL', 'Common'),
  (101, 'SOCKET_RESPONSE_TIMEOUT', 'Network(Socket)'),
  (110, 'SOCKET_ERROR', 'Network(Socket)'),
  (999, 'SOCKET_UNKNOWN_ERROR', 'Network(Socket)'),
  (999, 'UNKNOWN_ERROR', 'Network(Socket)'),
  (1100, 'IAP_INVALID_PARAMETERS', 'IAP'),
  (2001, 'LAUNCHING_SERVER_ERROR', 'Launching'),
  (2002, 'LAUNCHING_NOT_EXIST_CLIENT_ID', 'Launching'),
  (2003, 'LAUNCHING_UNREGISTERED_APP', 'Launching'),
  (2004, 'LAUNCHING_UNREGISTERED_CLIENT', 'Launching'),
  (3001, 'AUTH_USER_CANCELED', 'Auth'),
  (3002, 'AUTH_NOT_SUPPORTED_PROVIDER', 'Auth'),
  (3003, 'AUTH_NOT_EXIST_MEMBER', 'Auth'),
  (3006, 'AUTH_EXTERNAL_LIBRARY_INITIALIZATION_ERROR', 'Auth'),
  (3009, 'AUTH_EXTERNAL_LIBRARY_ERROR', 'Auth'),
  (3010, 'AUTH_ALREADY_IN_PROGRESS_ERROR', 'Auth'),
  (3011, 'AUTH_INVALID_GAMEBASE_TOKEN', 'Auth'),
  (3012, 'AUTH_AUTHENTICATION_SERVER_ERROR', 'Auth'),
  (3041, 'AUTH_TRANSFERACCOUNT_EXPIRED', 'TransferAccount'),
  (3042, 'AUTH_TRANSFERACCOUNT_BLOCK', 'TransferAccount'),
  (3043, 'AUTH_TRANSFERACCOUNT_INVALID_ID', 'TransferAccount'),
  (3044, 'AUTH_TRANSFERACCOUNT_INVALID_PASSWORD', 'TransferAccount'),
  (3045, 'AUTH_TRANSFERACCOUNT_CONSOLE_NO_CONDITION', 'TransferAccount'),
  (3046, 'AUTH_TRANSFERACCOUNT_NOT_EXIST', 'TransferAccount'),
  (3047, 'AUTH_TRANSFERACCOUNT_ALREADY_EXIST_ID', 'TransferAccount'),
  (3048, 'AUTH_TRANSFERACCOUNT_ALREADY_USED', 'TransferAccount'),
  (3101, 'AUTH_TOKEN_LOGIN_FAILED', 'Auth (Login)'),
  (3102, 'AUTH_TOKEN_LOGIN_INVALID_TOKEN_INFO', 'Auth (Login)'),
  (3103, 'AUTH_TOKEN_LOGIN_INVALID_LAST_LOGGED_IN_IDP', 'Auth (Login)'),
  (3201, 'AUTH_IDP_LOGIN_FAILED', 'IDP Login'),
  (3202, 'AUTH_IDP_LOGIN_INVALID_IDP_INFO', 'IDP Login'),
  (3203, 'AUTH_IDP_LOGIN_EXTERNAL_AUTHENTICATION_REQUIRED', 'IDP Login'),
  (3301, 'AUTH_ADD_MAPPING_FAILED', 'Add Mapping'),
  (3302, 'AUTH_ADD_MAPPING_ALREADY_MAPPED_TO_OTHER_MEMBER', 'Add Mapping'),
  (3303, 'AUTH_ADD_MAPPING_ALREADY_HAS_SAME_IDP', 'Add Mapping'),
  (3304, 'AUTH_ADD_MAPPING_INVALID_IDP_INFO', 'Add Mapping'),
  (3305, 'AUTH_ADD_MAPPING_CANNOT_ADD_GUEST_IDP', 'Add Mapping'),
  (3311, 'AUTH_ADD_MAPPING_FORCIBLY_NOT_EXIST_KEY', 'Add Mapping Forcibly'),
  (3312, 'AUTH_ADD_MAPPING_FORCIBLY_ALREADY_USED_KEY', 'Add Mapping Forcibly'),
  (3313, 'AUTH_ADD_MAPPING_FORCIBLY_EXPIRED_KEY', 'Add Mapping Forcibly'),
  (3314, 'AUTH_ADD_MAPPING_FORCIBLY_DIFFERENT_IDP', 'Add Mapping Forcibly'),
  (3315, 'AUTH_ADD_MAPPING_FORCIBLY_DIFFERENT_AUTHKEY', 'Add Mapping Forcibly'),
  (3401, 'AUTH_REMOVE_MAPPING_FAILED', 'Remove Mapping'),
  (3402, 'AUTH_REMOVE_MAPPING_LAST_MAPPED_IDP', 'Remove Mapping'),
  (3403, 'AUTH_REMOVE_MAPPING_LOGGED_IN_IDP', 'Remove Mapping'),
  (3501, 'AUTH_LOGOUT_FAILED', 'Logout'),
  (3601, 'AUTH_WITHDRAW_FAILED', 'Withdrawal'),
  (3602, 'AUTH_WITHDRAW_ALREADY_TEMPORARY_WITHDRAW', 'Withdrawal'),
  (3603, 'AUTH_WITHDRAW_NOT_TEMPORARY_WITHDRAW', 'Withdrawal'),
  (3701, 'AUTH_NOT_PLAYABLE', 'Not Playable'),
  (3999, 'AUTH_UNKNOWN_ERROR', 'Auth(Unknown)'),
  (4001, 'PURCHASE_NOT_INITIALIZED', 'Purchase'),
  (4002, 'PURCHASE_USER_CANCELED', 'Purchase'),
  (4003, 'PURCHASE_NOT_FINISHED_PREVIOUS_PURCHASING', 'Purchase'),
  (4004, 'PURCHASE_NOT_ENOUGH_CASH', 'Purchase'),
  (4005, 'PURCHASE_INACTIVE_PRODUCT_ID', 'Purchase'),
  (4006, 'PURCHASE_NOT_EXIST_PRODUCT_ID', 'Purchase'),
  (4007, 'PURCHASE_LIMIT_EXCEEDED', 'Purchase'),
  (4008, 'PURCHASE_PENDING', 'Purchase'),
  (4010, 'PURCHASE_NOT_SUPPORTED_MARKET', 'Purchase'),
  (4201, 'PURCHASE_EXTERNAL_LIBRARY_ERROR', 'Purchase'),
  (4999, 'PURCHASE_UNKNOWN_ERROR', 'Purchase'),
  (5000, 'IAP_CONSUME_FAILED', 'IAP'),
  (5018, 'IAP_ALREADY_CONSUMED', 'IAP'),
  (5032, 'IAP_INVALID_JSON_TYPE', 'IAP'),
  (5101, 'PUSH_EXTERNAL_LIBRARY_ERROR', 'Push'),
  (5102, 'PUSH_ALREADY_IN_PROGRESS_ERROR', 'Push'),
  (5999, 'PUSH_UNKNOWN_ERROR', 'Push'),
  (6901, 'UI_IMAGE_NOTICE_TIMEOUT', 'UI'),
  (6902, 'UI_IMAGE_NOTICE_NOT_SUPPORTED_OS', 'UI'),
  (6911, 'UI_CONTACT_FAIL_INVALID_URL', 'UI'),
  (6912, 'UI_CONTACT_FAIL_ISSUE_SHORT_TERM_TICKET', 'UI'),
  (6921, 'UI_TERMS_NOT_EXIST_IN_CONSOLE', 'UI'),
  (6922, 'UI_TERMS_NOT_EXIST_FOR_DEVICE_COUNTRY', 'UI'),
  (6923, 'UI_TERMS_UNREGISTERED_SEQ', 'UI'),
  (6924, 'UI_TERMS_ALREADY_IN_PROGRESS_ERROR', 'UI'),
  (6925, 'UI_TERMS_ANDROID_DUPLICATED_VIEW', 'UI'),
  (6941, 'UI_GAME_NOTICE_FAIL_INVALID_URL', 'UI'),
  (6942, 'UI_GAME_NOTICE_ANDROID_DUPLICATED_VIEW', 'UI'),
  (6999, 'UI_UNKNOWN_ERROR', 'UI'),
  (7001, 'WEBVIEW_INVALID_URL', 'WebView'),
  (7002, 'WEBVIEW_TIMEOUT', 'WebView'),
  (7003, 'WEBVIEW_HTTP_ERROR', 'WebView'),
  (7004, 'WEBVIEW_OPENED_NEW_BROWSER_BEFORE_CLOSE', 'WebView'),
  (7999, 'WEBVIEW_UNKNOWN_ERROR', 'WebView'),
  (8001, 'SERVER_INTERNAL_ERROR', 'Server'),
  (8002, 'SERVER_REMOTE_SYSTEM_ERROR', 'Server'),
  (8003, 'SERVER_INVALID_RESPONSE', 'Server'),
  (8999, 'SERVER_UNKNOWN_ERROR', 'Server'),
  (9999, 'IAP_UNKNOWN_ERROR', 'IAP'),
  (9999, 'UNKNOWN_ERROR', 'Common');

create table game.network_status (
  platform text collate "C" check (platform in ('ios', 'android_unity')),
  code bigint,
  name text collate "C" not null,
  primary key (platform, code)
);
comment on table game.network_status is
  'One row per platform and status of the network. Source: NHN Cloud documents "Gamebase iOS SDK: ETC", section Observer, and the Unity SDK (GamebaseNetworkType). Loaded by: the migration create_reference_data.';
comment on column game.network_status.platform is 'ios or android_unity. Events do not name their platform.';
comment on column game.network_status.code is
  'Code of the status on the platform. Joins to code of observerNetwork events.';
comment on column game.network_status.name is
  'The vendor''s name of the constant: no network, mobile network, Wi-Fi, any other network, or not determined yet.';
insert into game.network_status (platform, code, name)
values
  ('android_unity', -1, 'TYPE_NOT'),
  ('android_unity', 0, 'TYPE_MOBILE'),
  ('android_unity', 1, 'TYPE_WIFI'),
  ('android_unity', 2, 'TYPE_ANY'),
  ('ios', -100, 'ReachabilityIsNotDefined'),
  ('ios', -1, 'NotReachable'),
  ('ios', 0, 'ReachableViaWWAN'),
  ('ios', 1, 'ReachableViaWifi');

create table game.idp_revoked_code (
  code bigint primary key,
  name text collate "C" not null unique,
  description text not null
);
comment on table game.idp_revoked_code is
  'One row per code of a revocation by an identity provider. Source: NHN Cloud document "Gamebase iOS SDK: ETC", section IdP Revoked. Loaded by: the migration create_reference_data.';
comment on column game.idp_revoked_code.code is 'Code of the revocation. Joins to code of idPRevoked events.';
comment on column game.idp_revoked_code.name is 'The vendor''s name of the constant, without the prefix IDP_REVOKED_.';
comment on column game.idp_revoked_code.description is 'Situation of the user, and the step that the vendor expects.';
insert into game.idp_revoked_code (code, name, description)
values
  (600, 'WITHDRAW', 'The user was logged in by the removed identity provider and has no other; the account should be withdrawn.'),
  (601, 'OVERWRITE_LOGIN_AND_REMOVE_MAPPING', 'The user was logged in by the removed identity provider and has others; the user should log in by one of them, and the mapping should be removed.'),
  (602, 'REMOVE_MAPPING', 'The user has a mapping to the removed identity provider, which should be removed.');

create table game.display_language (
  code text collate "C" primary key,
  name text not null,
  is_gamebase boolean not null,
  is_hive boolean not null,
  check (is_gamebase or is_hive)
);
comment on table game.display_language is
  'One row per code of a language in which the vendor shows texts. Source: NHN Cloud document "Gamebase iOS SDK: ETC", section Display Language, and Hive SDK document "Advanced Notification Features", example of hive_push_actions.json. Loaded by: the migration create_reference_data.';
comment on column game.display_language.code is
  'Code of the language; upper and lower case are different. Joins to game.push_action_title.language.';
comment on column game.display_language.name is 'English name.';
comment on column game.display_language.is_gamebase is 'True for a display language of Gamebase.';
comment on column game.display_language.is_hive is 'True for a language of Hive''s push buttons.';
insert into game.display_language (code, name, is_gamebase, is_hive)
values
  ('ar', 'Arabic', false, true),
  ('de', 'German', true, true),
  ('en', 'English', true, true),
  ('es', 'Spanish', true, true),
  ('fi', 'Finnish', true, false),
  ('fr', 'French', true, true),
  ('id', 'Indonesian', true, true),
  ('it', 'Italian', true, true),
  ('ja', 'Japanese', true, true),
  ('ko', 'Korean', true, true),
  ('ms', 'Malay', true, false),
  ('pt', 'Portuguese', true, true),
  ('ru', 'Russian', true, true),
  ('th', 'Thai', true, true),
  ('tr', 'Turkish', false, true),
  ('vi', 'Vietnamese', true, true),
  ('zh-CN', 'Chinese-Simplified', true, false),
  ('zh-Hans', 'Chinese-Simplified', false, true),
  ('zh-Hant', 'Chinese-Traditional', false, true),
  ('zh-TW', 'Chinese-Traditional', true, false);

create table game.store (
  store_code text collate "C" primary key,
  name text not null
);
comment on table game.store is
  'One row per known code of a store. Source: NHN Cloud document "Gamebase: API Guide" (GG to STEAM), the Unity SDK (GamebaseStoreCode: TS, REDBEANCC, WIN, MAC, WEB) and older documents (ONGATE). Loaded by: the migration create_reference_data.';
comment on column game.store.store_code is
  'Code of the store. Joins to store_code of receipts and items, which also have codes that are not in this table.';
comment on column game.store.name is 'Usual name of the store.';
insert into game.store (store_code, name)
values
  ('AMAZON', 'Amazon Appstore'),
  ('AS', 'App Store'),
  ('EPIC', 'Epic Games Store'),
  ('GALAXY', 'Galaxy Store'),
  ('GG', 'Google Play'),
  ('HUAWEI', 'HUAWEI AppGallery'),
  ('MAC', 'macOS'),
  ('MYCARD', 'MyCard'),
  ('ONESTORE', 'ONE store'),
  ('ONGATE', 'ONGATE'),
  ('REDBEANCC', 'REDBEANCC (China)'),
  ('STEAM', 'Steam'),
  ('TS', 'T store'),
  ('WEB', 'Web'),
  ('WIN', 'Windows');

create table game.identity_provider (
  idp_type text collate "C" primary key,
  name text not null
);
comment on table game.identity_provider is
  'One row per known identity provider. Source: NHN Cloud document "Gamebase: API Guide". Loaded by: the migration create_reference_data.';
comment on column game.identity_provider.idp_type is
  'The vendor''s code of the provider. Joins to idp_type of idPRevoked events.';
comment on column game.identity_provider.name is 'Usual name of the provider.';
insert into game.identity_provider (idp_type, name)
values
  ('appleid', 'Apple'),
  ('facebook', 'Facebook'),
  ('google', 'Google'),
  ('guest', 'Guest'),
  ('hangame', 'Hangame'),
  ('iosgamecenter', 'Game Center'),
  ('kakaogame', 'Kakao Games'),
  ('line', 'LINE'),
  ('naver', 'NAVER'),
  ('payco', 'PAYCO'),
  ('twitter', 'Twitter'),
  ('weibo', 'Weibo');
