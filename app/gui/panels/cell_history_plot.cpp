#include "app/gui/panels/cell_history_plot.h"

#include "app/gui/shell/widget_log.h"

namespace emergence {

void CellHistoryPlot::draw(const Ui& ui, const Session& session, const MatrixSelection& selection,
                           const MatrixView& view, ImVec2 size) {
    const auto& moments = session.moments().moments();
    if (!moments.empty()) {
        const Source& built = built_.source();
        const Source source{selection, view, moments.back()};
        const bool grows = built.selection == selection && built.view == view && built.last_moment &&
                           built.last_moment->run_number == moments.back()->run_number &&
                           session.snapshot()->status.state == RunState::running;
        const auto build = [&] {
            plot_ = history_of(moments, selection, view);
            state_.invalidate();
            state_.prepare(plot_);
        };
        built_.update(source, build, grows);
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_plot(ui, plot_, state_, size);
    if (ui.log != nullptr) ui.log->record("cell history", at, {at.x + size.x, at.y + size.y});
}

}  // namespace emergence
