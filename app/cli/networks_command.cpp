// networks: the networks that ship, trained again.

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "app/cli/command.h"
#include "app/cli/out_folder.h"
#include "app/cli/run_request.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/files/assets.h"
#include "core/files/atomic_write.h"
#include "core/settings/toml.h"

namespace emergence::cli {
namespace {

struct NetworksRequest {
    std::vector<std::string> presets;  // none is all
    std::vector<std::string> changes;  // "field=value"
    std::optional<int> seeds;
    std::string out = "out/networks";
    std::optional<int> threads;
    Existing existing = Existing::refuse;
};

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

int run_networks(const NetworksRequest& request, const Environment& environment) {
    environment.has_saved("What was trained until then is saved", environment.arguments);
    const std::vector<std::string> presets = chosen_presets(request);
    for (const std::string& preset : presets)
        environment.would(fmt::format("train {} into {}", preset, (folder_named(request.out) / preset).string()));
    if (environment.dry_run) throw DryRunEnds();
    for (const std::string& preset : presets) {
        const fs::path folder = folder_named(request.out) / preset;
        const int code = train(request, preset, folder, environment.without_saved());
        if (code != kDone) return code;
        const fs::path weights = folder.string() + ".npz", curves = folder.string() + ".csv";
        const ArrayMap chosen = chosen_weights(folder / "weights.npz");
        write_npz(weights, chosen);
        write_file(curves, as_text(read_file(folder / "metrics.csv", kMostCurveBytes)));
        environment.wrote(weights);
        environment.wrote(curves);
        environment.out << fmt::format("{}: seed {} has the least validation regret\n", preset,
                                       as_doubles(chosen.at("seed")).front());
    }
    return kDone;
}

}  // namespace

Command networks_command() {
    return command_of<NetworksRequest>(
        "networks", "Train the networks that ship again: several seeds each, the best by validation",
        [](Options& options, NetworksRequest& request) {
            options.texts("preset", "PRESET",
                          "bandit-cosine, bandit-low, bandit-mixture or bandit-memorise (default: all)",
                          request.presets);
            options.seeds("How many seeds of each (default: 3)", request.seeds);
            options.changes("Change settings: field=value (several may follow; may be repeated; see info)",
                            request.changes);
            options.out("Folder for the results (default: out/networks); a training that it holds is resumed",
                        request.out, request.existing);
            options.threads(request.threads);
            options.files_as_json();
        },
        run_networks, true);
}

}  // namespace emergence::cli
