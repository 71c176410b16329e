#include <string_view>

#include "app/gui/shell/preferences.h"
#include "tests/fuzz/readers.h"

namespace emergence::testing {
namespace {

void read_preferences_bytes(std::span<const std::byte> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    refusing([&] { parse_preferences(text, "preferences.toml"); });
}

}  // namespace

const std::vector<FuzzedReader>& window_readers() {
    static const std::vector<FuzzedReader> readers = {{"preferences", read_preferences_bytes}};
    return readers;
}

}  // namespace emergence::testing
