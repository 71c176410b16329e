#pragma once
// Cairo's files as bytes in memory.

#include <cairo.h>

#include <string>

namespace emergence {

/// A cairo_write_func_t: `closure` is the std::string that the file is appended to.
inline cairo_status_t append_bytes(void* closure, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace emergence
