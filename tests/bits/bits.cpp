// Prints a line for each preset: its name, and hashes of what its first steps leave (states of the seeds,
// logged rows, matrices of the snapshot). Two builds whose lists agree compute the same bits: see bits.sh.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/settings/embedded_settings.h"
#include "core/settings/toml.h"

using namespace emergence;

namespace {

constexpr int64_t kSteps = 200;
constexpr int64_t kSeeds = 2;

// FNV-1a, 64 bits.
class Hash {
  public:
    void add(std::span<const std::byte> bytes) {
        for (const std::byte b : bytes) value_ = (value_ ^ static_cast<uint64_t>(b)) * 0x100000001b3U;
    }
    void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
    template <class Number>
    void add_numbers(const std::vector<Number>& numbers) {
        add(std::as_bytes(std::span(numbers)));
    }
    std::string text() const { return fmt::format("{:016x}", value_); }

  private:
    uint64_t value_ = 0xcbf29ce484222325U;
};

// What takes minutes at 200 steps takes fewer, on smaller samples.
struct Shorter {
    const char* experiment;
    int64_t steps;
    const char* field;
    int64_t most;
};
constexpr std::array<Shorter, 3> kShorter = {
    {{"bandit-train", 4, "bank_size", 8}, {"regression", 20, "num_prompts", 2000}, {"bandit-sweep", 4, "", 0}}};

std::string line_of(const std::string& preset, const std::filesystem::path& assets, ThreadPool& pool) {
    const SettingsFile file = read_config_of(preset_path(assets, preset));
    const ExperimentInfo& info = find_experiment(file.experiment);
    Settings settings(info.fields);
    apply(file, settings);
    if (settings.has("seeds") && settings.integer("seeds") > kSeeds) settings.set("seeds", kSeeds);
    int64_t steps = kSteps;
    for (const Shorter& shorter : kShorter) {
        if (info.name != shorter.experiment) continue;
        steps = shorter.steps;
        if (*shorter.field != '\0' && settings.integer(shorter.field) > shorter.most)
            settings.set(shorter.field, shorter.most);
    }
    Run run(info.make(settings), pool);
    Hash rows, states, matrices;
    const auto add_rows = [&rows](const std::vector<MetricRow>& logged) {
        for (const MetricRow& row : logged) {
            rows.add(fmt::format("{} {} ", row.seed_index, row.step));
            rows.add_numbers(row.values);
        }
    };
    add_rows(run.advance_to(0));
    add_rows(run.advance_to(std::min(steps, run.study().target_step())));
    for (const ArrayMap& seed : run.save())
        for (const auto& [name, array] : seed) {
            states.add(name);
            std::visit([&states](const auto& values) { states.add_numbers(values); }, array.values);
        }
    for (const NamedMatrix& matrix : run.snapshot().matrices) {
        matrices.add(matrix.name);
        for (const Table& seed : matrix.seeds) matrices.add_numbers(seed.values);
    }
    return fmt::format("{} steps {} states {} rows {} matrices {}", preset, run.step(), states.text(), rows.text(),
                       matrices.text());
}

}  // namespace

int main() {
    try {
        const std::filesystem::path assets = assets_folder();
        ThreadPool pool(2);
        for (const std::string& preset : preset_names(assets)) {
            fmt::print("{}\n", line_of(preset, assets, pool));
            std::fflush(stdout);
        }
    } catch (const std::exception& problem) {
        fmt::print(stderr, "{}\n", problem.what());
        return 1;
    }
    return 0;
}
