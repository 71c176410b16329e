#pragma once
// Everything of ours that reads what somebody else may have written, behind one face: for a fuzzer (fuzzer.cpp,
// run by run.sh) and for the tests, which read the kept seeds again (seeds_test.cpp, window_seeds_test.cpp).

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace emergence::testing {

using Bytes = std::span<const std::byte>;

struct FuzzedReader {
    std::string name;  // and of its folder in seeds/
    /// Reads `bytes` as a file. Swallows InputError, which is how a reader refuses; anything else that is
    /// thrown, and whatever sanitizers object to, is a bug.
    void (*read)(std::span<const std::byte> bytes);
};

/// Runs `action` and swallows the InputError with which a reader refuses.
template <class Action>
void refusing(Action&& action) {
    try {
        action();
    } catch (const InputError&) {
        // What a reader says to input that it does not take.
    }
}

/// The library's.
const std::vector<FuzzedReader>& core_readers();
/// The library's too, behind makers: these read `bytes` as decisions of a maker (choices.h) of files with that
/// structure, which is then bent, so that random bytes get past the first checks.
const std::vector<FuzzedReader>& made_array_readers();
const std::vector<FuzzedReader>& made_text_readers();
/// The window's.
const std::vector<FuzzedReader>& window_readers();

/// Gives every seed of those readers to them. Returns how many there were; throws what a reader throws, with
/// the file's name.
size_t read_all_seeds(const std::vector<FuzzedReader>& readers);

}  // namespace emergence::testing
