// The members of one JSON object, one after another: a small C face of simdjson's scanner with a
// strict walk over the tokens that it finds.
//
// The parser checks the whole line as it goes: UTF-8 and control characters (simdjson), and, for
// every member whether anybody wants it or not, the structure, the number grammar and the escapes
// of RFC 8259. A member that has been handed out is valid; the line as a whole is valid only when
// `gbi_json_next` has returned GBI_JSON_END.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

typedef enum {
  GBI_JSON_NULL,
  GBI_JSON_TRUE,
  GBI_JSON_FALSE,
  GBI_JSON_NUMBER,
  GBI_JSON_STRING,
  GBI_JSON_ARRAY,
  GBI_JSON_OBJECT,
} gbi_json_kind;

typedef enum {
  GBI_JSON_MEMBER,         // `out` holds a member
  GBI_JSON_END,            // the object is over, and nothing but white space follows it
  GBI_JSON_MALFORMED,      // not one RFC 8259 text
  GBI_JSON_INVALID_UTF8,   // not UTF-8
  GBI_JSON_NOT_AN_OBJECT,  // JSON, but no object
  GBI_JSON_TOO_DEEP,       // more levels than allowed
  GBI_JSON_NO_MEMORY,
} gbi_json_status;

// One member. All text points into the line and is as written there.
typedef struct {
  const uint8_t *key;    // between the quotes, escapes not resolved
  size_t key_length;
  const uint8_t *value;  // strings: between the quotes; everything else: the whole text
  size_t value_length;
  // Words, not bytes: several bytes that are read as one word right after they were written one by
  // one make the processor wait.
  uint32_t kind;           // gbi_json_kind
  uint32_t key_escaped;    // 1 when the key holds a backslash
  uint32_t value_escaped;  // 1 when the value holds a backslash, at any depth
} gbi_json_member;

typedef struct gbi_json_parser gbi_json_parser;

// How many readable bytes must follow a line in memory; their content is of no weight.
size_t gbi_json_padding(void);

// NULL when there is no memory.
gbi_json_parser *_Nullable gbi_json_parser_create(void);
void gbi_json_parser_destroy(gbi_json_parser *parser);

// Starts on a line. `max_depth` counts the line's own object as level 1.
// Returns GBI_JSON_MEMBER when members can be asked for, or what is wrong.
gbi_json_status gbi_json_begin(gbi_json_parser *parser, const uint8_t *line, size_t length,
                               size_t max_depth);

// Goes to the next member. Returns GBI_JSON_MEMBER, or GBI_JSON_END, or what is wrong.
gbi_json_status gbi_json_next(gbi_json_parser *parser);

// The member that the parser is at, once it has been at one; always at the same address.
const gbi_json_member *gbi_json_current(const gbi_json_parser *parser);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif
