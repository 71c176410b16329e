#include "core/files/npy_header.h"

#include <fmt/format.h>

#include <charconv>
#include <set>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/limits.h"

namespace emergence {
namespace {

// Reads the part of Python's notation that headers use.
class Parser {
  public:
    Parser(std::string_view text, const std::string& label) : text_(text), label_(label) {}

    [[noreturn]] void fail(std::string_view what) const {
        throw InputError(fmt::format("{}: NPY header: {}", label_, what));
    }
    bool accept(char c) {
        skip_space();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!accept(c)) fail(fmt::format("'{}' is missing at character {}", c, at_));
    }
    void expect_end() {
        skip_space();
        if (at_ != text_.size()) fail(fmt::format("there is more after the dictionary, at character {}", at_));
    }
    std::string string() {
        skip_space();
        if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"'))
            fail(fmt::format("a quoted text is missing at character {} (records are not read)", at_));
        const char quote = text_[at_++];
        const size_t end = text_.find(quote, at_);
        if (end == std::string_view::npos) fail("a quoted text does not end");
        std::string result(text_.substr(at_, end - at_));
        at_ = end + 1;
        return result;
    }
    bool boolean() {
        skip_space();
        for (const std::string_view word : {"True", "False"})
            if (text_.substr(at_, word.size()) == word) {
                at_ += word.size();
                return word == "True";
            }
        fail("fortran_order is neither True nor False");
    }
    std::vector<size_t> shape() {
        std::vector<size_t> extents;
        expect('(');
        bool comma = true;
        while (!accept(')')) {
            if (!comma) fail("shape: a comma is missing");
            if (extents.size() == kMostDimensions) fail(fmt::format("shape: more than {} dimensions", kMostDimensions));
            extents.push_back(extent());
            comma = accept(',');
        }
        if (extents.size() == 1 && !comma) fail("shape is a number, not a tuple");
        return extents;
    }

  private:
    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    }
    size_t extent() {
        skip_space();
        size_t value = 0;
        const auto result = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (result.ec != std::errc()) fail("shape: an extent is no whole number from 0 up, or too large");
        at_ = static_cast<size_t>(result.ptr - text_.data());
        if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote 3L
        return value;
    }

    std::string_view text_;
    const std::string& label_;
    size_t at_ = 0;
};

void read_type(const std::string& description, NpyHeader& header, const std::string& label) {
    const auto refuse = [&] {
        throw InputError(fmt::format(
            "{}: type '{}' cannot be read, only floats (f2, f4, f8), integers (i1 to i8, u1 to u8) and booleans", label,
            description));
    };
    if (description.starts_with("|S") && description.size() > 2) {
        header.byte_order = '|';
        header.kind = 'S';
        const auto size = parsed<decltype(header.item_size)>(std::string_view(description).substr(2));
        if (!size) refuse();
        header.item_size = *size;
        return;
    }
    if (description.size() != 3 || std::string_view("<>|=").find(description[0]) == std::string_view::npos) refuse();
    header.byte_order = description[0] == '=' ? '<' : description[0];
    header.kind = description[1];
    header.item_size = static_cast<size_t>(description[2] - '0');
    const size_t size = header.item_size;
    const bool number = header.kind == 'f'   ? size == 2 || size == 4 || size == 8
                        : header.kind == 'b' ? size == 1
                                             : (header.kind == 'i' || header.kind == 'u') &&
                                                   (size == 1 || size == 2 || size == 4 || size == 8);
    if (!number || (header.byte_order == '|' && size != 1)) refuse();
}

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& label) {
    Parser parser(text, label);
    NpyHeader header;
    std::set<std::string> seen;
    parser.expect('{');
    while (!parser.accept('}')) {
        const std::string key = parser.string();
        parser.expect(':');
        if (!seen.insert(key).second) parser.fail(fmt::format("'{}' is there twice", key));
        if (key == "descr")
            read_type(parser.string(), header, label);
        else if (key == "fortran_order")
            header.fortran_order = parser.boolean();
        else if (key == "shape")
            header.shape = parser.shape();
        else
            parser.fail(fmt::format("key '{}' is not one of descr, fortran_order and shape", key));
        if (!parser.accept(',')) {
            parser.expect('}');
            break;
        }
    }
    parser.expect_end();
    if (seen.size() != 3) parser.fail("one of descr, fortran_order and shape is missing");
    if (header.kind == 'S' && !header.shape.empty()) parser.fail("several texts are not read, only one");
    return header;
}

std::string npy_header_text(const NpyHeader& header) {
    std::string shape = fmt::format("{}", fmt::join(header.shape, ", "));
    if (header.shape.size() == 1) shape += ",";
    return fmt::format("{{'descr': '{}{}{}', 'fortran_order': {}, 'shape': ({}), }}", header.byte_order, header.kind,
                       header.item_size, header.fortran_order ? "True" : "False", shape);
}

}  // namespace emergence
