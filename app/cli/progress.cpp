#include "app/cli/progress.h"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

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
    if (state.may_emerge)
        text += fmt::format(", {} of {} seeds emerged", state.emerged, state.seeds);
    else
        text += fmt::format(", {} seed{}", state.seeds, state.seeds == 1 ? "" : "s");
    if (state.failed > 0) text += fmt::format(", {} diverged", state.failed);
    return text;
}

void Progress::show(const ProgressState& state, bool last) {
    if (!last && state.seconds - shown_at_ < (terminal_ ? kTerminalInterval : kLogInterval)) return;
    shown_at_ = state.seconds;
    // The escape code erases what a longer line has left behind.
    if (terminal_)
        err_ << '\r' << progress_text(state) << "\x1b[K" << (last ? "\n" : "") << std::flush;
    else
        err_ << progress_text(state) << std::endl;
}

std::string progress_text(const GridProgress& progress) {
    std::string text = fmt::format("{}: {} of {} runs ({:.0f} %)", progress.name, progress.done,
                                   progress.total, 100.0 * progress.share);
    if (progress.done < progress.total && progress.waits_for > 0)
        text += fmt::format(", waiting for other processes, which have {}", progress.waits_for);
    else if (progress.done < progress.total && std::isfinite(progress.seconds_left))
        text += ", ETA " + duration_text(progress.seconds_left);
    if (progress.failed > 0) text += fmt::format(", {} failed", progress.failed);
    return text;
}

void GridProgressLine::show(const GridProgress& progress) {
    last_ = progress;
    // A figure may take several grids, one after the other.
    if (progress.seconds < shown_at_) shown_at_ = 0.0;
    if (progress.seconds - shown_at_ < (terminal_ ? kTerminalInterval : kLogInterval)) return;
    shown_at_ = progress.seconds;
    if (terminal_)
        err_ << '\r' << progress_text(progress) << "\x1b[K" << std::flush;
    else
        err_ << progress_text(progress) << std::endl;
}

void GridProgressLine::finish(double seconds) {
    if (last_.total == 0) return;
    err_ << (terminal_ ? "\r" : "") << progress_text(last_) << fmt::format(", {:.1f} s", seconds)
         << (terminal_ ? "\x1b[K" : "") << std::endl;
}

}  // namespace emergence::cli
