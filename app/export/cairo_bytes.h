#pragma once
// Cairo's files as bytes in memory, and its errors.

#include <cairo.h>

#include <string>

#include "core/files/system_errors.h"

namespace emergence {

/// What Cairo says, or the limit on memory.
inline std::string cairo_text(cairo_status_t status) {
    return status == CAIRO_STATUS_NO_MEMORY ? out_of_memory_text() : cairo_status_to_string(status);
}

/// A cairo_write_func_t: `closure` is the std::string that the file is appended to.
inline cairo_status_t append_bytes(void* closure, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace emergence
