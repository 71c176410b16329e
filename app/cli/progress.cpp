#include "app/cli/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "core/base/text.h"

namespace emergence::cli {
namespace {

constexpr double kTerminalInterval = 0.1;  // seconds between two writings of the line
constexpr double kLogInterval = 5.0;       // seconds between two lines

}  // namespace

std::string duration_text(double seconds) {
    const auto whole = static_cast<int64_t>(std::ceil(seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string progress_text(const ProgressState& state) {
    std::string text = fmt::format("{}: {} of {} {}", state.name, state.step, state.target, state.step_unit);
    if (state.target > 0) text += fmt::format(" ({} %)", 100 * state.step / state.target);
    if (state.step > 0 && state.seconds > 0.0) {
        const double rate = static_cast<double>(state.step) / state.seconds;
        text += fmt::format(", {:.{}f} {}/s a seed", rate, rate < 10.0 ? 2 : 0, state.step_unit);
        if (state.step < state.target)
            text += ", ETA " + duration_text(static_cast<double>(state.target - state.step) / rate);
        else
            text += fmt::format(", {:.1f} s", state.seconds);
    }
    if (!state.emerged_words.empty())
        text += fmt::format(", {} of {} {}", state.emerged, counted(state.seeds, "network"), state.emerged_words);
    else
        text += ", " + counted(state.seeds, "seed");
    if (state.failed > 0) text += fmt::format(", {} diverged", state.failed);
    return text;
}

bool LineOfProgress::is_due(double seconds) {
    // A figure may take several grids, one after the other.
    if (seconds < shown_at_) shown_at_ = 0.0;
    if (seconds - shown_at_ < (terminal_ ? kTerminalInterval : kLogInterval)) return false;
    shown_at_ = seconds;
    return true;
}

void LineOfProgress::write(const std::string& text, bool last) {
    if (!terminal_) {
        err_ << text << std::endl;
        return;
    }
    // In the last column of a terminal the next character would begin a new line.
    const size_t bytes = columns_ ? bytes_in_columns(text, std::max(1, columns_() - 1)) : text.size();
    // The escape code erases what a longer line has left behind.
    err_ << '\r' << text.substr(0, bytes) << "\x1b[K" << (last ? "\n" : "") << std::flush;
}

void LineOfProgress::show(const ProgressState& state, bool last) {
    if (is_due(state.seconds) || last) write(progress_text(state), last);
}

std::string progress_text(const GridProgress& progress) {
    std::string text = fmt::format("{}: {} of {} runs ({:.0f} %)", progress.name, progress.done, progress.total,
                                   100.0 * progress.share);
    if (progress.done < progress.total && std::isfinite(progress.seconds_left))
        text += ", ETA " + duration_text(progress.seconds_left);
    if (progress.failed > 0) text += fmt::format(", {} failed", progress.failed);
    return text;
}

void GridProgressLine::show(const GridProgress& progress) {
    last_ = progress;
    if (line_.is_due(progress.seconds)) line_.write(progress_text(progress), false);
}

void GridProgressLine::finish(double seconds) {
    if (last_.total > 0) line_.write(fmt::format("{}, {:.1f} s", progress_text(last_), seconds), true);
}

GridOptions grid_options(const std::string& name, GridProgressLine& line, const Environment& environment) {
    GridOptions options;
    options.threads = environment.threads();
    options.name = name;
    options.stop = environment.stop;
    options.part = environment.grid_part;
    options.on_progress = [&line](const GridProgress& progress) { line.show(progress); };
    options.on_fewer_threads = [&environment](int started) { environment.report_threads(started); };
    return options;
}

}  // namespace emergence::cli
