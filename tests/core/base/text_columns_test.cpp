#include "core/base/text_columns.h"

#include <doctest/doctest.h>

#include <string>

namespace emergence {

TEST_CASE("columns of narrow, wide and combining characters, and of bytes that are no UTF-8") {
    CHECK(columns_of("abc") == 3);
    CHECK(columns_of("größer – α") == 10);
    CHECK(columns_of("日本") == 4);
    CHECK(columns_of("\U0001F600!") == 3);
    CHECK(columns_of("e\u0301") == 1);
    CHECK(columns_of("\xff\xe6\x97") == 3);
    CHECK(bytes_in_columns("日本語", 5) == 6);
    CHECK(bytes_in_columns("abc", 9) == 3);
    CHECK(bytes_in_columns("abc", 0) == 0);
}

}  // namespace emergence
