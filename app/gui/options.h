#pragma once
// What the window is started with.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/theme.h"
#include "core/base/fields.h"
#include "core/runtime/study.h"

namespace emergence {

struct Options {
    std::string experiment;
    std::string preset;                    // "" for none
    std::vector<std::string> assignments;  // field=value
    std::optional<int64_t> seeds;
    int threads = 1;
    double pace = 250.0;  // steps a second; 0 is as fast as it goes
    bool paused = false;
    Theme theme = Theme::dark;
    float ui_scale = 1.0F;
    int width = 1600;
    int height = 1000;
    std::string screenshot;  // a file; "" for none
    double after = 5.0;      // seconds
    bool trace = false;
};

/// What to do instead of opening the window: a text to print and the exit status.
struct Farewell {
    std::string text;
    int status = 0;
};

/// Reads the command line. `experiment` is the one that opens where none is named. Returns a Farewell for
/// --help,
/// --version and what is not understood.
std::optional<Farewell> read_options(int argc, char** argv, const std::string& experiment, Options& options);

/// The settings that the options ask for: defaults, then the preset, then --set and --seeds. Throws
/// InputError.
Settings make_settings(const ExperimentInfo& info, const Options& options);

}  // namespace emergence
