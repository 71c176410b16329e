#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "tests/support/packed_archive.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace testing;

// An array that cannot be read refuses only itself: archives and tensors of other programs.

namespace {

const Array kP{{2}, std::vector<float>{1.5F, -2.0F}};

std::string npy_of_P() { return std::string(as_text(npy_bytes(kP))); }

std::string refusal_of(ArrayFile& file, const std::string& name) {
    return message_of<InputError>([&] { file.at(name); });
}

std::vector<std::byte> tensors_of(const std::string& header, const std::string& data) {
    std::vector<std::byte> bytes;
    append_little<uint64_t>(bytes, header.size());
    for (const char c : header + data) bytes.push_back(static_cast<std::byte>(c));
    return bytes;
}

}  // namespace

TEST_CASE("an array that cannot be read refuses only itself") {
    const std::string strange[] = {npy_text(npy_header_of("'<U1'", "(1,)"), "a\0\0\0"),
                                   npy_text(npy_header_of("'|O'", "(1,)"), "\x80\x04."),
                                   npy_text(npy_header_of("'|S3'", "(1,)"), "abc"),
                                   npy_text(npy_header_of("'<c16'", "(1,)"), std::string(16, '\0')),
                                   npy_text(npy_header_of("[('x', '<f4')]", "(1,)"), std::string(4, '\0')),
                                   npy_text(npy_header_of("'<M8[s]'", "(1,)"), std::string(8, '\0')),
                                   npy_text(npy_header_of("'<f4'", "(3,)"), "too short"),
                                   npy_text(npy_header_of("'<f4'", "(9999999999, 0)"), ""),
                                   "no array at all",
                                   ""};
    for (const std::string& npy : strange) {
        const std::vector<std::byte> bytes =
            packed_archive({{"P.npy", npy_of_P()}, {"names.npy", npy}, {"README", "by hand"}});
        ArrayFile file(bytes, "w.npz");
        CHECK(file.at("P") == kP);
        CHECK(refusal_of(file, "names").starts_with("w.npz: names.npy: "));
        CHECK(refusal_of(file, "Q") == "w.npz: array 'Q' is missing. The file holds P, names");
        CHECK_THROWS_WITH_AS(parse_npz(bytes, "w.npz"), doctest::Contains("w.npz: "), InputError);
    }
}

TEST_CASE("every way in which other programs pack an archive is read") {
    for (int form = 0; form < 4; ++form) {
        PackedFile P{"P.npy", npy_of_P()};
        P.deflated = (form & 1) != 0;
        P.descriptor = (form & 2) != 0;
        const auto bytes = packed_archive({{"folder/", ""}, P, {"folder/notes.txt", "x"}}, "a comment PK\5\6");
        CHECK(parse_npz(bytes, "w.npz") == ArrayMap{{"P", kP}});
    }
}

TEST_CASE("a damaged or encrypted entry of an archive refuses only itself") {
    const PackedFile P{"P.npy", npy_of_P()};
    const auto with = [&](size_t at, uint64_t value, const std::string& name = "b.npy") {
        size_t number = 0;
        const auto bend = [&](uint64_t right) { return number++ == at ? value : right; };
        return packed_archive({{name, npy_of_P()}, P}, "", bend);
    };
    size_t readable = 0;
    constexpr size_t kOfBoth = 28;  // numbers of b's two headers, which are written first
    for (size_t at = 0; at < kOfBoth; ++at)
        for (const uint64_t value : {0ULL, 1ULL, 99ULL, 0xFFFFULL, 0xFFFFFFFFULL}) {
            const std::vector<std::byte> bytes = with(at, value);
            try {
                ArrayFile file(bytes, "w.npz");
                CHECK(file.at("P") == kP);
                ++readable;
            } catch (const InputError&) {
                // The archive's own structure is damaged.
            }
        }
    CHECK(readable > 80);
    const std::vector<std::byte> ill_named = packed_archive({P, {"a\x1b[2J.npy", ""}});
    ArrayFile file(ill_named, "w.npz");
    CHECK(file.at("P") == kP);
    CHECK(refusal_of(file, "Q").find('\x1b') == std::string::npos);
}

