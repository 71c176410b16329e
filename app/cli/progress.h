#pragma once
// Shows one line that says how far a run is.

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>

#include "app/cli/commands.h"
#include "core/lab/jobs/job_grid.h"

namespace emergence::cli {

/// What is known at a moment.
struct ProgressState {
    std::string name;       // of the experiment
    std::string step_unit;  // "MRPs"
    int64_t step = 0;
    int64_t target = 0;
    double seconds = 0.0;  // since the start
    int seeds = 1;
    std::string emerged_words = "emerged";  // "" if no rule says when a seed has emerged
    int emerged = 0;
    int failed = 0;
};

/// "12 s", "3 min 20 s", "1 h 05 min".
std::string duration_text(double seconds);

/// "td: 1200 of 4000 MRPs (30 %), 512 MRPs/s a seed, ETA 5 s, 3 of 8 networks emerged".
std::string progress_text(const ProgressState& state);

/// A line that is shown again and again. On a terminal it is written over and cut to the width. Elsewhere a new line
/// appears every few seconds.
class LineOfProgress {
  public:
    /// `columns` returns those of the terminal. It is asked for each line, because a window changes.
    LineOfProgress(std::ostream& err, bool terminal, std::function<int()> columns = {})
        : err_(err), terminal_(terminal), columns_(std::move(columns)) {}

    /// Whether a line is due, so many seconds after the start.
    bool is_due(double seconds);
    /// `last` ends the line.
    void write(const std::string& text, bool last);
    /// Shows `state` unless it has just shown a line. With `last` it always shows the state, and ends the line.
    void show(const ProgressState& state, bool last);

  private:
    std::ostream& err_;
    bool terminal_;
    std::function<int()> columns_;
    double shown_at_ = 0.0;
};

/// "wang-4: 35 of 90 runs (38 %), ETA 12 s, 1 failed".
std::string progress_text(const GridProgress& progress);

/// Does the same for a grid of jobs.
class GridProgressLine {
  public:
    explicit GridProgressLine(const Environment& environment)
        : line_(environment.err, environment.err_is_terminal, environment.err_columns) {}

    void show(const GridProgress& progress);
    /// The last state that was handed in, and the total time, or nothing if there was none.
    void finish(double seconds);

  private:
    LineOfProgress line_;
    GridProgress last_;
};

/// Shows a grid with `line`, and stops it when the environment says so.
GridOptions grid_options(const std::string& name, GridProgressLine& line, const Environment& environment);

}  // namespace emergence::cli
