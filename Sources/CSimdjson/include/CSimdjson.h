// A C interface to simdjson's scanner that returns the members of one JSON object one by one.
//
// It validates the whole line: simdjson checks UTF-8 and control characters, and a walk over its tokens
// checks the structure, the number grammar and the escapes of RFC 8259. A returned member is valid; the
// line is valid only after `gbi_json_next` has returned GBI_JSON_END.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma clang assume_nonnull begin
typedef enum {
  GBI_JSON_NULL, GBI_JSON_TRUE, GBI_JSON_FALSE,
  GBI_JSON_NUMBER, GBI_JSON_STRING, GBI_JSON_ARRAY, GBI_JSON_OBJECT,
} gbi_json_kind;

typedef enum {
  GBI_JSON_MEMBER,         // `out` holds a member
  GBI_JSON_END,            // the object has ended, and only white space follows
  GBI_JSON_MALFORMED,      // not one RFC 8259 text
  GBI_JSON_INVALID_UTF8,   // not UTF-8
  GBI_JSON_NOT_AN_OBJECT,  // JSON, but not an object
  GBI_JSON_TOO_DEEP,       // more levels than allowed
  GBI_JSON_NO_MEMORY,
} gbi_json_status;

// One member. All text points into the line and is unchanged.
typedef struct {
  const uint8_t *key;    // between the quotes, escapes not resolved
  size_t key_length;
  const uint8_t *value;  // strings: between the quotes; everything else: the whole text
  size_t value_length;
  // Words, not bytes: reading several bytes as one word right after writing them one by one stalls
  // the processor.
  uint32_t kind;           // gbi_json_kind
  uint32_t key_escaped;    // 1 when the key holds a backslash
  uint32_t value_escaped;  // 1 when the value holds a backslash, at any depth
} gbi_json_member;

typedef struct gbi_json_parser gbi_json_parser;

// The number of readable bytes that must follow a line in memory; their content does not matter.
size_t gbi_json_padding(void);

// NULL when memory is exhausted.
gbi_json_parser *_Nullable gbi_json_parser_create(void);
void gbi_json_parser_destroy(gbi_json_parser *parser);

// Starts a line, whose own object is level 1: GBI_JSON_MEMBER when members can be read, or the defect.
gbi_json_status gbi_json_begin(gbi_json_parser *parser, const uint8_t *line, size_t length,
                               size_t max_depth);

// Goes to the next member: GBI_JSON_MEMBER, GBI_JSON_END, or the defect.
gbi_json_status gbi_json_next(gbi_json_parser *parser);

// The current member, always at the same address; valid after a GBI_JSON_MEMBER from `gbi_json_next`.
const gbi_json_member *gbi_json_current(const gbi_json_parser *parser);

// 1 for exactly one number of RFC 8259.
int gbi_json_is_number(const uint8_t *text, size_t length);

#pragma clang assume_nonnull end
#ifdef __cplusplus
}
#endif
