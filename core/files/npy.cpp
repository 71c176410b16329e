// NumPy's NPY format, read and written.

#include "core/files/array_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <type_traits>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "core/files/text.h"

namespace emergence {
namespace {

// Reads the part of Python's notation that headers use.
class Parser {
  public:
    Parser(std::string_view text, const std::string& label) : text_(text), label_(label) {}

    [[noreturn]] void fail(std::string_view what) const { throw InputError("{}: NPY header: {}", label_, what); }
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
        if (at_ != text_.size()) fail(fmt::format("the dictionary has text after it, at character {}", at_));
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
        if (result.ec != std::errc()) fail("shape: an extent is too large or not a whole number of 0 or more");
        at_ = static_cast<size_t>(result.ptr - text_.data());
        if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote 3L
        return value;
    }

    std::string_view text_;
    const std::string& label_;
    size_t at_ = 0;
};

// "<f4": byte order, kind and size.
void read_type(const std::string& description, NpyHeader& header, const std::string& label) {
    constexpr std::array<std::string_view, 12> kNumbers = {"f2", "f4", "f8", "b1", "i1", "i2",
                                                           "i4", "i8", "u1", "u2", "u4", "u8"};
    const std::string order = description.substr(0, 1), type = description.substr(order.size());
    const auto size = parsed<size_t>(std::string_view(type).substr(std::min<size_t>(1, type.size())));
    const bool is_number =
        contains(kNumbers, type) && (order == "|" ? *size == 1 : order == "<" || order == ">" || order == "=");
    if (!is_number && !(order == "|" && type.starts_with('S') && size))
        throw InputError(
            "{}: type '{}' cannot be read, only floats (f2, f4, f8), integers (i1 to i8, u1 to u8) and booleans", label,
            description);
    header.byte_order = order == "=" ? '<' : order[0];
    header.kind = type[0];
    header.item_size = *size;
}

// Reads a header such as
//
//     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
//
// Throws InputError, beginning with `label`, for anything else and for types that are neither numbers nor a single text
// of bytes.
NpyHeader parse_npy_header(std::string_view text, const std::string& label) {
    Parser parser(text, label);
    NpyHeader header;
    std::set<std::string> seen;
    parser.expect('{');
    while (!parser.accept('}')) {
        const std::string key = parser.string();
        parser.expect(':');
        if (!seen.insert(key).second) parser.fail(fmt::format("'{}' occurs twice", key));
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
    if (header.kind == 'S' && !header.shape.empty()) parser.fail("only a single text can be read, not several");
    return header;
}

constexpr std::string_view kMagic = "\x93NUMPY";
// The data begin at a multiple of this many bytes.
constexpr size_t kAlignment = 64;
constexpr size_t kElementsAtATime = size_t{1} << 14;

// Converts IEEE 754 binary16.
float half_to_float(uint16_t bits) {
    const uint32_t exponent = bits >> 10 & 0x1F;
    const auto fraction = static_cast<float>(bits & 0x3FF);
    float magnitude = 0.0F;
    if (exponent == 0x1F)
        magnitude = fraction == 0.0F ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    else if (exponent == 0)
        magnitude = std::ldexp(fraction, -24);
    else
        magnitude = std::ldexp(fraction + 1024.0F, static_cast<int>(exponent) - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

// Reads `count` elements of sizeof(Bits) bytes and converts each by `value_of`. The caller has checked the count
// against the file's size and the limit.
template <class Bits, class ValueOf>
auto read_elements(const ByteSource& next, size_t count, bool big, const ValueOf& value_of) {
    std::vector<decltype(value_of(Bits{}))> elements;
    elements.reserve(count);
    std::vector<std::byte> chunk;
    while (elements.size() < count) {
        const size_t some = std::min(kElementsAtATime, count - elements.size());
        chunk.resize(some * sizeof(Bits));
        next(chunk);
        for (size_t at = 0; at < chunk.size(); at += sizeof(Bits))
            elements.push_back(value_of(big ? load_big<Bits>(chunk, at) : load_little<Bits>(chunk, at)));
    }
    return elements;
}

decltype(Array::values) read_values(const ByteSource& next, const NpyHeader& header, size_t count) {
    const auto read = [&]<class Bits>(Bits, const auto& value_of) {
        return read_elements<Bits>(next, count, header.byte_order == '>', value_of);
    };
    const auto whole = [](auto bits) { return static_cast<int64_t>(bits); };
    const auto signed_whole = [](auto bits) { return int64_t{static_cast<std::make_signed_t<decltype(bits)>>(bits)}; };
    const size_t size = header.item_size;
    const auto read_whole = [&](const auto& value_of) {
        if (size == 1) return read(uint8_t{}, value_of);
        return size == 2 ? read(uint16_t{}, value_of) : read(uint32_t{}, value_of);
    };
    switch (header.kind) {
        case 'f':
            if (size == 2) return read(uint16_t{}, half_to_float);
            if (size == 4) return read(uint32_t{}, [](uint32_t bits) { return std::bit_cast<float>(bits); });
            return read(uint64_t{}, [](uint64_t bits) { return std::bit_cast<double>(bits); });
        case 'w':
            return read(uint16_t{}, [](uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); });
        case 'b':
            return read(uint8_t{}, [](uint8_t bits) { return int64_t{bits != 0}; });
        case 'i':
            return size == 8 ? read(uint64_t{}, signed_whole) : read_whole(signed_whole);
        default:
            if (size == 8) return read(uint64_t{}, [](uint64_t bits) { return bits; });
            return read_whole(whole);
    }
}

// From Fortran order (first index fastest) to C order (last index fastest).
template <class Element>
std::vector<Element> to_c_order(const std::vector<Element>& values, const std::vector<size_t>& shape) {
    std::vector<Element> result;
    result.reserve(values.size());
    std::vector<size_t> stride(shape.size(), 1);
    for (size_t k = 1; k < shape.size(); ++k) stride[k] = stride[k - 1] * shape[k - 1];
    std::vector<size_t> index(shape.size(), 0);
    size_t position = 0;
    while (result.size() < values.size()) {
        result.push_back(values[position]);
        for (size_t k = shape.size(); k-- > 0;) {
            position += stride[k];
            if (++index[k] < shape[k]) break;
            position -= stride[k] * shape[k];
            index[k] = 0;
        }
    }
    return result;
}

// Reads the header and reduces `size` to the number of bytes after it.
NpyHeader read_npy_header(const ByteSource& next, uint64_t& size, const std::string& label) {
    const auto take = [&](std::span<std::byte> into) {
        if (into.size() > size) throw InputError(label + ": NPY header: it ends too early");
        next(into);
        size -= into.size();
    };
    std::array<std::byte, 8> start{};
    take(start);
    if (as_text(start).substr(0, kMagic.size()) != kMagic) throw InputError(label + ": is not a NumPy array (NPY)");
    const int major = std::to_integer<int>(start[6]);
    const int minor = std::to_integer<int>(start[7]);
    if (major < 1 || major > 3 || minor != 0)
        throw InputError("{}: NPY version {}.{} cannot be read, only 1.0, 2.0 and 3.0", label, major, minor);
    std::array<std::byte, 4> length{};
    take(std::span(length).first(major == 1 ? 2 : 4));
    const size_t header_size = load_little<uint32_t>(length, 0);
    if (header_size > kMostArrayHeader)
        throw InputError("{}: the NPY header has {} bytes, more than the limit of {}", label, header_size,
                         kMostArrayHeader);
    std::vector<std::byte> text(header_size);
    take(text);
    return parse_npy_header(as_text(text), label);
}

// Reads a text as the codes of its bytes.
Array read_text(const ByteSource& next, const NpyHeader& header, uint64_t size, size_t limit,
                const std::string& label) {
    if (size != header.item_size)
        throw InputError("{}: its type asks for {} bytes of text, but {} follow", label, header.item_size, size);
    if (header.item_size > limit / sizeof(int64_t))
        throw InputError("{}: {} characters need more than the limit of {} bytes", label, size, limit);
    return {{header.item_size},
            read_elements<uint8_t>(next, header.item_size, false, [](uint8_t byte) { return int64_t{byte}; })};
}

// The start of an NPY file of version 1.0, as NumPy writes it, up to its data in C order.
std::vector<std::byte> start_of_npy(const NpyHeader& of) {
    std::string header = fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': ({}{}), }}", of.byte_order,
                                     of.kind, of.item_size, fmt::join(of.shape, ", "), of.shape.size() == 1 ? "," : "");
    const size_t start = kMagic.size() + 4;
    header.append((kAlignment - (start + header.size() + 1) % kAlignment) % kAlignment, ' ');
    header += '\n';
    std::vector<std::byte> bytes;
    append(bytes, as_bytes(kMagic));
    append_little<uint16_t>(bytes, 1);  // version 1.0
    append_little(bytes, static_cast<uint16_t>(header.size()));
    append(bytes, as_bytes(header));
    return bytes;
}

}  // namespace

Array read_npy(const ByteSource& next, uint64_t size, size_t limit, const std::string& label) {
    const NpyHeader header = read_npy_header(next, size, label);
    if (header.kind == 'S') return read_text(next, header, size, limit, label);
    Array array;
    array.shape = header.shape;
    size_t count = 0;
    try {
        count = element_count(header.shape);
    } catch (const InputError& error) {
        throw InputError("{}: {}", label, error.what());
    }
    check_memory(header, limit, label);
    if (size != count * header.item_size)
        throw InputError("{}: its shape asks for {} bytes of data, but {} follow", label, count * header.item_size,
                         size);
    array.values = read_values(next, header, count);
    if (header.fortran_order && header.shape.size() > 1)
        array.values = std::visit(
            [&](const auto& values) { return decltype(array.values)(to_c_order(values, header.shape)); }, array.values);
    return array;
}

Array read_npy_data(const ByteSource& next, const NpyHeader& header) {
    return {header.shape, read_values(next, header, element_count(header.shape))};
}

std::vector<std::byte> npy_bytes(const Array& array) {
    return std::visit(
        [&](const auto& values) {
            using Element = typename std::decay_t<decltype(values)>::value_type;
            using Bits = std::conditional_t<sizeof(Element) == 4, uint32_t, uint64_t>;
            check(element_count(array.shape) == values.size(), "an array has as many values as its shape says");
            const char kind = std::is_floating_point_v<Element> ? 'f' : std::is_signed_v<Element> ? 'i' : 'u';
            std::vector<std::byte> bytes = start_of_npy({'<', kind, sizeof(Element), false, array.shape});
            bytes.reserve(bytes.size() + values.size() * sizeof(Element));
            for (const Element value : values) append_little(bytes, std::bit_cast<Bits>(value));
            return bytes;
        },
        array.values);
}

std::vector<std::byte> npy_text_bytes(std::string_view text) {
    std::vector<std::byte> bytes = start_of_npy({'|', 'S', text.size(), false, {}});
    append(bytes, as_bytes(text));
    return bytes;
}

}  // namespace emergence
