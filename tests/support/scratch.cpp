#include "tests/support/scratch.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include <stdlib.h>

namespace emergence::testing {

namespace fs = std::filesystem;

Scratch::Scratch() {
    std::string name = (fs::temp_directory_path() / "emergence-test-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no folder for the test");
    path_ = name;
}

Scratch::~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::string slurp(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void spit(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

void check_holds(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts) {
        CAPTURE(part);
        CHECK(holds(text, part));
    }
}

size_t count_entries(const fs::path& folder) {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder), {}));
}

}  // namespace emergence::testing
