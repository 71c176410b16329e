#include "core/files/bytes.h"

#include <doctest/doctest.h>

#include "core/files/atomic_write.h"

using namespace emergence;

// The check values that catalogues of both give.
TEST_CASE("checksums are the known ones, in one piece or continued") {
    CHECK(crc_of(as_bytes("123456789")) == 0xCBF43926U);
    CHECK(crc_of(as_bytes("56789"), crc_of(as_bytes("1234"))) == 0xCBF43926U);
    CHECK(crc_of({}) == 0);
    CHECK(fnv_of(as_bytes("a")) == 0xAF63DC4C8601EC8CU);
    CHECK(fnv_of(as_bytes("ar"), fnv_of(as_bytes("foob"))) == 0x85944171F73967E8U);
}

TEST_CASE("base64 is that of RFC 4648") {
    const std::pair<const char*, const char*> known[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : known) CHECK(base64(as_bytes(bytes)) == text);
}
