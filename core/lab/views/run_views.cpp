#include "core/lab/views/run_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/base/ranges.h"
#include "core/base/text.h"

namespace emergence {

NetworkCounts count_networks(const Snapshot& snapshot) {
    NetworkCounts counts;
    std::vector<std::string> others;
    for (const SeedStatus& seed : snapshot.seeds) {
        counts.failed += seed.failed ? 1 : 0;
        counts.emerged += seed.emerged ? 1 : 0;
        if (!seed.judged) continue;
        ++counts.judged;
        if (seed.judged->own.value_or(false))
            ++counts.own;
        else
            others.push_back(seed.judged->label);
    }
    counts.others = tally(others);
    return counts;
}

bool counts_verdicts(const Snapshot& snapshot) {
    return any_of(snapshot.seeds, [](const SeedStatus& seed) { return seed.judged.has_value(); });
}

bool is_counted(const SeedStatus& seed) { return seed.judged ? seed.judged->own.value_or(false) : seed.emerged; }

int64_t counted_since(const SeedStatus& seed) { return seed.judged ? seed.judged->since : seed.emerged_at; }

std::string words_of(const Lack& lack) {
    if (!std::isfinite(lack.needed)) return lack.what;
    return fmt::format("{} is {:.2g}, not {} {:.2g}", lack.what, lack.value, lack.more ? "above" : "below",
                       lack.needed);
}

std::vector<std::string> times_of(const Snapshot& snapshot) {
    std::vector<int64_t> times;
    for (const SeedStatus& seed : snapshot.seeds)
        if (is_counted(seed) && counted_since(seed) >= 0) times.push_back(counted_since(seed));
    if (times.empty()) return {};
    std::sort(times.begin(), times.end());
    const std::string first = fmt::format("first after {}", times.front());
    const std::string& unit = snapshot.step_unit;
    // The median over all networks exists once half of them are there.
    const size_t half = (snapshot.seeds.size() + 1) / 2;
    if (snapshot.seeds.size() == 1 || times.size() < half) return {first + " " + unit, first};
    const int64_t median = times[half - 1];
    return {fmt::format("{}, half of the networks after {} {}", first, median, unit),
            fmt::format("{}, half after {} {}", first, median, unit), fmt::format("{}, half after {}", first, median),
            first};
}

CountWords count_words(const Snapshot& snapshot) {
    if (!counts_verdicts(snapshot)) {
        if (snapshot.emergence_rule.empty()) return {"", {snapshot.headline}};
        return {fmt::format("{} of {}", count_networks(snapshot).emerged, snapshot.seeds.size()),
                {snapshot.emerged_words}};
    }
    const NetworkCounts counts = count_networks(snapshot);
    const std::string others =
        listed(counts.others, [](const auto& one) { return fmt::format("{} {}", one.second, one.first); });
    const std::string all = fmt::format("network{}: {}", counts.judged == 1 ? "" : "s", others);
    if (snapshot.algorithm.empty()) return {fmt::format("{}", counts.judged), {all, others}};
    if (counts.own == 0 && !snapshot.headline.empty())
        return {fmt::format("{}", counts.judged), {all + "; " + snapshot.headline, all, others}};
    const std::string verb = fmt::format("{} {}", counts.judged == 1 ? "computes" : "compute", snapshot.algorithm);
    const std::string networks = fmt::format("network{} {}", counts.judged == 1 ? "" : "s", verb);
    CountWords words{fmt::format("{} of {}", counts.own, counts.judged), {networks, verb}};
    if (!others.empty()) words.what.insert(words.what.begin(), networks + "; " + others);
    return words;
}

std::string result_words(const Snapshot& snapshot) {
    const CountWords words = count_words(snapshot);
    return words.number.empty() ? words.what.front() : words.number + " " + words.what.front();
}

std::string state_words(const Snapshot& snapshot, const SeedStatus& seed) {
    if (seed.failed) return "stopped";
    if (seed.judged) return seed.judged->label;
    return snapshot.emergence_rule.empty() ? ""
           : seed.emerged                  ? snapshot.emerged_words
                                           : "not " + snapshot.emerged_words;
}

std::string network_words(const Snapshot& snapshot, const SeedStatus& seed) {
    std::string text = fmt::format("{} {}", snapshot.seed_word, seed.seed);
    const std::string& unit = snapshot.step_unit;
    if (seed.failed) return text + ": stopped, " + seed.reason;
    if (seed.judged) {
        text += ": " + seed.judged->sentence;
        if (is_counted(seed) && seed.judged->since >= 0)
            text += fmt::format("\nIt first did so for ten logged steps from {} {} on.", seed.judged->since, unit);
    }
    if (snapshot.emergence_rule.empty()) return text;
    const bool weights = seed.judged.has_value() && !snapshot.algorithm.empty();
    const std::string looks = weights ? "look like " + snapshot.algorithm : snapshot.emerged_words;
    text += weights ? "\nIts weights " : ": ";
    if (seed.emerged)
        text += fmt::format("{}, since {} {}", looks, seed.emerged_at, unit);
    else {
        text += weights ? "do not " + looks : "not " + looks;
        if (seed.emerged_at >= 0) text += fmt::format(" any more; they did after {} {}", seed.emerged_at, unit);
        if (!seed.lacks.empty()) text += ": " + words_of(seed.lacks.front());
    }
    return text;
}

bool PictureIds::has_matrix(const std::string& id) const { return contains(matrices, id); }

bool PictureIds::has(const std::string& id) const {
    return (id == kSeedTiles && tiles) || has_matrix(id) || contains(plots, id) || contains(scenes, id);
}

PictureIds picture_ids(const std::vector<MetricPlot>& history, const Snapshot& snapshot) {
    PictureIds ids;
    for (const NamedMatrix& matrix : snapshot.matrices) ids.matrices.push_back(matrix.name);
    for (const MetricPlot& plot : history) ids.plots.push_back(plot.id);
    for (const PlotSpec& plot : snapshot.plots) {
        ids.plots.push_back(plot.id);
        if (plot.leads) ids.leading.push_back(plot.id);
    }
    for (const Scene& scene : snapshot.scenes) ids.scenes.push_back(scene.id);
    ids.tiles = !snapshot.matrices.empty() && snapshot.seeds.size() > 1;
    return ids;
}

PicturePlaces place_pictures(const Staging& staging, const PictureIds& ids) {
    PicturePlaces places;
    std::set<std::string> placed;
    const auto add = [&](std::vector<std::string>& place, const std::vector<std::string>& wanted) {
        for (const std::string& id : wanted) {
            const bool all = id == kAllMatrices;
            for (const std::string& one : all ? ids.matrices : std::vector<std::string>{id}) {
                const bool named = contains(staging.stage, one) || contains(staging.wings, one);
                if ((all ? !named : ids.has(one)) && placed.insert(one).second) place.push_back(one);
            }
        }
    };
    add(places.stage, staging.stage);
    if (places.stage.empty()) add(places.stage, ids.matrices);
    if (places.stage.empty()) add(places.stage, ids.scenes);
    if (places.stage.empty() && !ids.plots.empty()) add(places.stage, {ids.plots.front()});
    for (const std::string& id : ids.leading)
        if (!contains(staging.wings, id)) add(places.wings, {id});
    add(places.wings, staging.wings);
    std::vector<std::string>& rest = staging.wings.empty() ? places.wings : places.more;
    for (const auto* list : {&ids.matrices, &ids.scenes, &ids.plots}) add(rest, *list);
    add(places.more, {kSeedTiles});
    return places;
}

}  // namespace emergence
