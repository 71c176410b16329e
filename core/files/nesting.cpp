#include "core/files/nesting.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/files/limits.h"
#include "core/files/text.h"

namespace emergence {
namespace {

// Behind the string that begins at `at`: "...", '...', or TOML's with three quotes, which may have many lines. One that does not
// end reaches to the end of its line, or of the text.
size_t after_string(std::string_view text, size_t at) {
    const char quote = text[at];
    const std::string three(3, quote);
    const bool long_form = text.substr(at, 3) == three;
    at += long_form ? 3 : 1;
    while (at < text.size() && (long_form || text[at] != '\n')) {
        if (quote == '"' && text[at] == '\\') {
            at = std::min(at + 2, text.size());
        } else if (long_form && text.substr(at, 3) == three) {
            // Up to two more quotes belong to the string.
            at += 3;
            for (int more = 0; more < 2 && at < text.size() && text[at] == quote; ++more) ++at;
            return at;
        } else if (text[at++] == quote && !long_form) {
            return at;
        }
    }
    return at;
}

// Reads TOML, and JSON, which differs in nothing that matters here.
class NestingReader {
  public:
    NestingReader(std::string_view text, const std::string& source) : text_(text), source_(source) {}

    void check() {
        for (size_t at = 0; at < text_.size();) {
            const char c = text_[at];
            if (c == '"' || c == '\'') {
                begins_line_ = false;
                at = after_string(text_, at);
            } else if (c == '#') {
                at = std::min(text_.find('\n', at), text_.size());
            } else {
                read(c);
                if ((c == '[' || c == '{' || c == '.') && nesting_.too_deep()) refuse(at);
                ++at;
            }
        }
    }

  private:
    void read(char c) {
        if (c == '\n' && !nesting_.in_brackets()) {
            if (header_) kept_ = parts_;
            header_ = false;
            begins_line_ = true;
            nesting_.next_item(kept_);
            return;
        }
        // A line [a.b] keeps its parts for the lines below it.
        if (c == '[' && begins_line_ && !nesting_.in_brackets()) {
            header_ = true;
            parts_ = 1;
            nesting_.next_item(1);
        } else if (header_ && (c == '.' || c == '[')) {
            ++parts_;
            nesting_.deepen();
        } else if (!header_ && (c == '[' || c == '{')) {
            nesting_.open();
        } else if (!header_ && (c == ']' || c == '}')) {
            nesting_.close();
        } else if (c == '.') {
            nesting_.deepen();
        } else if (c == ',') {
            nesting_.next_item(kept_);
        }
        if (c != ' ' && c != '\t') begins_line_ = false;
    }
    [[noreturn]] void refuse(size_t at) const {
        throw InputError(fmt::format(
            "{}is nested deeper than {} levels (brackets and the parts of dotted keys). Write it flatter",
            place_in(text_, at, source_), kDeepestText));
    }

    std::string_view text_;
    const std::string& source_;
    Nesting nesting_;
    bool begins_line_ = true;
    bool header_ = false;
    int parts_ = 0;  // of the header
    int kept_ = 0;   // of the last header
};

}  // namespace

bool Nesting::too_deep() const {
    const int deeper = std::accumulate(levels_.begin(), levels_.end(), 0);
    return static_cast<int>(levels_.size()) - 1 + deeper > kDeepestText;
}

void check_nesting(std::string_view text, const std::string& source) { NestingReader(text, source).check(); }

}  // namespace emergence
