#pragma once
// Compares the present run with another: differences of all scores with intervals and tests. `emergence-cli compare`
// prints the same numbers.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/sheet.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/jobs.h"
#include "app/gui/shell/theme.h"
#include "core/lab/figures/comparison.h"

namespace emergence {

class ComparisonPanel : public Sheet {
  public:
    explicit ComparisonPanel(Jobs& jobs) : Sheet("comparison"), jobs_(jobs) {}

    /// Compares the present run with B, or with the last overlaid run.
    void open(const Session& session) override;
    /// Compares the present run with this one.
    void open_with(std::shared_ptr<const OverlaidRun> run);
    /// True while a result is being computed.
    bool waiting() const { return open_ && computing_.active(); }

    /// Widgets are logged as "comparison ...".
    void draw(const Context& context) override;
    /// The shown differences, or null.
    const PairOfRuns* shown() const { return result_ ? &result_->pair : nullptr; }

  private:
    // A run that can be chosen; the present one comes first.
    struct Candidate {
        std::string key;   // its folder; "run A" and "run B" for the window's own runs
        std::string name;  // tells it apart from the others
        std::shared_ptr<const Snapshot> moment;
        const MetricHistory* history = nullptr;
    };
    // The chosen runs, each at one moment, and their differences.
    struct Result {
        std::vector<FinishedRun> runs;
        PairOfRuns pair;
        std::vector<std::string> differing;
    };

    std::vector<Candidate> candidates(const Session& session) const;
    void compute(const std::vector<Candidate>& all);
    void draw_runs(const Ui& ui, const std::vector<Candidate>& all);
    void draw_result(const Ui& ui);
    void draw_table(const Ui& ui, float height);
    void draw_row(const Ui& ui, const ScoreDifference& one, int index);
    static void draw_empty(const Context& context);

    Jobs& jobs_;
    std::shared_ptr<const OverlaidRun> extra_;  // the run that was chosen in the list of saved runs
    std::string b_, computed_;                  // keys: the chosen run, and that of the shown or coming result
    Job computing_;
    std::shared_ptr<const Result> result_;
    std::string problem_;
};

}  // namespace emergence
