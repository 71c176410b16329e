#include "app/gui/shell/preferences.h"
#include "core/base/error.h"
#include "tests/fuzz/readers.h"

namespace emergence::testing {
namespace {

void read_preferences_bytes(std::span<const std::byte> bytes) {
    try {
        parse_preferences({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "preferences.toml");
    } catch (const InputError&) {
        // What it says to text that is no TOML.
    }
}

}  // namespace

const std::vector<FuzzedReader>& window_readers() {
    static const std::vector<FuzzedReader> readers = {{"preferences", read_preferences_bytes}};
    return readers;
}

}  // namespace emergence::testing
