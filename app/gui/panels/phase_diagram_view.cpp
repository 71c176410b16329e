// The phase diagram as it is drawn.
#include "app/gui/panels/phase_diagram.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "app/gui/panels/panel.h"
#include "app/gui/panels/sheet.h"
#include "app/gui/widgets/text.h"
#include "core/base/error.h"
#include "core/runtime/axis.h"

namespace emergence {
namespace {

constexpr float kLabel = 74.0F;

void row_label(const Ui& ui, const char* text) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", text);
    ImGui::SameLine(ui.px(kLabel));
}

void small_text(const Ui& ui, ImU32 color, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextWrapped("%s", text.c_str());
    ImGui::PopFont();
    ImGui::PopStyleColor();
}

std::string label_of(const FieldInfo& field) { return greek(field.label.empty() ? field.name : field.label); }

// − VALUE +: the steps that were asked for.
int draw_steps(const Ui& ui, const std::string& id, const std::string& value) {
    int steps = 0;
    if (draw_button(ui, ("less " + id).c_str(), "−", {ui.px(30), 0.0F}, "")) steps = -1;
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(value.c_str());
    ImGui::SameLine(ui.px(kLabel + 96));
    if (draw_button(ui, ("more " + id).c_str(), "+", {ui.px(30), 0.0F}, "")) steps = 1;
    return steps;
}

bool is_number(const FieldInfo& field) {
    return std::holds_alternative<int64_t>(field.default_value) ||
           std::holds_alternative<double>(field.default_value);
}

// from ... to ... in ... steps, even or in ratios.
void draw_range(const Ui& ui, const std::string& id, AxisDraft& axis) {
    row_label(ui, "range");
    const float wide = ui.px(62);
    ImGui::SetNextItemWidth(wide);
    ImGui::InputDouble("##from", &axis.from, 0, 0, "%.4g");
    log_item(ui, (id + " from").c_str());
    ImGui::SameLine(0.0F, ui.px(4));
    ImGui::TextUnformatted("to");
    ImGui::SameLine(0.0F, ui.px(4));
    ImGui::SetNextItemWidth(wide);
    ImGui::InputDouble("##to", &axis.to, 0, 0, "%.4g");
    log_item(ui, (id + " to").c_str());
    ImGui::SameLine(0.0F, ui.px(4));
    ImGui::TextUnformatted("in");
    ImGui::SameLine(0.0F, ui.px(4));
    ImGui::SetNextItemWidth(ui.px(36));
    ImGui::InputInt("##count", &axis.count, 0, 0);
    log_item(ui, (id + " count").c_str());
    ImGui::SameLine(0.0F, ui.px(6));
    ImGui::Checkbox("log", &axis.logarithmic);
    log_item(ui, (id + " log").c_str());
}

}  // namespace

void PhaseDiagram::draw_source(const Ui& ui, const Session& session) {
    row_label(ui, "Diagram");
    ImGui::SetNextItemWidth(-1.0F);
    const std::string title = sweep_ ? sweep_->sweep.title : draft_.title;
    const bool open = ImGui::BeginCombo("##source", greek(title).c_str(), ImGuiComboFlags_HeightLarge);
    log_item(ui, "phase source");
    if (!open) return;
    if (ImGui::Selectable("New, around the present run")) begin_around(session);
    log_item(ui, "phase new");
    const auto list = [&](const char* heading, const auto& files, const char* id) {
        if (files.empty()) return;
        ImGui::TextDisabled("%s", heading);
        int index = 0;
        const auto copy = files;  // opening one lists them again
        for (const auto& [name, file] : copy) {
            const std::string entry = fmt::format("{}##{}{}", greek(name), id, index);
            if (ImGui::Selectable(entry.c_str(), file == folder_)) try {
                    open_sweep(file);
                } catch (const InputError& error) {
                    problem_ = error.what();
                }
            log_item(ui, fmt::format("phase {} {}", id, index++).c_str());
            explain_item(ui, file.string());
        }
    };
    list("Presets", presets_, "preset");
    list("Computed before", results_, "result");
    ImGui::EndCombo();
}

void PhaseDiagram::draw_score(const Ui& ui) {
    row_label(ui, "Score");
    ImGui::SetNextItemWidth(-1.0F);
    const auto found = std::find_if(scores_.begin(), scores_.end(),
                                    [this](const ScoreInfo& one) { return one.name == draft_.score; });
    const std::string shown = found != scores_.end()   ? found->label
                              : !draft_.score.empty()  ? draft_.score
                              : coming_scores_.valid() ? "…"
                                                       : "choose one";
    const bool open = ImGui::BeginCombo("##score", greek(shown).c_str(), ImGuiComboFlags_HeightLarge);
    log_item(ui, "phase score");
    if (!open) {
        if (found != scores_.end()) explain_item(ui, found->help);
        return;
    }
    for (const ScoreInfo& score : scores_) {
        const std::string entry = greek(score.label) + "##" + score.name;
        if (ImGui::Selectable(entry.c_str(), score.name == draft_.score)) {
            draft_.score = score.name;
            draft_.title.clear();
            draft_.description.clear();
            settle();
        }
        log_item(ui, ("phase score " + score.name).c_str());
        explain_item(ui, score.help);
    }
    ImGui::EndCombo();
}

