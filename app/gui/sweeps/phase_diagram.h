#pragma once
// The sheet of sweeps: settings with several values each, a score, and the grid that fills while it is computed.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/sheet.h"
#include "app/gui/sweeps/sweep_worker.h"
#include "app/gui/widgets/heatmap.h"
#include "app/gui/widgets/plot.h"

namespace emergence {

class PhaseDiagram : public Sheet {
  public:
    explicit PhaseDiagram(Jobs& jobs) : Sheet("phase diagram"), jobs_(jobs), worker_(jobs) {}

    /// Sets the folder of new sweeps.
    void use(std::filesystem::path folder, FindExperiment find);
    void open(const Session& session) override;
    /// Opens a sweep's file, or the folder that holds it with its cells. Throws InputError.
    void open_sweep(const std::filesystem::path& file);
    /// True if something will happen soon without input.
    bool waiting() const { return open_ && coming_scores_.active(); }
    /// True if the clock beside the progress must advance.
    bool due(double now) const { return open_ && worker_.running() && now - drawn_at_ >= 1.0; }

    /// A clicked cell is asked for, and the sheet closes.
    void draw(const Context& context) override;

    // For tests.
    SweepDraft& draft() { return draft_; }
    void settle();
    const SweepWorker& worker() const { return worker_; }
    const std::filesystem::path& folder() const { return folder_; }
    const std::string& problem() const { return problem_; }

  private:
    // What an experiment offers, and how long it trains with the draft's settings.
    struct Offer {
        std::vector<ScoreInfo> scores;
        int64_t target_step = 0;
        std::string step_unit;
    };
    void begin_around(const Session& session);
    void take(SweepDraft draft, std::filesystem::path folder, std::filesystem::path shown_from);
    const std::filesystem::path& source() const { return folder_.empty() ? shown_from_ : folder_; }
    void start(const Session& session);
    void become_another();
    void take_news();
    void rebuild();
    void look_for_scores();
    void list_sources();
    void take_offer(Offer offer);
    void name_score();
    bool shows_shipped() const { return folder_.empty() && !shown_from_.empty(); }
    std::string cell_name(const SweepCell& cell) const;
    std::string trains_text() const;

    void draw_source(const Ui& ui, const Session& session);
    void draw_score(const Ui& ui);
    void draw_axes(const Ui& ui);
    AxisDraft draw_axis(const Ui& ui, size_t index, AxisDraft axis);
    void replace_axis(size_t index, const AxisDraft& axis);
    void draw_shown(const Ui& ui, const std::string& id, AxisDraft& axis);
    void draw_seeds(const Ui& ui);
    void draw_state(const Context& context);
    void draw_progress(const Ui& ui, int known, int total);
    void draw_places(const Ui& ui);
    std::optional<SweepCell> draw_picture(const Ui& ui, ImVec2 size);
    std::string reading_of(const SweepCell& cell) const;
    ScoreInfo shown_score() const;
    std::optional<SweepCell> nearest_cell(double x) const;

    Jobs& jobs_;
    std::filesystem::path home_;  // folder of new sweeps
    FindExperiment find_;
    SweepDraft draft_;
    std::optional<SweepText> sweep_;  // the typed sweep; nullopt if it is invalid
    std::string problem_;
    std::filesystem::path folder_;      // "" before the sweep has been started
    std::optional<Sweep> origin_;       // the folder's sweep; more values of it go into the same folder
    std::filesystem::path shown_from_;  // shipped results, shown if there is no folder; "" for none

    std::vector<std::pair<std::string, std::filesystem::path>> presets_, results_;  // titles and files
    const ExperimentInfo* offer_of_ = nullptr;
    std::optional<Settings> offer_with_;
    Offer offer_;
    Job coming_scores_;

    SweepWorker::News news_;
    std::shared_ptr<const SweepScores> built_from_;
    FigureSpec figure_;
    HeatmapState map_state_;
    PlotState plot_state_;
    std::optional<SweepCell> pointed_;
    double drawn_at_ = 0.0, started_at_ = 0.0;
    SweepWorker worker_;
};

}  // namespace emergence
