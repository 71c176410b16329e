#include "app/gui/panels/emergence_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/gui/panels/readouts.h"

namespace emergence {
namespace {

// With what most of them lack, "the trace of Q's upper-right block".
std::vector<std::string> none_in_words(const Snapshot& snapshot) {
    const int64_t end = snapshot.status.target_step;
    const std::string none = end > 0 && snapshot.step >= end ? "none to the end" : "none so far";
    std::map<std::string, int> lacking;
    for (const SeedStatus& seed : snapshot.seeds)
        if (!snapshot.counts_function && !seed.lacks.empty()) ++lacking[seed.lacks.substr(0, seed.lacks.find(" is "))];
    const auto most = std::max_element(lacking.begin(), lacking.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == lacking.end() || snapshot.step == 0) return {none};
    return {fmt::format("{}; {} of {} lack: {}", none, most->second, snapshot.seeds.size(), most->first), none};
}

}  // namespace

bool is_counted(const Snapshot& snapshot, const SeedStatus& seed) {
    return snapshot.counts_function ? seed.function.value_or(false) : seed.emerged;
}
int64_t counted_at(const Snapshot& snapshot, const SeedStatus& seed) {
    return snapshot.counts_function ? seed.function_at : seed.emerged_at;
}

std::vector<std::string> times_in_words(const Snapshot& snapshot) {
    if (snapshot.emergence_rule.empty() && !snapshot.headline.empty()) return {snapshot.headline};
    if (snapshot.emergence_rule.empty())
        return {"no rule says when this network has emerged", "no rule for when it has emerged", "no rule"};
    std::vector<int64_t> times;
    int64_t later = 0;
    for (const SeedStatus& seed : snapshot.seeds) {
        if (!is_counted(snapshot, seed) || counted_at(snapshot, seed) < 0) continue;
        times.push_back(counted_at(snapshot, seed));
        later = seed.seen_later;
    }
    if (times.empty()) return none_in_words(snapshot);
    std::sort(times.begin(), times.end());
    const std::string briefly = fmt::format("first after {}", times.front());
    // Nothing was to be seen at that step yet.
    const std::string first = later > 0 ? briefly + fmt::format(", seen at {}", times.front() + later) : briefly;
    const std::string& unit = snapshot.step_unit;
    // The median over all seeds exists once half of them are there.
    const size_t half = (snapshot.seeds.size() + 1) / 2;
    if (snapshot.seeds.size() == 1 || times.size() < half) return {first + " " + unit, briefly};
    const int64_t median = times[half - 1];
    return {fmt::format("{}, half of the seeds after {} {}", first, median, unit),
            fmt::format("{}, half after {} {}", first, median, unit), fmt::format("{}, half after {}", first, median),
            fmt::format("{}, half after {}", briefly, median), briefly};
}

std::vector<std::string> chief_in_words(const Snapshot& snapshot, const std::string& value) {
    const auto chief = std::find_if(snapshot.scalars.begin(), snapshot.scalars.end(),
                                    [](const Scalar& scalar) { return !scalar.headline.empty(); });
    if (chief == snapshot.scalars.end()) return {};
    std::string sentence = chief->headline;
    sentence.replace(sentence.find("{}"), 2, value.empty() ? scalar_text(*chief) : value);
    return {sentence, sentence.substr(0, sentence.find(" ("))};
}

}  // namespace emergence