void PhaseDiagram::draw_axis(const Ui& ui, const char* name, AxisDraft& axis, bool optional) {
    ImGui::PushID(name);
    const std::string id = fmt::format("phase {}", name);
    const Settings& settings = draft_.settings;
    const AxisDraft before = axis;
    row_label(ui, optional ? "Down" : "Across");
    ImGui::SetNextItemWidth(-1.0F);
    const std::string shown = axis.field.empty() ? "one setting only" : label_of(settings.info(axis.field));
    const bool open = ImGui::BeginCombo("##field", shown.c_str(), ImGuiComboFlags_HeightLarge);
    log_item(ui, id.c_str());
    if (open) {
        if (optional && ImGui::Selectable("one setting only", axis.field.empty())) axis = {};
        for (const FieldInfo* field : axis_fields(settings)) {
            const std::string entry = label_of(*field) + "##" + field->name;
            if (ImGui::Selectable(entry.c_str(), field->name == axis.field))
                axis = axis_around(settings, field->name);
            log_item(ui, (id + " " + field->name).c_str());
            explain_item(ui, field->help);
        }
        ImGui::EndCombo();
    }
    if (!axis.field.empty()) {
        const FieldInfo& field = settings.info(axis.field);
        row_label(ui, "values");
        ImGui::SetNextItemWidth(-1.0F);
        ImGui::InputText("##values", &axis.values);
        log_item(ui, (id + " values").c_str());
        explain_item(ui, "With commas between them: " + allowed_text(field) + ".");
        if (is_number(field)) {
            const AxisDraft range = axis;
            draw_range(ui, id, axis);
            if (!(range == axis)) fill_from_range(settings, axis);
        }
    }
    ImGui::PopID();
    if (before == axis) return;
    if (before.field != axis.field) {  // more values of the same are the same diagram
        draft_.title.clear();
        draft_.description.clear();
    }
    settle();
}

void PhaseDiagram::draw_effort(const Ui& ui, const Session& session) {
    row_label(ui, "Seeds");
    const int seeds = draw_steps(ui, "phase seeds", fmt::format("{} a cell", draft_.seeds));
    if (seeds != 0) {
        draft_.seeds = std::clamp(draft_.seeds + seeds, 1, 1000);
        settle();
    }
    row_label(ui, "Threads");
    const int most = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 256);
    const int now = threads_ > 0 ? threads_ : session.threads();
    const int threads = draw_steps(ui, "phase threads", fmt::format("{}", now));
    if (threads != 0) threads_ = std::clamp(now + threads, 1, most);
    ImGui::Checkbox("pause the run meanwhile", &pauses_);
    log_item(ui, "phase pause");
    explain_item(ui, "Cells are computed beside the run that is shown, with less right to the processor.");
}

void PhaseDiagram::draw_state(const Ui& ui, Session& session) {
    const bool running = worker_.running();
    const size_t total = sweep_ ? static_cast<size_t>(sweep_->sweep.columns() * sweep_->sweep.rows()) : 0;
    const size_t known = news_.scores ? news_.scores->size() : 0;
    const std::string label = running         ? "Stop"
                              : known == 0    ? "Compute"
                              : known < total ? "Go on"
                                              : "Complete";
    ImGui::BeginDisabled(!running && (!sweep_ || draft_.score.empty() || (known >= total && total > 0)));
    if (draw_button(ui, "phase start", label, {ui.px(120), ui.px(32)},
                    running
                        ? "Cells that are whole are kept; it can be gone on with, here or on the command line"
                        : "Coarse cells first. What is there already is not computed again.",
                    true)) {
        if (running)
            worker_.stop();
        else
            start(session);
    }
    ImGui::EndDisabled();
    ImGui::SameLine(0.0F, ui.px(8));
    if (news_.progress) {
        const GridProgress& progress = *news_.progress;
        const std::string left =
            std::isfinite(progress.seconds_left) ? ", " + duration_text(progress.seconds_left) + " left" : "";
        ImGui::PushStyleColor(ImGuiCol_PlotHistogram, ui.colors.accent);
        ImGui::ProgressBar(static_cast<float>(progress.share), {-1.0F, ui.px(32)},
                           fmt::format("{} of {}{}", known, total, left).c_str());
        ImGui::PopStyleColor();
        log_item(ui, "phase progress");
    } else if (total > 0) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextDisabled("%s", fmt::format("{} of {} cells", known, total).c_str());
    }
    if (!problem_.empty()) small_text(ui, ui.colors.bad, problem_);
    if (!news_.trouble.empty()) small_text(ui, ui.colors.bad, news_.trouble);
    if (!folder_.empty()) {
        small_text(ui, ui.colors.muted, "Kept in " + folder_.string());
        log_item(ui, "phase folder");
        explain_item(ui, "Also 'emergence-cli sweep' goes on with it. Click to copy the path.");
        if (ImGui::IsItemClicked()) ImGui::SetClipboardText(folder_.c_str());
    }
}

