#include "core/lab/store/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"
#include "core/lab/runs/run.h"
#include "core/settings/embedded_settings.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMomentSteps = "steps";
constexpr const char* kMomentSeeds = "seeds";
constexpr std::string_view kStatePrefix = "seed ";

// True if array `name` of seed `k` is in every moment, always of one shape and type.
bool is_stacked(const std::vector<SavedMoment>& moments, size_t k, const std::string& name) {
    const auto first = moments.front().seeds[k].find(name);
    if (first == moments.front().seeds[k].end()) return false;
    return all_of(moments, [&](const SavedMoment& moment) {
        const auto found = moment.seeds[k].find(name);
        return found != moment.seeds[k].end() && found->second.shape == first->second.shape &&
               found->second.values.index() == first->second.values.index();
    });
}

Array stacked(const std::vector<SavedMoment>& moments, size_t k, const std::string& name) {
    Array all = moments.front().seeds[k].at(name);
    all.shape.insert(all.shape.begin(), moments.size());
    std::visit(
        [&](auto& values) {
            for (size_t i = 1; i < moments.size(); ++i) {
                const auto& more = std::get<std::decay_t<decltype(values)>>(moments[i].seeds[k].at(name).values);
                values.insert(values.end(), more.begin(), more.end());
            }
        },
        all.values);
    return all;
}

// Part `i` of `count` of a stacked array.
Array part_of(const Array& all, size_t i) {
    Array part;
    part.shape.assign(all.shape.begin() + 1, all.shape.end());
    const size_t size = element_count(part.shape);
    part.values = std::visit(
        [&](const auto& values) {
            const auto start = values.begin() + i * size;
            return decltype(part.values)(std::decay_t<decltype(values)>(start, start + size));
        },
        all.values);
    return part;
}

template <class T>
const std::vector<T>& numbers_named(ArrayFile& file, const char* name) {
    const Array* found = file.find(name);
    const auto* values = found == nullptr ? nullptr : std::get_if<std::vector<T>>(&found->values);
    if (values == nullptr) throw InputError("{}: array '{}' is missing: no moments", file.source(), name);
    return *values;
}

// A whole number that is all of `text` and below `limit`.
size_t index_in(std::string_view text, size_t limit, const std::string& name, const std::string& source) {
    const auto value = parsed<size_t>(text);
    if (!value || *value >= limit)
        throw InputError("{}: array '{}' belongs to no seed or moment of the file", source, name);
    return *value;
}

// Gives the array called "seed K/NAME" or "seed K/NAME@I" to its moments.
void place_states(const std::string& name, const Array& array, std::vector<SavedMoment>& moments, size_t seeds,
                  const std::string& source) {
    const std::string_view rest = std::string_view(name).substr(kStatePrefix.size());
    const size_t slash = rest.find('/');
    const size_t k = index_in(rest.substr(0, slash), seeds, name, source);
    const std::string inner(slash == std::string_view::npos ? "" : rest.substr(slash + 1));
    if (const size_t at = inner.rfind('@'); at != std::string::npos) {
        const size_t i = index_in(std::string_view(inner).substr(at + 1), moments.size(), name, source);
        moments[i].seeds[k][inner.substr(0, at)] = array;
        return;
    }
    if (array.shape.empty() || array.shape.front() != moments.size())
        throw InputError("{}: array '{}' is {}, but there are {} moments", source, name, shape_text(array.shape),
                         moments.size());
    for (size_t i = 0; i < moments.size(); ++i) moments[i].seeds[k][inner] = part_of(array, i);
}

}  // namespace

MomentLog::MomentLog(int most, int64_t log_interval, size_t most_bytes)
    : most_(std::clamp(most, 0, kMostMoments)), stride_(std::max<int64_t>(1, log_interval)), most_bytes_(most_bytes) {}

int64_t MomentLog::next_after(int64_t step) const {
    if (most_ == 0) return std::numeric_limits<int64_t>::max();
    return (step / stride_ + 1) * stride_;
}

void MomentLog::add(const Run& run) {
    const int64_t step = run.step();
    if (most_ == 0 || step % stride_ != 0) return;
    if (!moments_.empty() && moments_.back().step >= step) return;
    moments_.push_back({step, run.save()});
    thin();
}

