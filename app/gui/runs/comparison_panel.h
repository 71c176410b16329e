#pragma once
// Two runs compared: differences of all scores with intervals and tests, and one figure. The numbers are those of
// `emergence-cli compare`.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/sheet.h"
#include "app/gui/exports/export_panel.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/jobs.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/heatmap.h"
#include "app/gui/widgets/plot.h"
#include "core/lab/figures/comparison.h"

namespace emergence {

class ComparisonPanel : public Sheet {
  public:
    /// `to`: where files go and how.
    ComparisonPanel(Jobs& jobs, const ExportChoices& to) : Sheet("comparison"), jobs_(jobs), to_(to) {}

    /// Compares the present run with B, or with the run that was overlaid last.
    void open(const Session& session) override;
    /// Compares it with this run.
    void open_with(std::shared_ptr<const OverlaidRun> run);
    /// A result is to come, without any more input.
    bool waiting() const { return open_ && computing_.active(); }

    /// Widgets are logged as "comparison ...".
    void draw(const Context& context) override;
    /// The differences that are shown, or null.
    const PairOfRuns* shown() const { return result_ ? &result_->pair : nullptr; }

  private:
    // A run that can be compared.
    struct Candidate {
        std::string key;   // its folder; "run A" and "run B" for the window's, which no path is
        std::string name;  // that tells it from the others
        std::shared_ptr<const Snapshot> moment;
        const MetricHistory* history = nullptr;
    };
    // The chosen runs at a moment each, and their differences.
    struct Result {
        std::vector<ComparedRun> runs;
        PairOfRuns pair;
        std::vector<std::string> differing;
    };

    std::vector<Candidate> candidates(const Session& session) const;
    void compute(const std::vector<Candidate>& all);
    void show_metric(const std::string& metric);
    void draw_candidates(const Ui& ui, const char* id, const std::vector<Candidate>& all, std::string& key);
    void draw_runs(const Ui& ui, const std::vector<Candidate>& all);
    void draw_result(const Context& context);
    void draw_table(const Ui& ui, float height);
    void draw_row(const Ui& ui, const ScoreDifference& one, int index);
    void draw_figure(const Ui& ui, ImVec2 size);
    static void draw_empty(const Context& context);
    void draw_export(const Context& context);

    Jobs& jobs_;
    const ExportChoices& to_;
    std::shared_ptr<const OverlaidRun> extra_;  // that was chosen among saved runs
    std::string a_, b_;                         // keys of candidates
    std::string computed_a_, computed_b_;       // of which result_ is, or is coming
    std::shared_ptr<const Snapshot> moment_a_, moment_b_;
    Job computing_, writing_;
    std::shared_ptr<const Result> result_;
    std::string problem_;
    std::string metric_;  // of the figure
    FigureSpec figure_;
    std::array<PlotState, 2> plots_;
    std::array<HeatmapState, 2> maps_;
};

}  // namespace emergence
