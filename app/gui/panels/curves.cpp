#include "app/gui/panels/curves.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "app/gui/panels/history_plots.h"
#include "app/gui/panels/panel.h"

namespace emergence {
namespace {

double seconds_now() {
    using Clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

// Summaries over seeds may take this share of the window's time, no more.
constexpr double kBuildShare = 0.2;

}  // namespace

double axis_end(double step, double target) {
    double end = 100.0;
    for (int i = 0; end < step; ++i) end *= i % 3 == 1 ? 2.5 : 2.0;  // 100, 200, 500, 1000, ...
    return std::max(1.0, std::min(end, target));
}

bool CurvesPanel::stale(const Session& session) const {
    if (spread_ != built_spread_ || !built_from_ || built_from_->run_number != session.snapshot()->run_number)
        return true;
    const auto other = session.other() ? session.other()->shown() : nullptr;
    if ((other == nullptr) != (built_other_ == nullptr)) return true;
    const bool moved = built_from_ != session.snapshot() || built_other_ != other;
    if (!moved && built_revision_ == session.history().revision()) return false;
    const bool still = session.live_snapshot()->status.state != RunState::running;
    return still || (moved && !session.time().live()) || seconds_now() - built_at_ > build_cost_ / kBuildShare;
}

void CurvesPanel::rebuild(const Session& session) {
    const double start = seconds_now();
    const Snapshot& snapshot = *session.snapshot();
    const Snapshot& live = *session.live_snapshot();
    specs_.clear();
    AxisSpec x;
    x.label = snapshot.step_unit;
    x.minimum = 0.0;
    // Of the live moment: nothing moves while one goes through the past.
    x.maximum = axis_end(static_cast<double>(live.step),
                         static_cast<double>(std::max(live.step, live.status.target_step)));
    if (session.study())
        for (const MetricPlot& plot : session.study()->metric_plots())
            specs_.push_back(history_plot(session, plot, x));
    for (PlotSpec& plot : snapshot_plots(session)) specs_.push_back(std::move(plot));
    states_.resize(specs_.size());
    for (size_t i = 0; i < specs_.size(); ++i) {
        specs_[i].spread = spread();
        states_[i].invalidate();
        states_[i].prepare(specs_[i]);
    }
    built_from_ = session.snapshot();
    built_other_ = session.other() ? session.other()->shown() : nullptr;
    built_revision_ = session.history().revision();
    built_spread_ = spread_;
    built_at_ = seconds_now();
    build_cost_ = built_at_ - start;
}

void CurvesPanel::draw(const Ui& ui, const Box& box, const Session& session) {
    const Panel panel(ui, "curves", box, true);
    if (!session.snapshot()) return;
    if (!ui.presenting) draw_segments(ui, "spread", {"± s.e.", "± s.d.", "quartiles", "every seed"}, spread_);
    if (stale(session)) rebuild(session);
    if (specs_.empty()) return;
    ImGui::Dummy({0.0F, ui.px(2)});

    // One column of plots, or two where one would make them flat.
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float gap = ui.px(12);
    const auto count = static_cast<int>(specs_.size());
    const auto height_with = [&](int columns) {
        const int rows = (count + columns - 1) / columns;
        return (room.y - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows);
    };
    const int columns = height_with(1) < ui.px(150) && room.x > ui.px(560) ? 2 : 1;
    const float height = std::floor(std::max(height_with(columns), ui.px(108)));
    const float width =
        std::floor((room.x - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
    const ImVec2 start = ImGui::GetCursorScreenPos();
    for (int i = 0; i < count; ++i) {
        const int row = i / columns;
        ImGui::SetCursorScreenPos({start.x + static_cast<float>(i % columns) * (width + gap),
                                   start.y + static_cast<float>(row) * (height + gap)});
        const auto index = static_cast<size_t>(i);
        draw_plot(ui, specs_[index], states_[index], {width, height});
    }
}

}  // namespace emergence
