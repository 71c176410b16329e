#include "core/lab/jobs/job_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <functional>
#include <numeric>
#include <system_error>

#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "core/files/folders.h"
#include "core/files/system_errors.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kSignOfLife{5};
constexpr std::chrono::milliseconds kLockPatience{10'000};
// An owner that was killed before it had written its name.
constexpr std::chrono::seconds kNamelessLostAfter{5};
constexpr const char* kProbe = "now-";

// "" if the line is not whole.
std::string first_line_of(const fs::path& file) {
    constexpr size_t kLongest = 4096;
    try {
        const std::string text(as_text(read_file(file, kLongest)));
        const size_t end = text.find('\n');
        return end == std::string::npos ? "" : text.substr(0, end);
    } catch (const std::runtime_error&) {  // released meanwhile
        return "";
    }
}

// Not the file of an owner, but one with which the time is asked for, or a lock.
bool is_probe(const fs::path& file) {
    const std::string name = file.filename().string();
    return name.starts_with(kProbe) || name.starts_with('.');
}

constexpr const char* kCpuSecondsEntry = "cpu_seconds";

}  // namespace

std::string name_of_text(const std::string& text) { return fmt::format("{:016x}", fnv_of(as_bytes(text))); }

JobOwners::JobOwners(fs::path folder, std::string me, std::chrono::seconds lost_after)
    : folder_(std::move(folder)), me_(me.empty() ? "this process" : std::move(me)), lost_after_(lost_after) {}

JobOwners::~JobOwners() {
    if (signs_.joinable()) {
        signs_.request_stop();
        signs_.join();
    }
    for (const std::string& job : std::set<std::string>(mine_)) release(job);
    try {
        remove_lost();
    } catch (const IoError&) {  // a limit of the machine: the next process removes them
    }
    std::error_code ignored;
    fs::remove(folder_, ignored);  // only if it is empty
}

void JobOwners::remove_lost() const {
    const auto lock = FolderLock::take(folder_);
    if (!lock) return;  // another process looks, or there is no folder
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator at(folder_, failed), end; !failed && at != end; at.increment(failed))
        files.push_back(at->path());
    for (const fs::path& file : files)
        // A stopped process counts as lost, too, but take() must find out that it is.
        if (file.filename() != kLockFile &&
            (has_ended(first_line_of(file)) ||
             ((is_probe(file) || first_line_of(file).empty()) && age_of(file) > kNamelessLostAfter)))
            ::unlink(file.c_str());
}

fs::path JobOwners::file_of(const std::string& job) const { return folder_ / name_of_text(job); }

// False if the file exists.
bool JobOwners::make(const fs::path& file) const {
    int descriptor = -1;
    // Another process that ends may remove the empty folder meanwhile.
    for (int attempt = 0; attempt < 100 && descriptor < 0; ++attempt) {
        std::error_code failed;
        fs::create_directories(folder_, failed);
        descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (descriptor < 0 && errno == EEXIST) return false;
        if (descriptor < 0 && errno != ENOENT) break;
    }
    if (descriptor < 0) throw IoError(fmt::format("{}: cannot be made: {}", file.string(), error_text(errno)));
    const std::string text = me_ + '\n';
    const bool written = ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const int reason = errno;
    ::close(descriptor);
    if (!written) {
        ::unlink(file.c_str());
        throw IoError(fmt::format("{}: cannot be written: {}", file.string(), error_text(reason)));
    }
    return true;
}

bool JobOwners::is_lost(const fs::path& file) const {
    const std::string owner = first_line_of(file);
    if (!owner.empty() && has_ended(owner)) return true;
    const std::optional<std::chrono::seconds> age = age_of(file);
    return age && *age > (owner.empty() ? std::min(lost_after_, kNamelessLostAfter) : lost_after_);
}

// By the file system's own clock, which may differ from ours; nullopt if it cannot be asked.
std::optional<std::chrono::seconds> JobOwners::age_of(const fs::path& file) const {
    struct stat now {
    }, last{};
    const fs::path probe = folder_ / (kProbe + name_of_text(me_));
    const int descriptor = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
    if (descriptor < 0) return std::nullopt;
    const bool known =
        ::futimens(descriptor, nullptr) == 0 && ::fstat(descriptor, &now) == 0 && ::stat(file.c_str(), &last) == 0;
    ::close(descriptor);
    ::unlink(probe.c_str());
    if (!known) return std::nullopt;
    return std::chrono::seconds(now.st_mtime - last.st_mtime);
}

bool JobOwners::take(const std::string& job) {
    const fs::path file = file_of(job);
    const bool taken_over = !make(file);
    if (taken_over) {
        if (!is_lost(file)) return false;
        // One process at a time takes over: it looks again, so that it never removes the file of the one before it.
        const auto lock = FolderLock::take(folder_, kLockPatience);
        if (!lock || !is_lost(file)) return false;
        ::unlink(file.c_str());
        if (!make(file)) return false;
    }
    const std::lock_guard guard(mutex_);
    mine_.insert(job);
    if (taken_over) taken_over_.insert(job);
    if (!signs_.joinable()) try {
            signs_ = std::jthread([this](const std::stop_token& stop) { give_signs_of_life(stop); });
        } catch (const std::system_error&) {
            // No further thread: then another process may compute a long job a second time, to the same result.
        }
    return true;
}

void JobOwners::give_signs_of_life(const std::stop_token& stop) {
    std::unique_lock guard(mutex_);
    while (!stop.stop_requested()) {
        ends_.wait_for(guard, stop, kSignOfLife, [] { return false; });
        for (const std::string& job : mine_) ::utimensat(AT_FDCWD, file_of(job).c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
    }
}

bool JobOwners::is_taken_over(const std::string& job) {
    const std::lock_guard guard(mutex_);
    return taken_over_.contains(job);
}

void JobOwners::release(const std::string& job) {
    const std::lock_guard guard(mutex_);
    taken_over_.erase(job);
    if (mine_.erase(job) == 0) return;
    const fs::path file = file_of(job);
    if (first_line_of(file) == me_) ::unlink(file.c_str());  // unless another has taken it over
}

int JobOwners::count_living() const {
    int living = 0;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder_, failed))
        if (!is_probe(entry.path()) && !is_lost(entry.path())) ++living;
    return living;
}

JobFolder::JobFolder(fs::path folder, const std::string& identity, std::vector<fs::path> others)
    : folder_(std::move(folder)), others_(std::move(others)), identity_(identity), owners_(folder_ / kOwnersFolder) {}

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

// The file of the same job in another folder, "" without one. The folders are read once: a job that another process
// finishes later is computed here, too.
fs::path JobFolder::elsewhere(const fs::path& file) {
    const auto end_of = [](const fs::path& path) {
        const std::string name = path.filename().string();
        return name.substr(name.rfind('-') + 1);
    };
    const std::lock_guard guard(mutex_);
    if (!files_of_others_) {
        files_of_others_.emplace();
        for (const fs::path& folder : others_) {
            std::error_code failed;
            for (fs::directory_iterator at(folder / kJobsFolder, failed), end; !failed && at != end;
                 at.increment(failed))
                files_of_others_->emplace(end_of(at->path()), at->path());
        }
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
    } catch (const std::runtime_error&) {  // damaged: computed again
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
