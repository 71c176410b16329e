// An array that cannot be read refuses only itself: archives and tensors of other programs.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "core/files/npy.h"
#include "tests/support/packed_archive.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

using testing::message_of;
using testing::npy_header_of;
using testing::npy_text;
using testing::packed_archive;
using testing::PackedFile;

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
    for (int form = 0; form < 8; ++form) {
        PackedFile P{"P.npy", npy_of_P()};
        P.deflated = (form & 1) != 0;
        P.descriptor = (form & 2) != 0;
        P.zip64 = (form & 4) != 0;
        const auto bytes = packed_archive({{"folder/", ""}, P, {"folder/notes.txt", "x"}}, "a comment PK\5\6");
        CHECK(parse_npz(bytes, "w.npz") == ArrayMap{{"P", kP}});
    }
}

TEST_CASE("a damaged, encrypted, doubled or ill-named entry of an archive refuses only itself") {
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
    const std::vector<std::byte> ill_named = packed_archive({{"../b.npy", npy_of_P()}, P, {"a\x1b[2J.npy", ""}});
    ArrayFile file(ill_named, "w.npz");
    CHECK(file.at("P") == kP);
    CHECK(refusal_of(file, "../b").find("its name is refused: '..' would leave") != std::string::npos);
    CHECK(refusal_of(file, "Q").find('\x1b') == std::string::npos);
    const std::vector<std::byte> doubled = packed_archive({P, {"Q.npy", npy_of_P()}, {"Q.npy", ""}});
    ArrayFile twice(doubled, "w.npz");
    CHECK(twice.at("P") == kP);
    CHECK(refusal_of(twice, "Q") == "w.npz: Q.npy: it is there twice");
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
    CHECK(refusal_of(file, "P").find(" and ") != std::string::npos);
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
    CHECK(refusal_at(std::string(16, 'x'), -4).find("P.npy: there is more data") != std::string::npos);
    CHECK(refusal_at(std::string(11, 'x'), 1).find("P.npy: it ends too early") != std::string::npos);
}

}  // namespace emergence
