#pragma once

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

// zlib defines this as a macro that Swift cannot import, because it passes the header's version.
// 15 window bits, plus 16 to accept only a gzip header and trailer.
static inline int gbi_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
