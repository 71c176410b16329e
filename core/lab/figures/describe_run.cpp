#include "core/lab/figures/figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

#include "core/base/text.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

constexpr size_t kMostListed = 20;

// "seeds 3, 7"; of many only the first ones.
std::string seeds_words(const std::vector<uint64_t>& seeds, const std::string& word) {
    const auto first = std::span(seeds).first(std::min(seeds.size(), kMostListed));
    return fmt::format("{}{} {}{}", word, seeds.size() == 1 ? "" : "s", fmt::join(first, ", "),
                       first.size() < seeds.size() ? ", …" : "");
}

// Says what the networks compute that the headline does not count.
void add_others(const Snapshot& snapshot, std::vector<std::string>& sentences) {
    size_t listed = 0, beyond = 0;
    for (const SeedStatus& seed : snapshot.seeds) {
        if (seed.failed || !seed.judged || is_counted(seed)) continue;
        if (listed++ < kMostListed)
            sentences.push_back(fmt::format("{} {}: {}.", snapshot.seed_word, seed.seed, seed.judged->sentence));
        else
            ++beyond;
    }
    if (beyond > 0) sentences.push_back(fmt::format("{} more do not compute it.", beyond));
}

void add_emergence(const Snapshot& snapshot, std::vector<std::string>& sentences) {
    const bool verdicts = counts_verdicts(snapshot);
    if (snapshot.emergence_rule.empty() && !verdicts) {
        sentences.push_back(snapshot.headline.empty() ? "No rule says when a network has emerged."
                                                      : snapshot.headline + ".");
        return;
    }
    sentences.push_back(result_words(snapshot) + ".");
    if (verdicts) add_others(snapshot, sentences);
    const std::vector<uint64_t> others = mapped(filtered(snapshot.seeds, std::not_fn(is_counted)), &SeedStatus::seed);
    if (!verdicts && !others.empty() && others.size() < snapshot.seeds.size())
        sentences.push_back(
            fmt::format("Not {}: {}.", snapshot.emerged_words, seeds_words(others, snapshot.seed_word)));
    if (const auto times = times_of(snapshot); !times.empty()) sentences.push_back(capitalised(times.front()) + ".");
    if (snapshot.emergence_rule.empty()) return;
    if (verdicts && !snapshot.algorithm.empty())
        sentences.push_back(fmt::format("{} of {} look like {}.", count_networks(snapshot).emerged,
                                        counted(snapshot.seeds.size(), "network"), snapshot.algorithm));
    sentences.push_back(fmt::format("The rule: {}", snapshot.emergence_rule));
}

void add_failures(const Snapshot& snapshot, std::vector<std::string>& sentences) {
    for (const SeedStatus& seed : snapshot.seeds)
        if (seed.failed)
            sentences.push_back(fmt::format("{} {} stopped: {}.", snapshot.seed_word, seed.seed, seed.reason));
}

void add_lamps_and_numbers(const Snapshot& snapshot, std::vector<std::string>& sentences) {
    const std::string lamps = listed(snapshot.lamps, [](const Lamp& lamp) {
        return fmt::format("{} in {} of {}", lamp.label, std::count(lamp.lit.begin(), lamp.lit.end(), true),
                           lamp.lit.size());
    });
    if (!lamps.empty()) sentences.push_back(fmt::format("Signs: {}.", lamps));
    const std::string numbers = listed(snapshot.scalars, [](const Scalar& scalar) {
        return fmt::format("{} {}{}", scalar.label, readout(scalar.value),
                           scalar.unit.empty() ? "" : " " + scalar.unit);
    });
    if (!numbers.empty()) sentences.push_back(fmt::format("Numbers: {}.", numbers));
}

size_t rank_of(const std::string& id, const std::vector<std::string>& first) {
    const auto found = find_if(first, [&](const std::string& name) {
        return id == name || id.starts_with(name + "-") || id.starts_with(name + " ");
    });
    return static_cast<size_t>(found - first.begin());
}

}  // namespace

Description describe_state(const ExperimentInfo& info, const Snapshot& snapshot) {
    Description said{"", info.title, {}};
    const int64_t target = snapshot.status.target_step;
    said.sentences.push_back(target > 0 ? fmt::format("{} of {} {}.", snapshot.step, target, snapshot.step_unit)
                                        : fmt::format("{} {}.", snapshot.step, snapshot.step_unit));
    add_emergence(snapshot, said.sentences);
    add_failures(snapshot, said.sentences);
    add_lamps_and_numbers(snapshot, said.sentences);
    for (const std::string& notice : snapshot.notices) said.sentences.push_back(notice);
    return said;
}

std::vector<Description> describe_run(const ExperimentInfo& info, const Snapshot& snapshot, const ShownPanels& shown,
                                      const std::vector<std::string>& first) {
    std::vector<Description> said = describe(shown.heatmaps);
    for (const PlotSpec& plot : shown.plots) said.push_back(describe(plot));
    for (const SceneMoment& scene : shown.scenes)
        for (Description& part : describe(scene_figure(scene))) said.push_back(std::move(part));
    std::stable_sort(said.begin(), said.end(), [&](const Description& a, const Description& b) {
        return rank_of(a.id, first) < rank_of(b.id, first);
    });
    said.insert(said.begin(), describe_state(info, snapshot));
    return said;
}

}  // namespace emergence
