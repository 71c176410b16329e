// The export panel's list of pictures, and the preview of the one that is pointed at.
#include <fmt/format.h>

#include <algorithm>

#include "app/gui/exports/export_panel.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {
namespace {

// The heading of its group.
const char* group_of(FigureChoice::Kind kind) {
    using Kind = FigureChoice::Kind;
    static constexpr const char* kWindow = "This window";
    return kind == Kind::figure   ? "Figures of papers"
           : kind == Kind::grid   ? "Figures of many runs"
           : kind == Kind::matrix ? "Single matrices"
           : kind == Kind::plot   ? "Single plots"
           : kind == Kind::scene  ? "The world, drawn"
                                  : kWindow;
}

}  // namespace

void ExportPanel::draw_choice(const Ui& ui, const FigureChoice& choice) {
    bool ticked = is_ticked(choice);
    const std::string title = choice.title.empty() ? in_words(choice.name) : choice.title;
    const std::string label =
        elided(ui.fonts.body, title,
               ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight() - ImGui::GetStyle().ItemInnerSpacing.x);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (choice.name == pointed_)
        ImGui::GetWindowDrawList()->AddRectFilled(
            at, {at.x + ImGui::GetContentRegionAvail().x, at.y + ImGui::GetFrameHeight()}, ui.colors.control, ui.px(4));
    if (ImGui::Checkbox((label + "##" + choice.name).c_str(), &ticked)) {
        if (unasked_ != choice.name) ticked_.erase(unasked_);
        unasked_.clear();
        if (ticked)
            ticked_.insert(choice.name);
        else
            ticked_.erase(choice.name);
        report_.reset();
    }
    log_item(ui, ("export " + choice.name).c_str());
    if (ImGui::IsItemHovered()) pointed_ = choice.name;
    if (label != title) explain_item(ui, title);
}

void ExportPanel::draw_missing(const Ui& ui) {
    if (!missing_) small_text(ui, ui.colors.muted, "Looking which figures can be drawn of this run…");
    for (const Missing& figure : missing_.value_or(std::vector<Missing>())) {
        ImGui::PushTextWrapPos(0.0F);
        ImGui::TextDisabled("%s", figure.title.c_str());
        ImGui::PopTextWrapPos();
        log_item(ui, ("export missing " + figure.name).c_str());
        small_text(ui, ui.colors.muted, "Not of this run: " + figure.reason + ".");
    }
}

void ExportPanel::draw_list(const Ui& ui, const std::vector<FigureChoice>& list, ImVec2 size) {
    ImGui::BeginChild("list", size);
    // Figures that this run cannot draw stand below those that it can, or else behind the window's pictures.
    const bool any = std::any_of(list.begin(), list.end(), [](const auto& one) { return one.kind == Kind::figure; });
    const auto draw_figures_missing = [&] {
        if (!any && (!missing_ || !missing_->empty())) heading_text(ui, group_of(Kind::figure));
        draw_missing(ui);
    };
    const char* const last_before = group_of(any ? Kind::figure : Kind::window);
    if (list.empty() || (!any && list.front().kind == Kind::grid)) draw_figures_missing();
    for (size_t i = 0; i < list.size(); ++i) {
        const char* const group = group_of(list[i].kind);
        if (i == 0 || group != group_of(list[i - 1].kind)) heading_text(ui, group);
        draw_choice(ui, list[i]);
        const bool ends = i + 1 == list.size() || group != group_of(list[i + 1].kind);
        if (ends && group == last_before) draw_figures_missing();
    }
    heading_text(ui, "The run itself");
    if (ImGui::Checkbox("settings, metrics and weights", &choices_.run_files)) report_.reset();
    log_item(ui, "export run files");
    explain_item(ui,
                 "config.toml, metrics.csv (a line a seed and logged step) and weights.npz (all seeds), as "
                 "emergence-cli run leaves them");
    ImGui::EndChild();
}

void ExportPanel::draw_preview(const Ui& ui, const Session& session, const ShownPanels& shown,
                               const std::vector<FigureChoice>& list, ImVec2 size) {
    const FigureChoice* choice = pointed_at(list);
    if (choice == nullptr) return;
    if (choice->kind == Kind::grid) {
        const FigureInfo& figure = session.info().figures[choice->index];
        const auto [effort, is_new] = efforts_.try_emplace(figure.name);
        if (is_new) effort->second = effort_of(figure, session.threads());
        ImGui::BeginChild("no preview", size, true);
        ImGui::TextWrapped("%s", figure.title.c_str());
        small_text(ui, ui.colors.muted,
                   effort->second +
                       " They train in the background, beside the run that is shown, and can be "
                       "cancelled. Nothing can be seen of it before.");
        ImGui::EndChild();
        log_item(ui, "export effort");
        return;
    }
    const PageFormat& page = choices_.page;
    const std::string name = fmt::format("{} {} {} {}", choice->name, page.width_inches, page.slide, page.caption);
    preview_.draw(ui, name, size, [&] {
        ExportOrder order;
        order.experiment = &session.info();
        order.snapshot = session.snapshot();
        order.history = session.history();
        order.shown = shown;
        order.choices = {*choice};
        order.page = page;
        return order;
    });
}

}  // namespace emergence
