#pragma once

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

// zlib defines this as a macro that Swift cannot import, because it passes the header's version.
// 15 window bits, plus 16 to accept only a gzip header and trailer.
static inline int gbi_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

// A macro for the same reason; 8 is zlib's default use of memory.
static inline int gbi_deflate_init_gzip(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
