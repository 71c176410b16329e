// Every test run makes a few hundred files for each maker; the sanitized run makes them for as long as
// EMERGENCE_FUZZ_SECONDS says, divided among the makers. The decisions are always the same, so a failure comes again.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <random>
#include <vector>

#include "tests/fuzz/readers.h"

namespace emergence::testing {
namespace {

constexpr int kFewInputs = 300;

double seconds_for_all() {
    const char* seconds = std::getenv("EMERGENCE_FUZZ_SECONDS");
    return seconds == nullptr ? 0.0 : std::atof(seconds);
}

// Returns how many files were made.
int read_made_files(const FuzzedReader& reader, double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    std::mt19937_64 random(20250101);
    int count = 0;
    for (; count < kFewInputs || (seconds > 0 && Clock::now() < end); ++count) {
        std::vector<std::byte> bytes(random() % 512);
        for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0xFF);
        try {
            reader.read(bytes);
        } catch (const std::exception& error) {
            FAIL_CHECK(reader.name << ": input " << count << ": " << std::string(error.what()));
            break;
        }
    }
    return count;
}

}  // namespace

TEST_CASE("made files of every structure are read or refused") {
    std::vector<FuzzedReader> makers = made_array_readers();
    makers.insert(makers.end(), made_text_readers().begin(), made_text_readers().end());
    const double each = seconds_for_all() / static_cast<double>(makers.size());
    for (const FuzzedReader& maker : makers) {
        const auto start = std::chrono::steady_clock::now();
        const int count = read_made_files(maker, each);
        const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        MESSAGE(fmt::format("{}: {} made files, {:.0f} a second", maker.name, count, count / took));
    }
}

}  // namespace emergence::testing