// The cell, its mean with the spread, and each of its seeds.
std::string PhaseDiagram::reading_of(const SweepCell& cell) const {
    std::string text = greek(cell_label(sweep_->sweep, cell));
    const auto found = news_.scores ? news_.scores->find(cell) : SweepScores::const_iterator{};
    if (!news_.scores || found == news_.scores->end())
        return text + "\nnot computed yet; a click opens its run";
    std::vector<double> finite;
    for (const double value : found->second)
        if (std::isfinite(value)) finite.push_back(value);
    const Summary summary = summarise(finite, true);
    text += fmt::format("\n{} {} ± {} (standard error)\ndeviation {}, median {}\nseeds:", sweep_->sweep.score,
                        readout(summary.mean), readout(summary.standard_error), readout(summary.deviation),
                        readout(summary.median));
    for (const double value : found->second) text += " " + readout(value);
    return text + "\nA click opens its run.";
}

void PhaseDiagram::draw_picture(const Ui& ui, ImVec2 size, Session& session, Toasts& toasts) {
    pointed_.reset();
    if (!sweep_ || figure_.cells.empty()) return;
    bool clicked = false;
    if (const auto* map = std::get_if<HeatmapSpec>(&figure_.cells[0].content)) {
        HeatmapContext context;
        context.reads = false;
        const HeatmapResponse response = draw_heatmap(ui, *map, map_state_, size, context);
        if (response.hovered) pointed_ = SweepCell{response.hovered->column, response.hovered->row};
        clicked = response.clicked.has_value();
    } else if (const auto* plot = std::get_if<PlotSpec>(&figure_.cells[0].content)) {
        plot_state_.prepare(*plot);
        const PlotResponse response = draw_plot(ui, *plot, plot_state_, size);
        const auto& xs = plot->series[0].x;
        if (response.hovered && !xs.empty() && news_.scores) {
            size_t nearest = 0;
            for (size_t i = 1; i < xs.size(); ++i)
                if (std::abs(xs[i] - response.x) < std::abs(xs[nearest] - response.x)) nearest = i;
            pointed_ = std::next(news_.scores->begin(), static_cast<std::ptrdiff_t>(nearest))->first;
            clicked = ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
                      ImGui::GetIO().MouseDragMaxDistanceSqr[0] < 9.0F;
        }
    }
    if (pointed_) explain_now(ui, reading_of(*pointed_));
    if (clicked && pointed_) open_cell(*pointed_, session, toasts);
}

void PhaseDiagram::draw(const Ui& ui, Session& session, Toasts& toasts) {
    take_news();
    if (coming_scores_.valid() &&
        coming_scores_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        scores_ = coming_scores_.get();
        if (draft_.score.empty() && !scores_.empty()) {
            draft_.score = scores_.front().name;
            settle();
        }
    }
    if (!open_ || draft_.experiment == nullptr) return;
    const Sheet sheet(ui, "phase diagram", 1160, 680, std::exchange(raise_, false));
    if (sheet.draw_heading(ui, "Phase diagram", "phase", draft_.experiment->title, "Esc; computing goes on"))
        close();

    ImGui::BeginChild("controls", {ui.px(360), 0.0F});
    ImGui::BeginDisabled(worker_.running());
    draw_source(ui, session);
    if (sweep_ && !sweep_->sweep.description.empty())
        small_text(ui, ui.colors.muted, greek(sweep_->sweep.description));
    draw_score(ui);
    draw_axis(ui, "x", draft_.x, false);
    draw_axis(ui, "y", draft_.y, true);
    draw_effort(ui, session);
    ImGui::EndDisabled();
    ImGui::Dummy({0.0F, ui.px(4)});
    draw_state(ui, session);
    ImGui::EndChild();

    ImGui::SameLine(0.0F, ui.px(16));
    ImGui::BeginGroup();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    draw_picture(ui, room, session, toasts);
    ImGui::EndGroup();
}

}  // namespace emergence
