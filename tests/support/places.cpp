#include "tests/support/places.h"

#include <cstdlib>

#include "build_places.h"  // CMake writes it; no other source may know them, or checkouts could not share a compiler cache

namespace emergence::testing {

std::filesystem::path source_dir() { return kSourceDir; }

std::filesystem::path data_file(const std::string& name) { return source_dir() / "tests" / "data" / name; }

std::string cli_program() {
    const char* other = std::getenv("EMERGENCE_CLI");
    return other != nullptr ? other : kCliProgram;
}

}  // namespace emergence::testing
