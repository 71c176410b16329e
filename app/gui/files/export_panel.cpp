#include "app/gui/files/export_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/sheet.h"

namespace emergence {

ExportChoices default_export_choices() {
    ExportChoices choices;
    choices.folder = default_export_folder().string();
    choices.formats[static_cast<size_t>(writable_formats().front())] = true;
    choices.formats[static_cast<size_t>(FileFormat::png)] = true;
    return choices;
}

ExportPanel::ExportPanel(Jobs& jobs, std::function<void(const FileReport&)> on_report)
    : jobs_(jobs), on_report_(std::move(on_report)), preview_(jobs) {}

void ExportPanel::open(std::optional<Kind> kind, const std::string& name) {
    open_ = raise_ = true;
    requested_kind_ = kind;
    requested_name_ = name;
    if (!writing_.active()) report_.reset();
    refusal_.clear();
}

const FigureChoice* ExportPanel::pointed_at(const std::vector<FigureChoice>& list) const {
    const auto found = std::find_if(list.begin(), list.end(),
                                    [this](const FigureChoice& choice) { return choice.name == pointed_; });
    return found == list.end() ? nullptr : &*found;
}

// What open() asked for becomes the one tick, as soon as there is a list.
void ExportPanel::choose_requested(const std::vector<FigureChoice>& list) {
    const auto wanted = std::find_if(list.begin(), list.end(), [this](const FigureChoice& choice) {
        return requested_name_.empty() ? choice.kind == requested_kind_ : choice.name == requested_name_;
    });
    if (wanted != list.end()) {
        ticked_ = {wanted->name};
        pointed_ = wanted->name;
    }
    requested_kind_.reset();
    requested_name_.clear();
    // Nothing that takes minutes is chosen for anybody.
    const auto quick = std::find_if(list.begin(), list.end(),
                                    [](const FigureChoice& choice) { return choice.kind != Kind::grid; });
    if (!pointed_at(list) && quick != list.end()) pointed_ = quick->name;
    const bool any =
        std::any_of(list.begin(), list.end(), [this](const auto& choice) { return is_ticked(choice); });
    if (!any && pointed_at(list) && !choices_.run_files) ticked_.insert(pointed_);
}

// What can be drawn of the present run; missing_ says what cannot and why.
std::vector<FigureChoice> ExportPanel::drawable(const Session& session, const ShownPanels& shown) {
    const Snapshot& snapshot = *session.snapshot();
    const std::pair run(snapshot.experiment, snapshot.run_number);
    std::vector<FigureChoice> list =
        figure_choices(session.info(), shown.plots, shown.heatmaps, shown.scenes);
    if (checked_run_ != run) {
        missing_.clear();
        for (const FigureChoice& choice : list)
            if (choice.kind == Kind::figure)
                if (std::string reason =
                        why_missing(session.info().figures[choice.index], snapshot, session.history());
                    !reason.empty())
                    missing_.push_back({choice.name, choice.title, std::move(reason)});
        checked_run_ = run;
    }
    std::erase_if(list, [this](const FigureChoice& choice) {
        return std::any_of(missing_.begin(), missing_.end(),
                           [&](const Missing& figure) { return figure.name == choice.name; });
    });
    return list;
}

void ExportPanel::draw(const Ui& ui, const Session& session, const ShownPanels& shown) {
    if (!open_ || !session.snapshot()) return;
    const std::vector<FigureChoice> list = drawable(session, shown);
    choose_requested(list);
    const Sheet sheet(ui, "export", 1080.0F, 640.0F, std::exchange(raise_, false));
    const ImVec2 size = sheet.size();
    const Snapshot& now = *session.snapshot();
    if (sheet.draw_heading(ui, "Export", "export",
                           fmt::format("{} at {} {}", session.info().title, now.step, now.step_unit)))
        close_now_ = true;
    const float left = std::round(size.x * 0.4F);
    draw_list(ui, list, {left, 0.0F});
    ImGui::SameLine(0.0F, ui.px(16));
    ImGui::BeginGroup();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    draw_preview(ui, session, shown, list, {room.x, room.y * 0.52F});
    draw_options(ui, room.x);
    draw_buttons(ui, session, shown, list);
    draw_report(ui);
    ImGui::EndGroup();
    if (std::exchange(close_now_, false)) open_ = false;
}

}  // namespace emergence
