#pragma once
// A sweep as somebody puts it together, texts that need not make sense yet; and what computes it, or follows one that
// another process computes, with a lower priority than training and the window.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/jobs.h"
#include "core/lab/sweeps/sweep_run.h"

namespace emergence {

struct AxisDraft {
    std::string field;         // "" for none
    std::string values;        // "1, 2, 3", or a range, see parse_axis()
    bool logarithmic = false;  // where the values are no range
    std::string shown = {};    // of an axis beyond the second: the value that the picture shows; "": the first

    bool operator==(const AxisDraft&) const = default;
};

struct SweepDraft : Sweep {
    std::string score_label;       // for titles; "": the name
    std::vector<AxisDraft> typed;  // in place of the axes
};

/// The fields that can be an axis: all but those that say which seeds there are.
std::vector<const FieldInfo*> axis_fields(const Settings& settings);

/// An axis over a field with values around the one that it has.
AxisDraft axis_around(const Settings& settings, const std::string& field);
/// An axis for `draft` over the first number that is no axis yet; nothing if none is left.
std::optional<AxisDraft> another_axis(const SweepDraft& draft);

/// What is put together around a run's settings.
SweepDraft draft_around(const ExperimentInfo& experiment, const Settings& settings);
SweepDraft draft_of(const Sweep& sweep);

/// The sweep as it is put together. Throws InputError where it does not go together.
SweepText sweep_of(const SweepDraft& draft);

class SweepWorker {
  public:
    /// What is known at a moment.
    struct News {
        std::shared_ptr<const SweepScores> scores;  // null where nothing has been read yet
        std::optional<GridProgress> progress;       // while it computes
        std::string trouble;                        // why it did not, or not all; "" where there is none
    };

    /// What is to be computed, and where it is kept.
    struct Order {
        std::filesystem::path folder;  // made where it is missing
        SweepText sweep;
        std::filesystem::path known_from = {};  // cells of another folder that need not be computed again
        int threads = 1;
    };

    explicit SweepWorker(Jobs& jobs) : jobs_(jobs) {}
    ~SweepWorker() { leave(); }
    SweepWorker(const SweepWorker&) = delete;
    SweepWorker& operator=(const SweepWorker&) = delete;

    /// Reads what the folder has, and again whenever it has changed. Ends what was done before.
    void follow(std::filesystem::path folder, Sweep sweep);
    /// Computes what the folder lacks, then follows it. Ends what was done before; seeds in training end by themselves,
    /// at their next report, and only then it begins.
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
