// networks: the networks that ship, trained again.

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/near_names.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/files/assets.h"
#include "core/files/atomic_write.h"
#include "core/settings/toml.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kSeeds = 3;
constexpr size_t kMostCurveBytes = size_t{1} << 28;

std::vector<std::string> chosen_presets(const NetworksRequest& request) {
    const std::vector<std::string>& all = shipped_networks();
    for (const std::string& preset : request.presets)
        if (std::find(all.begin(), all.end(), preset) == all.end())
            throw InputError(unknown_name("network", preset, all, "'networks' trains all"));
    return request.presets.empty() ? all : request.presets;
}

// All seeds of a preset in one folder; a training that an earlier call has begun is resumed.
int train(const NetworksRequest& request, const std::string& preset, const fs::path& folder,
          const Environment& environment) {
    RunRequest run;
    run.name = read_settings(preset_path(environment.assets(), preset)).experiment;
    run.preset = preset;
    run.changes = request.changes;
    run.seeds = std::to_string(request.seeds.value_or(kSeeds));
    run.threads = request.threads;
    run.out = folder.string();
    run.moments = 0;
    run.existing = request.existing == Existing::refuse ? Existing::renew : request.existing;
    return run_run(run, environment);
}

}  // namespace

int run_networks(const NetworksRequest& request, const Environment& environment) {
    environment.has_saved("What was trained until then is saved", environment.arguments);
    for (const std::string& preset : chosen_presets(request)) {
        const fs::path folder = fs::path(request.out) / preset;
        const int code = train(request, preset, folder, environment.without_saved());
        if (code != kDone) return code;
        const fs::path weights = folder.string() + ".npz", curves = folder.string() + ".csv";
        const ArrayMap chosen = chosen_weights(folder / "weights.npz");
        write_npz(weights, chosen);
        write_file(curves, as_text(read_file(folder / "metrics.csv", kMostCurveBytes)));
        environment.out << fmt::format("{}\n{}\n{}: seed {} has the least validation regret\n",
                                       weights.string(), curves.string(), preset,
                                       as_doubles(chosen.at("seed")).front());
    }
    return kDone;
}

}  // namespace emergence::cli
