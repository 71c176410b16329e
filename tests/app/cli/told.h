#pragma once
// The command line called from within, and what it has said.

#include <atomic>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "core/experiments/registry.h"

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

}  // namespace emergence::cli
