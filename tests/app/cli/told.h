#pragma once
// The command line called from within, and what it has said.

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "core/experiments/registry.h"
#include "tests/support/scratch.h"

namespace emergence::cli {

struct Told {
    int code = 0;
    std::string out, err;
};

/// `stop`: set where the run is to end as after Ctrl-C.
inline Told tell(const std::vector<std::string>& arguments, const std::vector<ExperimentInfo>& known = experiments(),
                 const std::filesystem::path& assets = {}, const std::atomic<bool>* stop = nullptr) {
    std::ostringstream out, err;
    const int code =
        run_command_line(arguments, {{.stop = stop, .assets = [&assets] { return assets; }}, known, out, err});
    return {code, out.str(), err.str()};
}

/// The words of a command, and more of them.
inline std::vector<std::string> with_words(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// What a command told that has done its work.
inline Told check_done(Told told) {
    CAPTURE(told.err);
    CHECK(told.code == kDone);
    return told;
}

/// A command that failed, by default since it was refused, and said why.
inline void check_refused(const Told& told, const std::string& why, int code = kBadInput) {
    CAPTURE(told.err);
    CHECK(told.code == code);
    CHECK_MESSAGE(testing::holds(told.err, why), why);
}

}  // namespace emergence::cli
