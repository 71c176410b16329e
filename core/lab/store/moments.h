#pragma once
// Moments of a run: the states of all seeds at evenly spaced steps, saved beside the run so that it can be looked
// through after it has been reopened.

#include <span>

#include "core/base/array.h"
#include "core/files/text.h"
#include "core/settings/toml.h"

namespace emergence {

class Run;

inline constexpr const char* kMomentsFile = "moments.npz";
inline constexpr int kDefaultMoments = 64;
/// The states of all moments of a run take at most this many bytes; larger states leave room for fewer moments.
inline constexpr size_t kMostMomentBytes = size_t{1} << 27;

struct SavedMoment {
    int64_t step = 0;
    /// Experiment::save() of each seed.
    std::vector<ArrayMap> seeds;
    bool operator==(const SavedMoment&) const = default;
};

/// Collects moments at the multiples of a stride. The stride is the log interval, doubled until there are at most
/// `most` moments. The chosen steps depend on the run's step alone: a resumed run has the moments of an uninterrupted
/// one.
class MomentLog {
  public:
    MomentLog(int most, int64_t log_interval, size_t most_bytes = kMostMomentBytes);

    /// The first step after `step` at which a moment is due. A run must not advance beyond it in one call.
    int64_t next_after(int64_t step) const;
    /// Adds the present moment of `run` if it is due.
    void add(const Run& run);
    /// Resumes at `step` with the saved moments, and drops later ones.
    void resume(std::vector<SavedMoment> saved, int64_t step);

    /// In the order of their steps.
    const std::vector<SavedMoment>& moments() const { return moments_; }

  private:
    void thin();
    void double_stride();

    size_t most_;
    int64_t stride_;
    size_t most_bytes_;
    std::vector<SavedMoment> moments_;
};

struct Moments {
    /// Every field, with the experiment's name.
    SettingsFile settings;
    std::vector<SavedMoment> moments;
};

/// The file's arrays, besides the settings, which every NPZ of ours holds:
///
///     steps            int64, one per moment, ascending
///     seeds            their number
///     seed K/NAME      array NAME of seed K: moments x its shape
///     seed K/NAME@I    the same of moment I alone, if the shape changes or the array is not always there
ArrayMap moments_file(const std::string& experiment, const Settings& settings, const std::vector<SavedMoment>& moments);

/// Reads such a file. Throws InputError, naming `source`, if it is no sound archive of moments. Run::load checks that
/// the states fit their experiment.
Moments parse_moments(std::span<const std::byte> bytes, const std::string& source);
/// The moments in a run's folder; empty if it has no such file. Throws InputError.
std::vector<SavedMoment> moments_in(const std::filesystem::path& folder);

}  // namespace emergence
