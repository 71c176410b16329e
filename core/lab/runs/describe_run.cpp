#include "core/lab/runs/describe_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

constexpr size_t kMostListed = 20;

// "seeds 3, 7"; of many only the first ones.
std::string seeds_words(const std::vector<uint64_t>& seeds, const std::string& word) {
    std::vector<uint64_t> listed(seeds.begin(),
                                 seeds.begin() + static_cast<std::ptrdiff_t>(std::min(seeds.size(), kMostListed)));
    return fmt::format("{}{} {}{}", word, seeds.size() == 1 ? "" : "s", fmt::join(listed, ", "),
                       listed.size() < seeds.size() ? ", …" : "");
}

// Why fewer seeds are judged in function than there are.
std::string unjudged_words(const Snapshot& snapshot) {
    const auto unjudged = std::count_if(snapshot.seeds.begin(), snapshot.seeds.end(),
                                        [](const SeedStatus& seed) { return !seed.function; });
    return unjudged == 0
               ? ""
               : fmt::format(" Function is not judged for {}: no algorithm of the map is expected of {}.",
                             counted(static_cast<size_t>(unjudged), snapshot.seed_word), unjudged == 1 ? "it" : "them");
}

// What seeds compute that have not emerged in every way.
void add_others(const Snapshot& snapshot, std::vector<std::string>& sentences) {
    size_t listed = 0, beyond = 0;
    for (const SeedStatus& seed : snapshot.seeds) {
        if (seed.failed || seed.computes.empty() || has_emerged(seed)) continue;
        if (listed++ < kMostListed)
            sentences.push_back(fmt::format("{} {} computes: {}.", snapshot.seed_word, seed.seed, seed.computes));
        else
            ++beyond;
    }
    if (beyond > 0) sentences.push_back(fmt::format("{} more have not emerged.", beyond));
}

void add_emergence(const Snapshot& snapshot, std::vector<std::string>& sentences) {
    if (snapshot.emergence_rule.empty()) {
        sentences.push_back(snapshot.headline.empty() ? "No rule says when a network has emerged."
                                                      : snapshot.headline + ".");
        return;
    }
    std::vector<uint64_t> others;
    std::vector<int64_t> times;
    for (const SeedStatus& seed : snapshot.seeds)
        if (!seed.emerged)
            others.push_back(seed.seed);
        else if (seed.emerged_at >= 0)
            times.push_back(seed.emerged_at);
    const std::string& word = snapshot.seed_word;
    sentences.push_back(fmt::format("{} of {} {}.", snapshot.seeds.size() - others.size(),
                                    counted(snapshot.seeds.size(), word),
                                    snapshot.counts_function ? "emerged" : snapshot.emerged_words));
    if (const std::string function = function_words(snapshot); !function.empty())
        sentences.push_back(
            fmt::format("That is the pattern of the weights; {}.{}", function, unjudged_words(snapshot)));
    if (!others.empty() && others.size() < snapshot.seeds.size())
        sentences.push_back(fmt::format("Not emerged: {}.", seeds_words(others, word)));
    add_others(snapshot, sentences);
    if (!times.empty()) {
        const auto [first, last] = std::minmax_element(times.begin(), times.end());
        sentences.push_back(*first == *last ? fmt::format("They emerged after {} {}.", *first, snapshot.step_unit)
                                            : fmt::format("The first emerged after {} {}, the last after {}.", *first,
                                                          snapshot.step_unit, *last));
    }
    sentences.push_back(fmt::format("The rule: {}", snapshot.emergence_rule));
}

void add_failures(const Snapshot& snapshot, std::vector<std::string>& sentences) {
    for (const SeedStatus& seed : snapshot.seeds)
        if (seed.failed)
            sentences.push_back(fmt::format("{} {} stopped: {}.", snapshot.seed_word, seed.seed, seed.reason));
}

void add_lamps_and_numbers(const Snapshot& snapshot, std::vector<std::string>& sentences) {
    std::vector<std::string> lamps, numbers;
    for (const Lamp& lamp : snapshot.lamps)
        lamps.push_back(fmt::format("{} in {} of {}", lamp.label, std::count(lamp.lit.begin(), lamp.lit.end(), true),
                                    lamp.lit.size()));
    if (!lamps.empty()) sentences.push_back(fmt::format("Signs: {}.", fmt::join(lamps, ", ")));
    for (const Scalar& scalar : snapshot.scalars)
        numbers.push_back(
            fmt::format("{} {}{}", scalar.label, readout(scalar.value), scalar.unit.empty() ? "" : " " + scalar.unit));
    if (!numbers.empty()) sentences.push_back(fmt::format("Numbers: {}.", fmt::join(numbers, ", ")));
}

void add_all(std::vector<Description> more, std::vector<Description>& said) {
    for (Description& one : more) said.push_back(std::move(one));
}

size_t rank_of(const std::string& id, const std::vector<std::string>& first) {
    const auto found = std::find_if(first.begin(), first.end(), [&](const std::string& name) {
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
    std::vector<Description> pictures = describe(shown.heatmaps);
    for (const PlotSpec& plot : shown.plots) pictures.push_back(describe(plot));
    for (const SceneMoment& scene : shown.scenes) add_all(describe(scene_figure(scene)), pictures);
    std::stable_sort(pictures.begin(), pictures.end(), [&](const Description& a, const Description& b) {
        return rank_of(a.id, first) < rank_of(b.id, first);
    });
    std::vector<Description> said = {describe_state(info, snapshot)};
    add_all(std::move(pictures), said);
    return said;
}

}  // namespace emergence
