#include "app/gui/panels/cell_history_plot.h"

#include "app/gui/shell/clock.h"
#include "app/gui/shell/widget_log.h"

namespace emergence {
namespace {

// Building may take this share of the window's time, no more.
constexpr double kHistoryBuildShare = 0.1;

}  // namespace

bool CellHistoryPlot::stale(const Session& session, const MatrixSelection& selection,
                            const MatrixView& view) const {
    if (selection != built_selection_ || view != built_view_ || !built_from_) return true;
    if (session.moments().empty() || session.moments().moments().back() == built_from_) return false;
    if (built_from_->run_number != session.moments().moments().back()->run_number) return true;
    const bool still = session.snapshot()->status.state != RunState::running;
    return still || seconds_now() - built_at_ > build_cost_ / kHistoryBuildShare;
}

void CellHistoryPlot::draw(const Ui& ui, const Session& session, const MatrixSelection& selection,
                           const MatrixView& view, ImVec2 size) {
    if (stale(session, selection, view) && !session.moments().empty()) {
        const double start = seconds_now();
        plot_ = history_of(session.moments().moments(), selection, view);
        state_.invalidate();
        state_.prepare(plot_);
        built_selection_ = selection;
        built_view_ = view;
        built_from_ = session.moments().moments().back();
        built_at_ = seconds_now();
        build_cost_ = built_at_ - start;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_plot(ui, plot_, state_, size);
    if (ui.log != nullptr) ui.log->record("cell history", at, {at.x + size.x, at.y + size.y});
}

}  // namespace emergence
