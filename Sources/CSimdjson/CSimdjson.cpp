#include "CSimdjson.h"

#include <cstring>
#include <new>
#include <simdjson.h>
#include <string_view>

// simdjson reports errors by value here and throws nowhere; no exception may cross into Swift.
using namespace simdjson;

struct gbi_json_parser {
  ondemand::parser parser;
  ondemand::document document;
  ondemand::object object;
  ondemand::object_iterator position;
  const char *line_end = nullptr;
  size_t max_depth = 0;
  bool started = false;
};

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// A token runs to the next structural character: cut the white space behind it.
std::string_view trimmed(std::string_view token) {
  while (!token.empty() && is_space(token.back())) token.remove_suffix(1);
  return token;
}

// RFC 8259 section 6. On-demand hands out numbers unchecked, and its own number parser refuses
// what a double cannot hold (1e400), which the grammar allows.
bool is_number(std::string_view text) {
  size_t i = 0, n = text.size();
  if (i < n && text[i] == '-') i++;
  if (i == n || !is_digit(text[i])) return false;
  if (text[i] == '0') i++;
  else while (i < n && is_digit(text[i])) i++;
  if (i < n && text[i] == '.') {
    size_t start = ++i;
    while (i < n && is_digit(text[i])) i++;
    if (i == start) return false;
  }
  if (i < n && (text[i] == 'e' || text[i] == 'E')) {
    i++;
    if (i < n && (text[i] == '+' || text[i] == '-')) i++;
    size_t start = i;
    while (i < n && is_digit(text[i])) i++;
    if (i == start) return false;
  }
  return i == n;
}

// RFC 8259 section 7: which escapes there are. What a \u names, a lone surrogate say, is the
// reader's affair. Control characters have been refused by simdjson's first stage.
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

bool contains_backslash(std::string_view text) {
  return !text.empty() && std::memchr(text.data(), '\\', text.size()) != nullptr;
}

gbi_json_status status_of(error_code error) {
  switch (error) {
    case SUCCESS: return GBI_JSON_END;
    case UTF8_ERROR: return GBI_JSON_INVALID_UTF8;
    case MEMALLOC: case CAPACITY: return GBI_JSON_NO_MEMORY;
    default: return GBI_JSON_MALFORMED;
  }
}

// The text between the quotes of a string token; false when the token is no string.
bool string_body(std::string_view token, std::string_view &body, bool &escaped) {
  token = trimmed(token);
  if (token.size() < 2 || token.front() != '"' || token.back() != '"') return false;
  body = token.substr(1, token.size() - 2);
  escaped = contains_backslash(body);
  return !escaped || has_valid_escapes(body);
}

// The text of a key, from its opening quote: simdjson's first stage has seen the closing one.
bool key_body(const char *start, const char *end, std::string_view &body, bool &escaped) {
  escaped = false;
  for (const char *p = start; p < end; p++) {
    if (*p == '\\') { escaped = true; p++; continue; }
    if (*p == '"') {
      body = std::string_view(start, size_t(p - start));
      return !escaped || has_valid_escapes(body);
    }
  }
  return false;
}

// True when all tokens of the line have been read: there is no location left to tell.
bool at_end(ondemand::document &document) {
  return document.current_location().error() == OUT_OF_BOUNDS;
}

// What a checked value is. A container's text is known to whoever knows where it started.
struct checked_value {
  gbi_json_kind kind = GBI_JSON_NULL;
  std::string_view text;
  bool escaped = false;
};

// Walks a value to its end and checks all of it.
gbi_json_status check(ondemand::value value, size_t level, size_t max_depth, const char *line_end,
                      checked_value &out);

gbi_json_status check_array(ondemand::array array, size_t level, size_t max_depth,
                            const char *line_end, checked_value &out) {
  for (auto element : array) {
    ondemand::value child;
    if (auto error = std::move(element).get(child)) return status_of(error);
    checked_value checked;
    auto status = check(child, level + 1, max_depth, line_end, checked);
    if (status != GBI_JSON_MEMBER) return status;
    out.escaped |= checked.escaped;
  }
  return GBI_JSON_MEMBER;
}

gbi_json_status check_object(ondemand::object object, size_t level, size_t max_depth,
                             const char *line_end, checked_value &out) {
  for (auto element : object) {
    ondemand::field member;
    if (auto error = std::move(element).get(member)) return status_of(error);
    std::string_view key;
    bool key_escaped = false;
    if (!key_body(member.key().raw(), line_end, key, key_escaped)) return GBI_JSON_MALFORMED;
    checked_value checked;
    auto status = check(member.value(), level + 1, max_depth, line_end, checked);
    if (status != GBI_JSON_MEMBER) return status;
    out.escaped |= key_escaped || checked.escaped;
  }
  return GBI_JSON_MEMBER;
}

