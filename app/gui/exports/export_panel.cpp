#include "app/gui/exports/export_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/shell/clock.h"
#include "app/gui/widgets/panel.h"

namespace emergence {

ExportChoices default_export_choices() {
    ExportChoices choices;
    choices.folder = default_export_folder().string();
    choices.formats[static_cast<size_t>(writable_formats().front())] = true;
    choices.formats[static_cast<size_t>(FileFormat::png)] = true;
    return choices;
}

ExportPanel::ExportPanel(Jobs& jobs, Shown shown)
    : Sheet("export"), jobs_(jobs), shown_(std::move(shown)), preview_(jobs) {}

void ExportPanel::open(const Session&) { open_with({}); }

void ExportPanel::open_with(std::optional<Kind> kind, const std::string& name) {
    show();
    requested_kind_ = kind;
    requested_name_ = name;
    if (!writing_.active()) report_.reset();
    refusal_.clear();
}

const FigureChoice* ExportPanel::pointed_at(const std::vector<FigureChoice>& list) const {
    const auto found =
        std::find_if(list.begin(), list.end(), [this](const FigureChoice& choice) { return choice.name == pointed_; });
    return found == list.end() ? nullptr : &*found;
}

// What open() asked for becomes the one tick, as soon as there is a list.
void ExportPanel::choose_requested(const std::vector<FigureChoice>& list) {
    const auto wanted = std::find_if(list.begin(), list.end(), [this](const FigureChoice& choice) {
        return requested_name_.empty() ? choice.kind == requested_kind_ : choice.name == requested_name_;
    });
    if (wanted != list.end()) {
        ticked_ = {wanted->name};
        unasked_.clear();
        pointed_ = wanted->name;
    }
    requested_kind_.reset();
    requested_name_.clear();
    // Nothing that takes minutes is chosen for anybody.
    const auto quick =
        std::find_if(list.begin(), list.end(), [](const FigureChoice& choice) { return choice.kind != Kind::grid; });
    if (!pointed_at(list) && quick != list.end()) pointed_ = quick->name;
    const bool any = std::any_of(list.begin(), list.end(), [this](const auto& choice) { return is_ticked(choice); });
    if (!any && pointed_at(list) && !choices_.run_files) ticked_.insert(unasked_ = pointed_);
}

// Drawing a figure is the only way to know, and takes time: a job does it, again once the run has gone on.
void ExportPanel::check_figures(const Session& session) {
    const std::shared_ptr<const Snapshot>& now = session.snapshot();
    std::vector<FigureChoice> figures = figure_choices(session.info(), {}, {}, {});
    std::erase_if(figures, [](const FigureChoice& choice) { return choice.kind != Kind::figure; });
    const bool same_run =
        checked_ && checked_->experiment == now->experiment && checked_->run_number == now->run_number;
    if (!same_run) missing_.reset();
    if (figures.empty()) missing_.emplace();
    if (figures.empty() || now == checked_ || (same_run && (checking_.active() || seconds_now() < check_again_at_)))
        return;
    checking_.cancel();
    checked_ = now;
    checking_ = jobs_.post(
        Lane::preview,
        [figures, now, info = &session.info(), history = session.history()](const Jobs::Task& task) {
            std::vector<Missing> missing;
            for (const FigureChoice& choice : figures) {
                if (task.stopping()) break;
                const std::string reason = why_missing(info->figures[choice.index], *now, history);
                if (!reason.empty()) missing.push_back({choice.name, choice.title, reason});
            }
            return missing;
        },
        [this, began = seconds_now()](std::vector<Missing> missing) {
            missing_ = std::move(missing);
            check_again_at_ = seconds_now() + std::max(1.0, 10 * (seconds_now() - began));
        });
}

// What can be drawn of the present run; missing_ says what cannot and why.
std::vector<FigureChoice> ExportPanel::drawable(const Session& session, const ShownPanels& shown) const {
    std::vector<FigureChoice> list =
        figure_choices(session.info(), shown.plots, shown.heatmaps, shown.scenes, shown.stage);
    std::erase_if(list, [this](const FigureChoice& choice) {
        return missing_ ? std::any_of(missing_->begin(), missing_->end(),
                                      [&](const Missing& figure) { return figure.name == choice.name; })
                        : choice.kind == Kind::figure;
    });
    // What is looked at comes first.
    std::stable_partition(list.begin(), list.end(), [](const FigureChoice& choice) {
        return choice.kind == Kind::stage || choice.kind == Kind::window || choice.kind == Kind::matrices ||
               choice.kind == Kind::curves;
    });
    return list;
}

void ExportPanel::draw(const Context& context) {
    const auto& [ui, session, asks] = context;
    if (!open_ || !session.snapshot()) return;
    const ShownPanels shown = shown_(session);
    check_figures(session);
    const std::vector<FigureChoice> list = drawable(session, shown);
    if (missing_) choose_requested(list);
    const SheetWindow sheet(ui, "export", 1080.0F, 640.0F, std::exchange(raise_, false));
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
    draw_buttons(context, shown, list);
    draw_report(ui);
    ImGui::EndGroup();
    if (std::exchange(close_now_, false)) close();
}

}  // namespace emergence
