// The fuzzer's way in: reader $EMERGENCE_FUZZ_READER is given whatever it makes up.

#define DOCTEST_CONFIG_IMPLEMENT  // the tests' support checks with doctest
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/readers.h"

namespace {

const emergence::testing::FuzzedReader& chosen_reader() {
    using namespace emergence::testing;
    const char* name = std::getenv("EMERGENCE_FUZZ_READER");
    const auto all = {&core_readers(), &made_array_readers(), &made_text_readers(), &window_readers()};
    for (const auto* readers : all)
        for (const FuzzedReader& reader : *readers)
            if (name != nullptr && reader.name == name) return reader;
    std::fprintf(stderr, "EMERGENCE_FUZZ_READER: '%s' is not one of", name == nullptr ? "" : name);
    for (const auto* readers : all)
        for (const FuzzedReader& reader : *readers) std::fprintf(stderr, " %s", reader.name.c_str());
    std::fputc('\n', stderr);
    std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const emergence::testing::FuzzedReader& reader = chosen_reader();
    reader.read(std::as_bytes(std::span(data, size)));
    return 0;
}
