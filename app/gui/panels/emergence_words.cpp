#include "app/gui/panels/emergence_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/gui/panels/readouts.h"
#include "core/lab/views/run_views.h"

namespace emergence {
namespace {

// What most of them lack first, and by how much in the middle.
std::vector<std::string> none_in_words(const Snapshot& snapshot) {
    const int64_t end = snapshot.status.target_step;
    const std::string none = end > 0 && snapshot.step >= end ? "none to the end" : "none so far";
    std::map<std::string, std::vector<Lack>> lacking;
    for (const SeedStatus& seed : snapshot.seeds)
        if (!seed.lacks.empty()) lacking[seed.lacks.front().what].push_back(seed.lacks.front());
    const auto most = std::max_element(lacking.begin(), lacking.end(),
                                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    if (most == lacking.end() || snapshot.step == 0) return {none};
    std::vector<Lack>& all = most->second;
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end(), [](const Lack& a, const Lack& b) { return a.value < b.value; });
    return {fmt::format("{}; in {} of {} {}", none, all.size(), snapshot.seeds.size(), words_of(*middle)), none};
}

const Scalar* chief_of(const Snapshot& snapshot) {
    const auto chief = std::find_if(snapshot.scalars.begin(), snapshot.scalars.end(),
                                    [](const Scalar& scalar) { return !scalar.headline.empty(); });
    return chief == snapshot.scalars.end() ? nullptr : &*chief;
}

}  // namespace

std::vector<std::string> times_in_words(const Snapshot& snapshot) {
    if (snapshot.emergence_rule.empty() && !counts_verdicts(snapshot)) {
        if (!snapshot.headline.empty()) return {snapshot.headline};
        return {"no rule says when this network has emerged", "no rule for when it has emerged", "no rule"};
    }
    const std::vector<std::string> times = times_of(snapshot);
    if (!times.empty()) return times;
    return counts_verdicts(snapshot) ? std::vector<std::string>{""} : none_in_words(snapshot);
}

std::vector<std::string> chief_in_words(const Snapshot& snapshot, const std::string& value, const std::string& beside) {
    const Scalar* chief = chief_of(snapshot);
    if (chief == nullptr) return {};
    const std::string brief = chief->headline + " " + (value.empty() ? scalar_text(*chief) : value);
    const std::string sentence = fmt::format("{} ({})", brief, chief->headline_at);
    if (beside.empty()) return {sentence, brief};
    return {sentence + beside, brief + beside, sentence, brief};
}

std::string compared_in_words(const Snapshot& snapshot, const Snapshot& other) {
    const Scalar *own = chief_of(snapshot), *theirs = chief_of(other);
    if (own == nullptr || theirs == nullptr || own->headline_at != theirs->headline_at) return "";
    if (own->seeds.size() != snapshot.seeds.size() || theirs->seeds.size() != other.seeds.size()) return "";
    if (own->measured_on != theirs->measured_on) return "";
    int lower = 0, pairs = 0;
    for (size_t i = 0; i < own->seeds.size(); ++i)
        for (size_t k = 0; k < theirs->seeds.size(); ++k) {
            if (snapshot.seeds[i].seed != other.seeds[k].seed) continue;
            if (!std::isfinite(own->seeds[i]) || !std::isfinite(theirs->seeds[k])) continue;
            ++pairs;
            lower += own->seeds[i] < theirs->seeds[k] ? 1 : 0;
        }
    return pairs == 0
               ? ""
               : fmt::format(", lower in {} of {} {}{}", lower, pairs, snapshot.seed_word, pairs == 1 ? "" : "s");
}

}  // namespace emergence
