#include "core/files/safetensors.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "core/files/npy.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

using testing::message_of;

std::vector<std::byte> safetensors_file(const std::string& header, const std::string& data) {
    std::vector<std::byte> bytes;
    append_little<uint64_t>(bytes, header.size());
    for (const char c : header + data) bytes.push_back(static_cast<std::byte>(c));
    return bytes;
}

ArrayMap read_tensors(std::span<const std::byte> bytes, const std::string& source, size_t limit) {
    return read_all(safetensors_readers(bytes, source), limit);
}

ArrayMap tensors_in(const std::string& header, const std::string& data, size_t limit = 1 << 20) {
    return read_tensors(safetensors_file(header, data), "w.safetensors", limit);
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
    CHECK(refused_tensors("{") == "w.safetensors: safetensors header: it is not JSON, or cut short");
    CHECK(refused_tensors("[1]") == "w.safetensors: safetensors header: an object is needed");
    CHECK(refused_tensors("{\"P\":" + tensor("F32", "2", "0,8") + ",\"P\":" + tensor("F32", "2", "0,8") + "}", eight) ==
          "w.safetensors: safetensors header: 'P' is there twice");
    CHECK(refused_tensors("{\"P\":3}") ==
          "w.safetensors: P: dtype, shape and data_offsets are needed, and nothing else");
    CHECK(
        refused_tensors("{\"P\":" + tensor("F8_E4M3", "8", "0,8") + "}", eight).find("P: type 'F8_E4M3' is not read") !=
        std::string::npos);
    CHECK(refused_tensors("{\"P\":" + tensor("F32", "-2", "0,8") + "}", eight) ==
          "w.safetensors: P: shape: whole numbers from 0 are needed");
    CHECK(refused_tensors("{\"P\":" + tensor("F32", "1.5", "0,8") + "}", eight) ==
          "w.safetensors: P: shape: whole numbers from 0 are needed");
    CHECK(refused_tensors("{\"P\":" + tensor("F32", "3", "0,8") + "}", eight) ==
          "w.safetensors: P: its shape 3 of F32 does not fit its 8 bytes");
    CHECK(refused_tensors("{\"P\":" + tensor("F32", "4611686018427387904,4,4", "0,8") + "}", eight)
              .starts_with("w.safetensors: P: "));
    for (const char* offsets : {"0,9", "8,0", "0", "0,4,8"})
        CHECK_FALSE(refused_tensors("{\"P\":" + tensor("F32", "2", offsets) + "}", eight).empty());
    CHECK(refused_tensors("{\"P\":" + tensor("F32", "1", "4,8") + "}", eight) ==
          "w.safetensors: P: its data begin at 4, but those before it end at 0");
    CHECK(refused_tensors("{\"P\":" + tensor("F32", "1", "0,4") + ",\"Q\":" + tensor("F32", "2", "0,8") + "}", eight) ==
          "w.safetensors: Q: its data begin at 0, but those before it end at 4");
    CHECK(refused_tensors("{\"P\":" + tensor("F32", "1", "0,4") + "}", eight) ==
          "w.safetensors: the tensors end at byte 4 of 8 bytes of data");
    CHECK(refused_tensors("{\"P\":" + tensor("U8", "8", "0,8") + "}", eight, 63) ==
          "w.safetensors: P: 8 elements need more than the limit of 63 bytes");
    CHECK_FALSE(refused_tensors(std::string(500'000, '[')).empty());
    CHECK_FALSE(refused_tensors(std::string(1'100'000, ' ')).empty());
    std::vector<std::byte> endless(16, std::byte{0xFF});
    CHECK(message_of<InputError>([&] { read_tensors(endless, "w", 1000); }).find("18446744073709551615 bytes") !=
          std::string::npos);
    CHECK(message_of<InputError>([&] { read_tensors({}, "w", 1000); }) == "w: safetensors: it ends too early");
}

TEST_CASE("one door reads NPZ, NPY and safetensors by their first bytes") {
    const testing::Scratch scratch;
    const Array P{{2}, std::vector<float>{1.5F, -2.0F}};
    const std::string data("\x00\x00\xC0\x3F\x00\x00\x00\xC0", 8);
    write_npz(scratch / "a", {{"P", P}});
    write_file(scratch / "P.txt", npy_bytes(P));
    write_file(scratch / "c", safetensors_file("{\"P\":" + tensor("F32", "2", "0,8") + "}", data));
    for (const char* name : {"a", "P.txt", "c"}) CHECK(read_arrays(scratch / name) == ArrayMap{{"P", P}});
    write_file(scratch / "d", std::string_view("neither"));
    CHECK(message_of<InputError>([&] { read_arrays(scratch / "d"); }) ==
          (scratch / "d").string() + ": holds no arrays. Needed is a whole NPZ, NPY or safetensors file");
    CHECK_FALSE(is_foreign_array_file(as_bytes("PK")));
}

}  // namespace emergence