gbi_json_status check(ondemand::value value, size_t level, size_t max_depth, const char *line_end,
                      checked_value &out) {
  ondemand::json_type type;
  if (auto error = value.type().get(type)) return status_of(error);
  switch (type) {
    case ondemand::json_type::null: {
      out.kind = GBI_JSON_NULL;
      out.text = trimmed(value.raw_json_token());
      return out.text == "null" ? GBI_JSON_MEMBER : GBI_JSON_MALFORMED;
    }
    case ondemand::json_type::boolean: {
      out.text = trimmed(value.raw_json_token());
      out.kind = out.text == "true" ? GBI_JSON_TRUE : GBI_JSON_FALSE;
      return out.text == "true" || out.text == "false" ? GBI_JSON_MEMBER : GBI_JSON_MALFORMED;
    }
    case ondemand::json_type::number: {
      out.kind = GBI_JSON_NUMBER;
      out.text = trimmed(value.raw_json_token());
      return is_number(out.text) ? GBI_JSON_MEMBER : GBI_JSON_MALFORMED;
    }
    case ondemand::json_type::string: {
      out.kind = GBI_JSON_STRING;
      std::string_view token = value.raw_json_token();
      // A string that is left for simdjson to skip is taken for a key when a colon follows, and
      // what comes then is skipped with it, unseen.
      ondemand::raw_json_string consumed;
      if (auto error = value.get_raw_json_string().get(consumed)) return status_of(error);
      return string_body(token, out.text, out.escaped) ? GBI_JSON_MEMBER : GBI_JSON_MALFORMED;
    }
    case ondemand::json_type::array: {
      if (level > max_depth) return GBI_JSON_TOO_DEEP;
      out.kind = GBI_JSON_ARRAY;
      ondemand::array array;
      if (auto error = value.get_array().get(array)) return status_of(error);
      return check_array(array, level, max_depth, line_end, out);
    }
    case ondemand::json_type::object: {
      if (level > max_depth) return GBI_JSON_TOO_DEEP;
      out.kind = GBI_JSON_OBJECT;
      ondemand::object object;
      if (auto error = value.get_object().get(object)) return status_of(error);
      return check_object(object, level, max_depth, line_end, out);
    }
  }
  return GBI_JSON_MALFORMED;
}

// One string and nothing behind it: the first closing quote is the line's last character.
bool is_single_string(std::string_view line) {
  std::string_view body;
  bool escaped;
  return line.size() >= 2 && key_body(line.data() + 1, line.data() + line.size(), body, escaped) &&
         body.size() + 2 == line.size();
}

// A line that is no object: is it another JSON value, or nothing of the kind?
gbi_json_status check_other_root(gbi_json_parser *parser, ondemand::json_type type,
                                 std::string_view line) {
  bool valid = false;
  checked_value ignored;
  if (type == ondemand::json_type::array) {
    ondemand::array array;
    if (parser->document.get_array().get(array)) return GBI_JSON_MALFORMED;
    auto status = check_array(array, 1, parser->max_depth, line.data() + line.size(), ignored);
    if (status != GBI_JSON_MEMBER) return status;
    valid = at_end(parser->document);
  } else {
    while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
    line = trimmed(line);
    valid = line == "null" || line == "true" || line == "false" || is_number(line) ||
            (type == ondemand::json_type::string && is_single_string(line));
  }
  return valid ? GBI_JSON_NOT_AN_OBJECT : GBI_JSON_MALFORMED;
}

}  // namespace

size_t gbi_json_padding(void) { return SIMDJSON_PADDING; }

gbi_json_parser *gbi_json_parser_create(void) { return new (std::nothrow) gbi_json_parser(); }

void gbi_json_parser_destroy(gbi_json_parser *parser) { delete parser; }

gbi_json_status gbi_json_begin(gbi_json_parser *parser, const char *line, size_t length,
                               size_t max_depth) {
  parser->max_depth = max_depth;
  parser->line_end = line + length;
  parser->started = false;
  // A level more than ours: simdjson counts the values within the innermost container too.
  const size_t depth = max_depth + 2;
  if (parser->parser.max_depth() < depth && parser->parser.allocate(length, depth)) {
    return GBI_JSON_NO_MEMORY;
  }
  auto error =
      parser->parser.iterate(line, length, length + SIMDJSON_PADDING).get(parser->document);
  if (error) return status_of(error);
  ondemand::json_type type;
  if ((error = parser->document.type().get(type))) return status_of(error);
  if (type != ondemand::json_type::object) {
    return check_other_root(parser, type, std::string_view(line, length));
  }
  if (max_depth < 1) return GBI_JSON_TOO_DEEP;
  if ((error = parser->document.get_object().get(parser->object))) return status_of(error);
  if ((error = parser->object.begin().get(parser->position))) return status_of(error);
  return GBI_JSON_MEMBER;
}

gbi_json_status gbi_json_next(gbi_json_parser *parser, gbi_json_member *out) {
  if (parser->started) ++parser->position;
  parser->started = true;
  if (!(parser->position != ondemand::object_iterator())) {
    // The object is closed. A missing comma shows as an error of the next member, not here.
    return at_end(parser->document) ? GBI_JSON_END : GBI_JSON_MALFORMED;
  }
  ondemand::field member;
  if (auto error = (*parser->position).get(member)) return status_of(error);

  std::string_view key;
  bool key_escaped = false;
  if (!key_body(member.key().raw(), parser->line_end, key, key_escaped)) return GBI_JSON_MALFORMED;

  const char *start = member.value().raw_json_token().data();
  checked_value value;
  auto status = check(member.value(), 2, parser->max_depth, parser->line_end, value);
  if (status != GBI_JSON_MEMBER) return status;
  if (value.kind == GBI_JSON_ARRAY || value.kind == GBI_JSON_OBJECT) {
    // The container is behind us: it ends before the token that comes next.
    const char *next;
    if (auto error = parser->document.current_location().get(next)) return status_of(error);
    value.text = trimmed(std::string_view(start, size_t(next - start)));
  }
  *out = {key.data(), key.size(), value.text.data(), value.text.size(),
          uint8_t(value.kind), uint8_t(key_escaped), uint8_t(value.escaped)};
  return GBI_JSON_MEMBER;
}
