#include "app/gui/panels/emergence_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "app/gui/panels/readouts.h"

namespace emergence {
namespace {

// The one in the middle of "0.26, below 0.7" and its like; "" of those without a number.
std::string median_text(std::vector<std::string> measured) {
    std::erase_if(measured, [](const std::string& one) { return one.find_first_of("-.0123456789") != 0; });
    if (measured.empty()) return "";
    const auto middle = measured.begin() + static_cast<std::ptrdiff_t>(measured.size() / 2);
    std::nth_element(measured.begin(), middle, measured.end(), [](const std::string& a, const std::string& b) {
        return std::strtod(a.c_str(), nullptr) < std::strtod(b.c_str(), nullptr);
    });
    return *middle;
}

// With what most of them lack, "the trace of Q's upper-right block", and how far the middle one of them is.
std::vector<std::string> none_in_words(const Snapshot& snapshot) {
    const int64_t end = snapshot.status.target_step;
    const std::string none = end > 0 && snapshot.step >= end ? "none to the end" : "none so far", is = " is ";
    std::map<std::string, std::vector<std::string>> lacking;
    for (const SeedStatus& seed : snapshot.seeds) {
        const size_t at = seed.lacks.find(is);
        if (snapshot.counts_function || seed.lacks.empty()) continue;
        lacking[seed.lacks.substr(0, at)].push_back(at == std::string::npos ? "" : seed.lacks.substr(at + is.size()));
    }
    const auto most = std::max_element(lacking.begin(), lacking.end(),
                                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    if (most == lacking.end() || snapshot.step == 0) return {none};
    const std::string lack =
        fmt::format("{}; {} of {} lack: {}", none, most->second.size(), snapshot.seeds.size(), most->first);
    const std::string far = median_text(most->second);
    if (far.empty()) return {lack, none};
    return {fmt::format("{} ({}{})", lack, most->second.size() > 1 ? "median " : "", far), lack, none};
}

const Scalar* chief_of(const Snapshot& snapshot) {
    const auto chief = std::find_if(snapshot.scalars.begin(), snapshot.scalars.end(),
                                    [](const Scalar& scalar) { return !scalar.headline.empty(); });
    return chief == snapshot.scalars.end() ? nullptr : &*chief;
}

}  // namespace

bool is_counted(const Snapshot& snapshot, const SeedStatus& seed) {
    return snapshot.counts_function ? seed.function.value_or(false) : seed.emerged;
}
int64_t counted_at(const Snapshot& snapshot, const SeedStatus& seed) {
    return snapshot.counts_function ? seed.function_at : seed.emerged_at;
}

std::string seed_in_words(const Snapshot& snapshot, const SeedStatus& seed) {
    const std::string name = fmt::format("{} {}", snapshot.seed_word, seed.seed), &unit = snapshot.step_unit;
    const std::string emerged = snapshot.counts_function ? "in pattern" : snapshot.emerged_words;
    std::string text = name + ": ";
    if (seed.failed)
        text += "stopped, " + seed.reason;
    else if (snapshot.emergence_rule.empty())
        text = name;
    else if (seed.emerged)
        text +=
            fmt::format("{} after {} {}", emerged, seed.emerged_at, unit) +
            (seed.seen_later > 0 ? fmt::format(", seen at {}: it must last", seed.emerged_at + seed.seen_later) : "");
    else
        text +=
            (seed.emerged_at >= 0 ? fmt::format("no longer {}; it was so after {} {}", emerged, seed.emerged_at, unit)
                                  : fmt::format("not {} yet", emerged)) +
            (seed.lacks.empty() ? "" : "\nIt lacks: " + seed.lacks);
    return text + function_text(seed);
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

std::vector<std::string> chief_in_words(const Snapshot& snapshot, const std::string& value, const std::string& beside) {
    const Scalar* chief = chief_of(snapshot);
    if (chief == nullptr) return {};
    std::string sentence = chief->headline;
    sentence.replace(sentence.find("{}"), 2, value.empty() ? scalar_text(*chief) : value);
    const std::string brief = sentence.substr(0, sentence.find(" ("));
    if (beside.empty()) return {sentence, brief};
    return {sentence + beside, brief + beside, sentence, brief};
}

std::string compared_in_words(const Snapshot& snapshot, const Snapshot& other) {
    const Scalar *own = chief_of(snapshot), *theirs = chief_of(other);
    if (own == nullptr || theirs == nullptr || own->headline != theirs->headline) return "";
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