TEST_CASE("a tensor that cannot be read refuses only itself") {
    const std::string P = R"("P":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
    const std::string data(
        "\x00\x00\xC0\x3F\x00\x00\x00\xC0"
        "12345678",
        16);
    for (const char* other : {R"({"dtype":"F8_E4M3","shape":[8],"data_offsets":[8,16]})",
                              R"({"dtype":"F32","shape":[3],"data_offsets":[8,16]})",
                              R"({"dtype":"F32","shape":[2],"data_offsets":[8,99]})", R"({"dtype":"F32","shape":[2]})",
                              "3", R"({"dtype":"F32","shape":[-1],"data_offsets":[8,16]})",
                              R"({"dtype":"F32","shape":[2],"data_offsets":[8,16],"strides":[1]})"}) {
        const auto bytes = tensors_of(fmt::format("{{{},\"b\":{}}}", P, other), data);
        ArrayFile file(bytes, "w.safetensors");
        CHECK(file.at("P") == kP);
        CHECK(refusal_of(file, "b").starts_with("w.safetensors: b: "));
    }
}

TEST_CASE("a header of many tensors is read as fast as it is long") {
    std::string header = "{";
    for (int i = 0; header.size() < kMostTensorHeader - 100; ++i)
        header += fmt::format("{}\"{}\":0", i == 0 ? "" : ",", i);
    const auto bytes = tensors_of(header + "}", "");
    ArrayFile file(bytes, "w.safetensors");
    CHECK(file.names().size() > 100'000);
    CHECK(holds(refusal_of(file, "P"), " and "));
    CHECK(refusal_of(file, "P").size() < 1000);
}

TEST_CASE("arrays that are not asked for take no memory") {
    PackedFile huge{"huge.npy", npy_text(npy_header_of("'|u1'", "(30000000,)"), std::string(30'000'000, '\0'))};
    huge.deflated = true;
    const std::vector<std::byte> bytes = packed_archive({huge, {"P.npy", npy_of_P()}});
    CHECK(bytes.size() < 100'000);
    ArrayFile file(bytes, "w.npz", 1000);
    CHECK(file.at("P") == kP);
    CHECK(refusal_of(file, "huge") == "w.npz: huge.npy: 30000000 elements need more than the limit of 992 bytes");
}

TEST_CASE("a deflated array that goes on after the size that the archive tells, or ends before it, is refused") {
    const auto refusal_at = [&](const std::string& data, int64_t off) {
        const std::string npy = npy_text(npy_header_of("'<f4'", "(3,)"), data);
        const auto bend = [&](uint64_t number) {
            return number == npy.size() ? number + static_cast<uint64_t>(off) : number;
        };
        const auto bytes = packed_archive({{.name = "P.npy", .contents = npy, .deflated = true}}, "", bend);
        return message_of<InputError>([&] { parse_npz(bytes, "f"); });
    };
    CHECK(refusal_at(std::string(12, 'x'), 0) == "");
    CHECK(holds(refusal_at(std::string(16, 'x'), -4), "P.npy: it holds more data"));
    CHECK(holds(refusal_at(std::string(11, 'x'), 1), "P.npy: it ends too early"));
}

namespace {

ArrayMap read_tensors(std::span<const std::byte> bytes, const std::string& source, size_t limit) {
    return read_all(safetensors_readers(bytes, source), limit);
}

ArrayMap tensors_in(const std::string& header, const std::string& data, size_t limit = 1 << 20) {
    return read_tensors(tensors_of(header, data), "w.safetensors", limit);
}

std::string refused_tensors(const std::string& header, const std::string& data = "", size_t limit = 1 << 20) {
    return message_of<InputError>([&] { tensors_in(header, data, limit); });
}

std::string tensor(const std::string& type, const std::string& shape, const std::string& offsets) {
    return fmt::format("{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{}]}}", type, shape, offsets);
}

}  // namespace

TEST_CASE("tensors of every type are read, worked out by hand") {
    // 1.5 is 0x3FC00000 as a float, 0x3E00 as a half, 0x3FC0 as its upper half; -2 is 0xFFFE in two's complement.
    const std::string header = "{\"__metadata__\":{\"format\":\"pt\"},\"P\":" + tensor("F32", "1,2", "0,8") +
                               ",\"h\":" + tensor("F16", "1", "8,10") + ",\"b\":" + tensor("BF16", "2", "10,14") +
                               ",\"i\":" + tensor("I16", "", "14,16") + ",\"u\":" + tensor("U64", "1", "16,24") +
                               ",\"t\":" + tensor("BOOL", "2", "24,26") + ",\"none\":" + tensor("F64", "0,3", "26,26") +
                               "}";
    const std::string data(
        "\x00\x00\xC0\x3F\x00\x00\x00\xC0\x00\x3E\xC0\x3F\x00\xC0\xFE\xFF\x07\x00\x00\x00\x00\x00\x00\x00\x01\x00", 26);
    const ArrayMap arrays = tensors_in(header, data);
    CHECK(arrays.size() == 7);
    CHECK(arrays.at("P") == Array{{1, 2}, std::vector<float>{1.5F, -2.0F}});
    CHECK(arrays.at("h") == Array{{1}, std::vector<float>{1.5F}});
    CHECK(arrays.at("b") == Array{{2}, std::vector<float>{1.5F, -2.0F}});
    CHECK(arrays.at("i") == Array{{}, std::vector<int64_t>{-2}});
    CHECK(arrays.at("u") == Array{{1}, std::vector<uint64_t>{7}});
    CHECK(arrays.at("t") == Array{{2}, std::vector<int64_t>{1, 0}});
    CHECK(arrays.at("none") == Array{{0, 3}, std::vector<double>{}});
}

TEST_CASE("hostile headers are refused with what is wrong") {
    const std::string eight(8, 'x');
    const std::pair<std::string, const char*> kHeaders[] = {{"{", "safetensors header: it is not JSON, or cut short"},
                                                            {"[1]", "safetensors header: must be an object"}};
    for (const auto& [header, reason] : kHeaders)
        CHECK(refused_tensors(header, eight) == std::string("w.safetensors: ") + reason);
    const auto refused = [&](const std::string& of_P, size_t limit = 1 << 20) {
        return refused_tensors("{\"P\":" + of_P + "}", eight, limit);
    };
    const std::pair<std::string, const char*> kTensors[] = {
        {"3", "it must have dtype, shape and data_offsets, and nothing else"},
        {tensor("F8_E4M3", "8", "0,8"), "type 'F8_E4M3' is not supported"},
        {tensor("F32", "-2", "0,8"), "shape: must be whole numbers of 0 or more"},
        {tensor("F32", "1.5", "0,8"), "shape: must be whole numbers of 0 or more"},
        {tensor("F32", "3", "0,8"), "its shape 3 of F32 does not fit its 8 bytes"},
        {tensor("F32", "4611686018427387904,4,4", "0,8"), ""}};
    for (const auto& [of_P, reason] : kTensors)
        CHECK(refused(of_P).starts_with(std::string("w.safetensors: P: ") + reason));
    for (const char* offsets : {"0,9", "8,0", "0", "0,4,8"}) CHECK_FALSE(refused(tensor("F32", "2", offsets)).empty());
    CHECK(refused(tensor("U8", "8", "0,8"), 63) == "w.safetensors: P: 8 elements need more than the limit of 63 bytes");
    CHECK_FALSE(refused_tensors(std::string(500'000, '[')).empty());
    CHECK_FALSE(refused_tensors(std::string(1'100'000, ' ')).empty());
    std::vector<std::byte> endless(16, std::byte{0xFF});
    CHECK(holds(message_of<InputError>([&] { read_tensors(endless, "w", 1000); }), "18446744073709551615 bytes"));
    CHECK(message_of<InputError>([&] { read_tensors({}, "w", 1000); }) == "w: safetensors: it ends too early");
}

TEST_CASE("one door reads NPZ, NPY and safetensors by their first bytes") {
    const testing::Scratch scratch;
    const Array P{{2}, std::vector<float>{1.5F, -2.0F}};
    const std::string data("\x00\x00\xC0\x3F\x00\x00\x00\xC0", 8);
    write_npz(scratch / "a", {{"P", P}});
    write_file(scratch / "P.txt", npy_bytes(P));
    write_file(scratch / "c", tensors_of("{\"P\":" + tensor("F32", "2", "0,8") + "}", data));
    for (const char* name : {"a", "P.txt", "c"}) CHECK(ArrayFile(scratch / name).read({"P"}) == ArrayMap{{"P", P}});
    write_file(scratch / "d", std::string_view("neither"));
    CHECK(message_of<InputError>([&] { ArrayFile(scratch / "d"); }) ==
          (scratch / "d").string() + ": holds no arrays. Use a complete NPZ, NPY or safetensors file");
    CHECK_FALSE(is_foreign_array_file(as_bytes("PK")));
}
