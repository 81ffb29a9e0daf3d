#include "CSimdjson.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <simdjson.h>
#include <string_view>

// simdjson reports errors by value here and throws nowhere; no exception may cross into Swift.
using namespace simdjson;

struct gbi_json_parser {
  // Finds the tokens by the machine's best instruction set. simdjson's on-demand interface would be that of the
  // oldest machine that the compiler targets, and does not validate members that are not read.
  std::unique_ptr<internal::dom_parser_implementation> scanner;
  size_t capacity = 0;
  // For each open container, from the outermost: true for an object.
  std::unique_ptr<bool[]> is_object;
  size_t max_depth = 0;

  // The current line.
  const char *line = nullptr;
  const char *line_end = nullptr;
  // The token starts in the line, from the next token on; the line's length follows the last one.
  const uint32_t *token = nullptr;
  const uint32_t *tokens_end = nullptr;
  // The first backslash at or after the start of the text checked last.
  const char *backslash = nullptr;
  bool started = false;
  gbi_json_member member = {};
};

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }

// RFC 8259 section 6.
[[gnu::always_inline]] inline bool is_number(std::string_view text) {
  const char *p = text.data(), *end = p + text.size();
  const auto skip = [&](char c) { return p < end && *p == c && p++; };
  const auto skip_digits = [&] {
    const char *start = p;
    while (p < end && is_digit(*p)) p++;
    return p > start;
  };
  skip('-');
  if (!skip('0') && !skip_digits()) return false;
  if (skip('.') && !skip_digits()) return false;
  if (skip('e') || skip('E')) {
    if (!skip('+')) skip('-');
    if (!skip_digits()) return false;
  }
  return p == end;
}

// Checks the escapes of RFC 8259 section 7, but not the characters that \u escapes name, such as lone
// surrogates. The scanner has already refused control characters.
bool has_valid_escapes(std::string_view text) {
  for (size_t i = text.find('\\'); i != text.npos; i = text.find('\\', i + 1)) {
    if (++i == text.size()) return false;
    switch (text[i]) {
      case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't': break;
      case 'u':
        if (text.size() - i < 5) return false;
        for (size_t k = 1; k <= 4; k++) if (!is_hex(text[i + k])) return false;
        i += 4;
        break;
      default: return false;
    }
  }
  return true;
}

gbi_json_status status_of(error_code error) {
  switch (error) {
    case SUCCESS: return GBI_JSON_MEMBER;
    case UTF8_ERROR: return GBI_JSON_INVALID_UTF8;
    case MEMALLOC: case CAPACITY: return GBI_JSON_NO_MEMORY;
    default: return GBI_JSON_MALFORMED;
  }
}

// The first character of a token; NUL, which starts no token, after the last one.
char first_character(const gbi_json_parser *parser, const uint32_t *token) {
  return token < parser->tokens_end ? parser->line[*token] : '\0';
}

// The text of a token: up to the start of the next one, without trailing white space.
std::string_view text_of(const gbi_json_parser *parser, const uint32_t *token) {
  const char *start = parser->line + token[0], *end = parser->line + token[1];
  while (end > start && is_space(end[-1])) end--;
  return std::string_view(start, size_t(end - start));
}

// True when a text holds a backslash. Calls must be in the order of the texts in the line, so that a
// line without a backslash is searched only once, however many texts it holds.
bool has_backslash(gbi_json_parser *parser, std::string_view text) {
  const char *start = text.data();
  if (parser->backslash < start) {
    auto found = std::memchr(start, '\\', size_t(parser->line_end - start));
    parser->backslash = found ? static_cast<const char *>(found) : parser->line_end;
  }
  return parser->backslash < start + text.size();
}

// The text between the quotes of a string; false when the token is not a string.
//
// The scanner starts a token at each opening quote and at the text after a closing one, and refuses
// a line with an unclosed quote. A token that begins and ends with a quote is therefore one string.
inline bool string_body(gbi_json_parser *parser, const uint32_t *token, std::string_view &body,
                 bool &escaped) {
  std::string_view text = text_of(parser, token);
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
  body = text.substr(1, text.size() - 2);
  escaped = has_backslash(parser, body);
  return !escaped || has_valid_escapes(body);
}

// Reads a member's name and its colon, and moves to the value.
bool take_key(gbi_json_parser *parser, const uint32_t *&token, std::string_view &key,
              bool &escaped) {
  if (first_character(parser, token) != '"' || !string_body(parser, token, key, escaped) ||
      first_character(parser, token + 1) != ':') {
    return false;
  }
  token += 2;
  return true;
}

struct scalar {
  gbi_json_kind kind = GBI_JSON_NULL;
  std::string_view text;
  bool escaped = false;
};

// Reads a value that is not a container, and moves past it.
bool take_scalar(gbi_json_parser *parser, const uint32_t *&token, scalar &out) {
  const char first = first_character(parser, token);
  if (first == '"') {
    out.kind = GBI_JSON_STRING;
    return string_body(parser, token++, out.text, out.escaped);
  }
  if (token >= parser->tokens_end) return false;
  out.text = text_of(parser, token++);
  switch (first) {
    case 't': out.kind = GBI_JSON_TRUE; return out.text == "true";
    case 'f': out.kind = GBI_JSON_FALSE; return out.text == "false";
    case 'n': out.kind = GBI_JSON_NULL; return out.text == "null";
    default: out.kind = GBI_JSON_NUMBER; return is_number(out.text);
  }
}

