#pragma once
// A sweep while the user puts it together, as texts that may be invalid; and the worker that computes it, with a lower
// priority than training, or follows another process that does.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/jobs.h"
#include "core/lab/sweeps/sweep.h"

namespace emergence {

struct AxisDraft {
    std::string field;         // "" for none
    std::string values;        // "1, 2, 3", or a range, see parse_axis()
    bool logarithmic = false;  // spacing of the values if they are no range
    std::string shown = {};    // of a third or further axis: the value that the picture shows; "": the first

    bool operator==(const AxisDraft&) const = default;
};

struct SweepDraft : Sweep {
    std::string score_label;       // the score's label for titles; "": its name
    std::vector<AxisDraft> typed;  // replaces the axes
};

/// The fields that can be an axis: all except those that define the seeds.
std::vector<const FieldInfo*> axis_fields(const Settings& settings);

/// An axis over a field, with values around its present one.
AxisDraft axis_around(const Settings& settings, const std::string& field);
/// An axis for `draft` over the first numeric field that is not an axis yet; nullopt if none is left.
std::optional<AxisDraft> another_axis(const SweepDraft& draft);

/// A draft around a run's settings.
SweepDraft draft_around(const ExperimentInfo& experiment, const Settings& settings);
SweepDraft draft_of(const Sweep& sweep);

/// The draft as a sweep. Throws InputError if it is invalid.
SweepText sweep_of(const SweepDraft& draft);

class SweepWorker {
  public:
    /// What is known at a moment.
    struct News {
        std::shared_ptr<const SweepScores> scores;  // null before the first reading
        std::optional<GridProgress> progress;       // while it computes
        std::string trouble;                        // why something was not computed; "" if all was
    };

    /// What to compute, and the folder for it.
    struct Order {
        std::filesystem::path folder;  // created if it is missing
        SweepText sweep;
        std::filesystem::path known_from = {};  // cells in this other folder need not be computed again
        int threads = 1;
    };

    explicit SweepWorker(Jobs& jobs) : jobs_(jobs) {}
    ~SweepWorker() { leave(); }
    SweepWorker(const SweepWorker&) = delete;
    SweepWorker& operator=(const SweepWorker&) = delete;

    /// Reads the folder now and after each change. Ends the previous work.
    void follow(std::filesystem::path folder, Sweep sweep);
    /// Computes what the folder lacks, then follows it. Ends the previous work first; its seeds stop at their next
    /// report.
    void start(Order order, FindExperiment find);
    /// Follows the folder instead of computing. Finished cells stay.
    void stop();
    bool running() const { return computing_.active(); }
    const News& news() const { return news_; }

  private:
    void leave();
    void turn_to(std::filesystem::path folder, Sweep sweep);
    void watch();

    Jobs& jobs_;
    std::filesystem::path folder_;
    Sweep sweep_;
    News news_;
    Job computing_, watching_;
};

}  // namespace emergence
