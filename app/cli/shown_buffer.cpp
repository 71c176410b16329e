#include "app/cli/shown_buffer.h"

#include <string_view>

#include "core/base/utf8.h"

namespace emergence::cli {

// The first `size` bytes of what is pending. The caller holds the mutex.
void ShownBuffer::pass(size_t size) {
    if (size == 0) return;
    to_ << shown_lines(std::string_view(pending_).substr(0, size));
    pending_.erase(0, size);
}

ShownBuffer::int_type ShownBuffer::overflow(int_type character) {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    const char one = traits_type::to_char_type(character);
    return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

std::streamsize ShownBuffer::xsputn(const char* text, std::streamsize size) {
    const std::string_view written(text, static_cast<size_t>(size));
    const std::lock_guard guard(mutex_);
    if (progress_ && (written == "\r" || written == "\x1b[K")) {
        pass(pending_.size());
        to_ << written;
    } else {
        pending_ += written;
        pass(pending_.rfind('\n') + 1);
    }
    return to_ ? size : 0;
}

int ShownBuffer::sync() {
    const std::lock_guard guard(mutex_);
    pass(pending_.size());
    to_.flush();
    return to_ ? 0 : -1;
}

}  // namespace emergence::cli
