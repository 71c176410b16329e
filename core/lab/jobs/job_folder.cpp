#include "core/lab/jobs/job_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <numeric>
#include <system_error>

#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "core/files/folders.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCpuSecondsEntry = "cpu_seconds";

}  // namespace

std::string name_of_text(const std::string& text) { return fmt::format("{:016x}", fnv_of(as_bytes(text))); }

JobFolder::JobFolder(fs::path folder, const std::string& identity, std::vector<fs::path> others)
    : folder_(std::move(folder)), others_(std::move(others)), identity_(identity) {}

// Readable, and different for different jobs: "L-2-seed-7-0123456789abcdef.npz".
fs::path JobFolder::file_of(const std::string& job, const std::string& alone) const {
    constexpr size_t kReadable = 60;
    std::string name;
    for (const char c : job.substr(0, kReadable)) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.';
        if (plain || (!name.empty() && name.back() != '-')) name += plain ? c : '-';
    }
    return folder_ / kJobsFolder /
           fmt::format("{}-{}.npz", name, name_of_text(alone.empty() ? identity_ + '\n' + job : alone));
}

int JobFolder::next_grid() {
    const std::lock_guard guard(mutex_);
    return ++grids_;
}

// The file of the same job in another folder, "" without one. The folders are read once.
fs::path JobFolder::elsewhere(const fs::path& file) {
    const auto end_of = [](const fs::path& path) {
        const std::string name = path.filename().string();
        return name.substr(name.rfind('-') + 1);
    };
    const std::lock_guard guard(mutex_);
    if (!files_of_others_) {
        files_of_others_.emplace();
        for (const fs::path& folder : others_)
            for (const fs::path& other : all_entries_in(folder / kJobsFolder))
                files_of_others_->emplace(end_of(other), other);
    }
    const auto found = files_of_others_->find(end_of(file));
    return found == files_of_others_->end() ? fs::path() : found->second;
}

std::optional<ArrayMap> JobFolder::load(const std::string& job, const std::string& alone) {
    const fs::path file = file_of(job, alone);
    std::error_code ignored;
    if (fs::exists(file, ignored)) return read(job, file);
    if (alone.empty() || others_.empty()) return std::nullopt;
    const fs::path other = elsewhere(file);
    auto result = other.empty() ? std::nullopt : read(job, other);
    if (!result) return std::nullopt;
    const double cpu_seconds = std::invoke([&] {
        const std::lock_guard guard(mutex_);
        ++taken_[other.parent_path().parent_path()];
        return loaded_[job];
    });
    save(job, *result, cpu_seconds, alone);  // so that this folder is whole by itself
    return result;
}

std::optional<ArrayMap> JobFolder::read(const std::string& job, const fs::path& file) {
    try {
        ArrayMap result = read_npz(file, kMostWeightBytes);
        if (const auto seconds = result.extract(kCpuSecondsEntry)) {
            const std::vector<double> values = as_doubles(seconds.mapped());
            if (values.size() != 1 || !std::isfinite(values[0])) return std::nullopt;
            const std::lock_guard guard(mutex_);
            loaded_[job] = values[0];
        }
        return result;
    } catch (const InputError&) {  // damaged: computed again
        return std::nullopt;
    }
}

void JobFolder::save(const std::string& job, const ArrayMap& result, double cpu_seconds, const std::string& alone) {
    make_folder(folder_ / kJobsFolder);
    ArrayMap with_time = result;
    with_time[kCpuSecondsEntry] = {{}, std::vector<double>{cpu_seconds}};
    write_npz(file_of(job, alone), with_time);
}

std::map<fs::path, int> JobFolder::taken() const {
    const std::lock_guard guard(mutex_);
    return taken_;
}

double JobFolder::loaded_cpu_seconds() const {
    const std::lock_guard guard(mutex_);
    return std::accumulate(loaded_.begin(), loaded_.end(), 0.0,
                           [](double sum, const auto& job) { return sum + job.second; });
}

}  // namespace emergence
