#include "core/lab/jobs/job_folder.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <numeric>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/files/folders.h"
#include "core/files/npz.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCpuSecondsEntry = "cpu_seconds";

}  // namespace

JobFolder::JobFolder(fs::path folder, const std::string& identity)
    : folder_(std::move(folder)), identity_(identity), owners_(folder_ / kOwnersFolder) {}

// Readable, and different for different jobs: "L-2-seed-7-0123456789abcdef.npz".
fs::path JobFolder::file_of(const std::string& job) const {
    constexpr size_t kReadable = 60;
    std::string name;
    for (const char c : job.substr(0, kReadable)) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.';
        if (plain || (!name.empty() && name.back() != '-')) name += plain ? c : '-';
    }
    return folder_ / kJobsFolder / fmt::format("{}-{}.npz", name, name_of_text(identity_ + '\n' + job));
}

int JobFolder::next_grid() {
    const std::lock_guard guard(mutex_);
    return ++grids_;
}

std::optional<ArrayMap> JobFolder::load(const std::string& job) {
    const fs::path file = file_of(job);
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return std::nullopt;
    try {
        ArrayMap result = read_npz(file, kMostWeightBytes);
        if (const auto seconds = result.extract(kCpuSecondsEntry)) {
            const std::vector<double> values = as_doubles(seconds.mapped());
            if (values.size() != 1 || !std::isfinite(values[0])) return std::nullopt;
            const std::lock_guard guard(mutex_);
            loaded_[job] = values[0];
        }
        return result;
    } catch (const std::runtime_error&) {  // damaged: computed again
        return std::nullopt;
    }
}

void JobFolder::save(const std::string& job, const ArrayMap& result, double cpu_seconds) {
    make_folder(folder_ / kJobsFolder);
    ArrayMap with_time = result;
    with_time[kCpuSecondsEntry] = {{}, std::vector<double>{cpu_seconds}};
    write_npz(file_of(job), with_time);
}

double JobFolder::loaded_cpu_seconds() const {
    const std::lock_guard guard(mutex_);
    return std::accumulate(loaded_.begin(), loaded_.end(), 0.0,
                           [](double sum, const auto& job) { return sum + job.second; });
}

}  // namespace emergence