// Walks past a value and validates all of it. `level` is its nesting level.
gbi_json_status walk(gbi_json_parser *parser, const uint32_t *&token, size_t level) {
  const size_t outside = level - 1;
  size_t depth = outside;
  std::string_view key;
  scalar value;
  for (;;) {
    // A value starts here.
    const char first = first_character(parser, token);
    if (first == '{' || first == '[') {
      if (depth >= parser->max_depth) return GBI_JSON_TOO_DEEP;
      const bool is_object = first == '{';
      if (first_character(parser, ++token) == (is_object ? '}' : ']')) {
        token++;
      } else {
        parser->is_object[depth++] = is_object;
        if (is_object && !take_key(parser, token, key, value.escaped)) return GBI_JSON_MALFORMED;
        continue;
      }
    } else if (!take_scalar(parser, token, value)) {
      return GBI_JSON_MALFORMED;
    }
    // A value ends here, and possibly the containers that it was the last value of.
    for (;;) {
      if (depth == outside) return GBI_JSON_MEMBER;
      const bool is_object = parser->is_object[depth - 1];
      const char next = first_character(parser, token);
      if (next == ',') {
        token++;
        if (is_object && !take_key(parser, token, key, value.escaped)) return GBI_JSON_MALFORMED;
        break;
      }
      if (next != (is_object ? '}' : ']')) return GBI_JSON_MALFORMED;
      token++;
      depth--;
    }
  }
}

// Allocates room for a line of this length and for `max_depth` levels.
gbi_json_status allocate(gbi_json_parser *parser, size_t length, size_t max_depth) {
  if (!parser->is_object || parser->max_depth < max_depth) {
    parser->is_object.reset(new (std::nothrow) bool[max_depth]);
    if (!parser->is_object) return GBI_JSON_NO_MEMORY;
  }
  parser->max_depth = max_depth;
  // The buffers take about four times the line; those of a huge line are freed before the next usual one.
  const size_t largest = length > 256 * 1024 ? SIZE_MAX : 256 * 1024;
  if (parser->scanner && parser->capacity >= length && parser->capacity <= largest) {
    return GBI_JSON_MEMBER;
  }
  // In steps of 4096, so that not every slightly longer line costs an allocation.
  const size_t capacity = std::min((length / 4096 + 1) * 4096, largest);
  parser->scanner.reset();
  const auto error =
      get_active_implementation()->create_dom_parser_implementation(capacity, 1, parser->scanner);
  parser->capacity = error ? 0 : capacity;
  return status_of(error);
}

}  // namespace

size_t gbi_json_padding(void) { return SIMDJSON_PADDING; }

int gbi_json_is_number(const uint8_t *text, size_t length) {
  return is_number(std::string_view(reinterpret_cast<const char *>(text), length));
}

gbi_json_parser *gbi_json_parser_create(void) { return new (std::nothrow) gbi_json_parser(); }

void gbi_json_parser_destroy(gbi_json_parser *parser) { delete parser; }

gbi_json_status gbi_json_begin(gbi_json_parser *parser, const uint8_t *line, size_t length,
                               size_t max_depth) {
  auto status = allocate(parser, length, max_depth);
  if (status != GBI_JSON_MEMBER) return status;
  status = status_of(parser->scanner->stage1(line, length, stage1_mode::regular));
  if (status != GBI_JSON_MEMBER) return status;
  parser->line = reinterpret_cast<const char *>(line);
  parser->line_end = parser->line + length;
  parser->backslash = parser->line;
  parser->token = parser->scanner->structural_indexes.get();
  parser->tokens_end = parser->token + parser->scanner->n_structural_indexes;
  parser->started = false;
  if (first_character(parser, parser->token) == '{') {
    parser->token++;
    return max_depth < 1 ? GBI_JSON_TOO_DEEP : GBI_JSON_MEMBER;
  }
  status = walk(parser, parser->token, 1);
  if (status != GBI_JSON_MEMBER) return status;
  return parser->token == parser->tokens_end ? GBI_JSON_NOT_AN_OBJECT : GBI_JSON_MALFORMED;
}

gbi_json_status gbi_json_next(gbi_json_parser *parser) {
  const uint32_t *token = parser->token;
  const char first = first_character(parser, token);
  if (first == '}') return token + 1 == parser->tokens_end ? GBI_JSON_END : GBI_JSON_MALFORMED;
  if (parser->started) {
    if (first != ',') return GBI_JSON_MALFORMED;
    token++;
  }
  parser->started = true;
  std::string_view key;
  bool key_escaped = false;
  if (!take_key(parser, token, key, key_escaped)) return GBI_JSON_MALFORMED;

  scalar value;
  const char *start = parser->line + *token;
  const char first_of_value = first_character(parser, token);
  if (first_of_value == '{' || first_of_value == '[') {
    const auto status = walk(parser, token, 2);
    if (status != GBI_JSON_MEMBER) return status;
    value.kind = first_of_value == '{' ? GBI_JSON_OBJECT : GBI_JSON_ARRAY;
    // Its closing bracket is the last token walked.
    value.text = std::string_view(start, size_t(parser->line + token[-1] + 1 - start));
    value.escaped = std::memchr(start, '\\', value.text.size()) != nullptr;
  } else if (!take_scalar(parser, token, value)) {
    return GBI_JSON_MALFORMED;
  }
  parser->token = token;
  parser->member = {reinterpret_cast<const uint8_t *>(key.data()), key.size(),
                    reinterpret_cast<const uint8_t *>(value.text.data()), value.text.size(),
                    uint32_t(value.kind), uint32_t(key_escaped), uint32_t(value.escaped)};
  return GBI_JSON_MEMBER;
}

const gbi_json_member *gbi_json_current(const gbi_json_parser *parser) { return &parser->member; }