void MomentLog::thin() {
    const auto bytes = [&] {
        size_t sum = 0;
        for (const SavedMoment& moment : moments_)
            for (const ArrayMap& seed : moment.seeds)
                for (const auto& [name, array] : seed) sum += bytes_in_memory(array);
        return sum;
    };
    while (moments_.size() > most_ || (moments_.size() > 1 && bytes() > most_bytes_)) {
        double_stride();
        std::erase_if(moments_, [&](const SavedMoment& moment) { return moment.step % stride_ != 0; });
    }
}

// No run reaches the largest stride, so that it leaves only step 0.
void MomentLog::double_stride() {
    stride_ = stride_ > std::numeric_limits<int64_t>::max() / 2 ? std::numeric_limits<int64_t>::max() : 2 * stride_;
}

void MomentLog::resume(std::vector<SavedMoment> saved, int64_t step) {
    if (most_ == 0) return;
    moments_ = std::move(saved);
    // Moments that were saved after the checkpoint may already be thinned for a later step.
    if (moments_.size() > 1)
        while (stride_ < moments_[1].step - moments_[0].step) double_stride();
    while (static_cast<size_t>(step / stride_) + 1 > most_) double_stride();
    std::erase_if(moments_,
                  [&](const SavedMoment& moment) { return moment.step > step || moment.step % stride_ != 0; });
    thin();
}

ArrayMap moments_file(const std::string& experiment, const Settings& settings,
                      const std::vector<SavedMoment>& moments) {
    ArrayMap arrays;
    arrays[kSettingsKey] = codes_of<int64_t>(settings_to_toml(experiment, settings));
    const std::vector<int64_t> steps = mapped(moments, &SavedMoment::step);
    const size_t seeds = moments.empty() ? 0 : moments.front().seeds.size();
    arrays[kMomentSteps] = {{steps.size()}, steps};
    arrays[kMomentSeeds] = {{1}, std::vector<uint64_t>{seeds}};
    for (size_t k = 0; k < seeds; ++k)
        for (size_t i = 0; i < moments.size(); ++i) {
            check(moments[i].seeds.size() == seeds, "moments are of one run");
            for (const auto& [inner, array] : moments[i].seeds[k]) {
                const std::string name = fmt::format("{}{}/{}", kStatePrefix, k, inner);
                if (!is_stacked(moments, k, inner))
                    arrays[fmt::format("{}@{}", name, i)] = array;
                else if (i == 0)
                    arrays[name] = stacked(moments, k, inner);
            }
        }
    return arrays;
}

std::vector<SavedMoment> parse_moments(std::span<const std::byte> bytes, const std::string& source) {
    config_in(bytes, source);  // throws if they are no settings
    std::vector<SavedMoment> moments;
    ArrayFile file(bytes, source, kMostMomentFile);
    const auto& steps = numbers_named<int64_t>(file, kMomentSteps);
    const auto& count = numbers_named<uint64_t>(file, kMomentSeeds);
    const std::vector<std::string> names = file.names();
    if (count.size() != 1 || count[0] > names.size() || steps.size() > kMostMoments ||
        names.size() * steps.size() > kMostMomentArrays)
        throw InputError("{}: declares too many seeds or moments: at most {} moments with {} arrays can be read",
                         source, kMostMoments, kMostMomentArrays);
    for (const int64_t step : steps) {
        if (step < 0 || step > kMostStoredStep || (!moments.empty() && step <= moments.back().step))
            throw InputError("{}: the steps of its moments do not ascend from 0 to at most {}", source,
                             kMostStoredStep);
        moments.push_back({step, std::vector<ArrayMap>(count[0])});
    }
    for (const std::string& name : names)
        if (name.starts_with(kStatePrefix))  // frees each array once its parts are copied
            for (const auto& [same, array] : file.read({name})) place_states(same, array, moments, count[0], source);
    return moments;
}

std::vector<SavedMoment> moments_in(const fs::path& folder) {
    const fs::path file = folder / kMomentsFile;
    if (kind_of_file(file) == fs::file_type::not_found) return {};
    return parse_moments(read_file(file, kMostMomentFile), file.string());
}

}  // namespace emergence
