#include "app/cli/shown_buffer.h"

#include <algorithm>
#include <string_view>

#include "core/base/text.h"

namespace emergence::cli {
namespace {

// A line without its end, in several if it is too long; those that follow are set in. JSON stays one line.
std::string broken(std::string_view line, int columns) {
    constexpr size_t kFurther = 2;
    constexpr size_t kNone = std::string_view::npos;
    const size_t first = line.find_first_not_of(' ');
    if (first == kNone || line[first] == '{' || line[first] == '[') return std::string(line);
    const std::string indent(std::min(first + kFurther, static_cast<size_t>(columns) / 2), ' ');
    line = line.substr(0, line.find_last_not_of(' ') + 1);
    std::string text;
    for (int room = columns; columns_of(line) > room; room = columns - static_cast<int>(indent.size())) {
        const size_t word = line.find_first_not_of(' ');
        size_t blank = line.rfind(' ', bytes_in_columns(line, room));
        if (blank == kNone || blank < word) blank = line.find(' ', word);  // a word that is longer
        const size_t next = line.find_first_not_of(' ', std::min(blank, line.size()));
        if (next == kNone) break;
        text += std::string(line.substr(0, line.find_last_not_of(' ', blank) + 1)) + '\n' + indent;
        line.remove_prefix(next);
    }
    return text + std::string(line);
}

}  // namespace

// The first `size` bytes of what is pending. The caller holds the mutex.
void ShownBuffer::pass(size_t size) {
    if (size == 0) return;
    std::string text = shown_lines(std::string_view(pending_).substr(0, size));
    pending_.erase(0, size);
    if (!shows_.utf8) text = ascii_text(text);
    if (shows_.columns == 0) {
        to_ << text;
        return;
    }
    for (size_t at = 0, end = 0; at < text.size(); at = end + 1) {
        end = text.find('\n', at);
        if (end == std::string::npos) {
            to_ << text.substr(at);
            return;
        }
        to_ << broken(std::string_view(text).substr(at, end - at), shows_.columns) << '\n';
    }
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
