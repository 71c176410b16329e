#pragma once
// The runs of a folder as a table, to be searched, sorted, resumed, viewed, or drawn beside the present run.

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/sheet.h"
#include "app/gui/runs/run_keeper.h"
#include "app/gui/runs/watched_runs.h"
#include "app/gui/session/followed_run.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/jobs.h"
#include "app/gui/shell/theme.h"
#include "app/open/run_folder.h"

namespace emergence {

class RunsPanel : public Sheet {
  public:
    /// `keeper` knows the present run's folder.
    RunsPanel(Jobs& jobs, const RunKeeper& keeper) : Sheet("runs"), keeper_(keeper), jobs_(jobs), list_(jobs) {}

    /// Sets the first folder.
    void use(std::filesystem::path folder, FindExperiment find);
    void open(const Session&) override { open_beside(keeper_.folder()); }
    /// Opens the list. If another run has started since the last time, it shows the folder of `run`; "" for none.
    void open_beside(const std::filesystem::path& run);
    void close() override;
    void draw(const Context& context) override;

    /// Draws a saved run beside the present one as soon as it is read, unless it is drawn already.
    void overlay(const std::filesystem::path& folder, const Session& session, Asks& asks);

    /// The listed folders: those that match the search, in the order of the chosen column.
    std::vector<std::filesystem::path> listed() const;

  private:
    static constexpr int kScores = 2;
    static constexpr int kOverlay = 0, kStar = 1, kName = 2, kKept = 4;  // indices of columns

    struct Row {
        const ListedRun* run = nullptr;
        RunMark mark;
        std::string differs;

        /// The user's name for it.
        std::string name() const { return mark.name.empty() ? run->folder.filename().string() : mark.name; }
    };
    // What rows_ were built from.
    struct Source {
        std::shared_ptr<const WatchedRuns::Runs> runs;
        std::string search;
        int column = kKept;
        bool ascending = false;
        std::array<std::string, kScores> scores;
        std::map<std::filesystem::path, RunMark> marks;
        bool operator==(const Source&) const = default;
    };

    void rebuild();
    struct Column {
        std::string title;
        float width;  // 0: the remaining width
        ImGuiTableColumnFlags flags;
        std::function<std::pair<double, std::string>(const Row&)> key;  // sort key; NaN is last in both orders
        std::function<std::string(const Row&)> text = {};               // empty: drawn by hand
    };
    std::vector<Column> columns() const;
    void choose_scores();
    std::string score_label(const std::string& name) const;
    const Row* selected_row() const;
    const ListedRun* selected() const;
    void toggle_overlay(const std::filesystem::path& folder, const Context& context);
    bool reads_any() const;
    // Makes the request for a run that has been read.
    using Use = Ask (*)(std::shared_ptr<const OverlaidRun>);
    template <class T>
    static Ask made_of(std::shared_ptr<const OverlaidRun> run) {
        return T{std::move(run)};
    }
    static bool is_overlaid(const Session& session, const std::filesystem::path& folder);
    void start_reading(const std::filesystem::path& folder, Use wanted, Asks& asks);
    void forget_written_marks();
    void mark(const ListedRun& run, RunMark mark);

    void look_in_typed_folder();
    void draw_top(const Ui& ui);
    void draw_star(const Ui& ui, const Row& row, int index);
    void draw_name_field(const Ui& ui);
    void draw_table(const Context& context, float height);
    void draw_headers(const Ui& ui, const std::vector<Column>& columns);
    void draw_row(const Context& context, const std::vector<Column>& columns, const Row& row, int index);
    void draw_actions(const Context& context);
    void resume(const ListedRun& run, bool train, Asks& asks);
    void draw_empty(const Ui& ui, float height) const;
    std::string said_below() const;

    const RunKeeper& keeper_;
    std::string folder_;         // as typed
    std::filesystem::path run_;  // the present run when the list was opened last
    FindExperiment find_;
    Source wanted_, built_;
    std::vector<Row> rows_;
    bool pointer_over_ = false;                        // in the last frame, over the table
    std::map<std::string, std::string> score_labels_;  // by name
    std::filesystem::path selected_;
    std::filesystem::path named_;  // the run whose name is in the field
    std::string name_;

    struct Reading {
        std::filesystem::path folder;
        Use wanted = nullptr;
        Job job;
    };
    Jobs& jobs_;
    std::vector<Reading> readings_;
    WatchedRuns list_;
};

}  // namespace emergence
