#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "core/files/atomic_write.h"
#include "tests/fuzz/readers.h"
#include "tests/support/places.h"

namespace emergence::testing {

size_t read_all_seeds(const std::vector<FuzzedReader>& readers) {
    size_t count = 0;
    for (const FuzzedReader& reader : readers) {
        const std::filesystem::path folder = source_dir() / "tests/fuzz/seeds" / reader.name;
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        for (const auto& file : files) {
            try {
                reader.read(read_file(file, size_t{1} << 24));
            } catch (const std::exception& error) {
                throw std::runtime_error(fmt::format("{}: {}", file.string(), error.what()));
            }
        }
        count += files.size();
    }
    return count;
}

}  // namespace emergence::testing
