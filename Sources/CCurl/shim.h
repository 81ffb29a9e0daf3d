#pragma once

#include <curl/curl.h>

// libcurl sets options through variadic functions, which Swift cannot call. Each of these passes one
// type of value.
static inline CURLcode gbi_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode gbi_curl_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode gbi_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

typedef size_t (*gbi_curl_writer)(char *bytes, size_t size, size_t count, void *target);

static inline CURLcode gbi_curl_set_writer(CURL *easy, gbi_curl_writer writer, void *target) {
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, writer);
  return curl_easy_setopt(easy, CURLOPT_WRITEDATA, target);
}

static inline long gbi_curl_status(CURL *easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

// The result of a transfer that has ended; -1 while it goes on. The message is valid until the next
// call of its handle, so it is copied here.
static inline int gbi_curl_result(CURLM *multi) {
  int left = 0;
  CURLMsg *message = curl_multi_info_read(multi, &left);
  return message && message->msg == CURLMSG_DONE ? (int)message->data.result : -1;
}

// A macro that Swift cannot import, because it is a cast of a number.
static const size_t gbi_curl_pause = CURL_WRITEFUNC_PAUSE;

static inline void gbi_curl_start(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }
