#pragma once

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

// zlib spells this as a macro that Swift cannot import: it passes the header's version along.
// 15 window bits, and 16 more for "a gzip header and trailer, nothing else".
static inline int gbi_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
