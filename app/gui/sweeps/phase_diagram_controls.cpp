// The phase diagram's left side: what is put together.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "app/gui/sweeps/phase_diagram.h"
#include "app/gui/sweeps/sweep_worker.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/field_words.h"
#include "app/gui/widgets/setting_control.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/error.h"

namespace emergence {
namespace {

constexpr float kLabel = 74.0F;
constexpr float kValue = 66.0F;

void row_label(const Ui& ui, const char* text) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", text);
    ImGui::SameLine(ui.px(kLabel));
}

std::string greek_label(const FieldInfo& field) { return greek(field.label.empty() ? field.name : field.label); }

// from ... to ... in ... steps, even or in ratios.
void draw_axis_range(const Ui& ui, const std::string& id, AxisDraft& axis) {
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

// What was read from a file is no longer that.
void PhaseDiagram::become_another() {
    draft_.title.clear();
    draft_.description.clear();
    settle();
}

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
                } catch (const std::runtime_error& error) {
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
    const auto found = std::find_if(offer_.scores.begin(), offer_.scores.end(),
                                    [this](const ScoreInfo& one) { return one.name == draft_.score; });
    const std::string shown = found != offer_.scores.end() ? found->label
                              : !draft_.score.empty()      ? draft_.score
                              : coming_scores_.active()    ? "…"
                                                           : "choose one";
    const bool open = ImGui::BeginCombo("##score", greek(shown).c_str(), ImGuiComboFlags_HeightLarge);
    log_item(ui, "phase score");
    if (!open) {
        if (found != offer_.scores.end()) explain_item(ui, found->help);
        return;
    }
    const auto choose = [this](const std::string& score) {
        draft_.score = score;
        become_another();
    };
    ImGui::SetNextItemWidth(-1.0F);
    if (ImGui::InputTextWithHint("##quantity", "another quantity of each seed", &typed_score_,
                                 ImGuiInputTextFlags_EnterReturnsTrue) &&
        !typed_score_.empty()) {
        choose(typed_score_);
        ImGui::CloseCurrentPopup();
    }
    log_item(ui, "phase quantity");
    explain_item(ui,
                 "For example: metric loss / metric loss first. Enter chooses it; cells are computed again for it. "
                 "The handbook's page on numbers of a run lists the words.");
    for (const ScoreInfo& score : offer_.scores) {
        const std::string entry = greek(score.label) + "##" + score.name;
        if (ImGui::Selectable(entry.c_str(), score.name == draft_.score)) choose(score.name);
        log_item(ui, ("phase score " + score.name).c_str());
        explain_item(ui, score.help);
    }
    ImGui::EndCombo();
}

// The first setting goes across, the second down, and of each other one the picture shows one value.
void PhaseDiagram::draw_axes(const Ui& ui) {
    draw_axis(ui, "x", "Across", draft_.x);
    draw_axis(ui, "y", "Down", draft_.y);
    for (size_t i = 0; i < draft_.more.size(); ++i) draw_axis(ui, fmt::format("more {}", i), "Also", draft_.more[i]);
    const size_t before = draft_.more.size();
    std::erase_if(draft_.more, [](const AxisDraft& axis) { return axis.field.empty(); });
    if (draft_.y.field.empty() && !draft_.more.empty()) {
        draft_.y = draft_.more.front();
        draft_.more.erase(draft_.more.begin());
    }
    if (draft_.more.size() != before) become_another();
    if (draft_.y.field.empty()) return;
    row_label(ui, "");
    if (draw_button(ui, "phase another", "Another setting", {}, "Adds an axis. The picture shows one of its values")) {
        if (const auto axis = another_axis(draft_)) {
            draft_.more.push_back(*axis);
            become_another();
        }
    }
}

// A field that is another axis already changes places with this one: the cells stay the same.
void PhaseDiagram::choose_field(AxisDraft& axis, const std::string& field) {
    std::vector<AxisDraft*> all = {&draft_.x, &draft_.y};
    for (AxisDraft& one : draft_.more) all.push_back(&one);
    for (AxisDraft* other : all)
        if (other->field == field && other != &axis && !axis.field.empty()) {
            std::swap(*other, axis);
            return;
        }
    axis = axis_around(draft_.settings, field);
}

// Which value of an axis beyond the second the picture shows.
void PhaseDiagram::draw_shown(const Ui& ui, const std::string& id, AxisDraft& axis) {
    if (!sweep_) return;
    const SweepAxis* of = sweep_->sweep.axis(axis.field);
    if (of == nullptr) return;
    row_label(ui, "shown");
    ImGui::SetNextItemWidth(-1.0F);
    const FieldInfo& field = sweep_->sweep.settings.info(axis.field);
    const FieldValue& now = of->values[static_cast<size_t>(of->shown)];
    const bool open = ImGui::BeginCombo("##shown", greek(value_in_words(field, now)).c_str());
    log_item(ui, (id + " shown").c_str());
    explain_item(ui, "The picture is the grid at this value. Choosing another computes nothing.");
    if (!open) return;
    for (const FieldValue& value : of->values) {
        if (ImGui::Selectable(greek(value_in_words(field, value)).c_str(), value == now)) axis.shown = to_text(value);
        log_item(ui, (id + " shown " + to_text(value)).c_str());
    }
    ImGui::EndCombo();
}

void PhaseDiagram::draw_axis(const Ui& ui, const std::string& name, const char* label, AxisDraft& axis) {
    ImGui::PushID(name.c_str());
    const std::string id = "phase " + name;
    const Settings& settings = draft_.settings;
    const AxisDraft before = axis;
    const bool optional = name != "x";
    constexpr const char* kNone = "no further setting";
    row_label(ui, label);
    ImGui::SetNextItemWidth(-1.0F);
    const std::string shown = axis.field.empty() ? kNone : greek_label(settings.info(axis.field));
    const bool open = ImGui::BeginCombo("##field", shown.c_str(), ImGuiComboFlags_HeightLarge);
    log_item(ui, id.c_str());
    if (open) {
        if (optional && ImGui::Selectable(kNone, axis.field.empty())) axis = {};
        for (const FieldInfo* field : axis_fields(settings)) {
            const std::string entry = greek_label(*field) + "##" + field->name;
            if (ImGui::Selectable(entry.c_str(), field->name == axis.field)) choose_field(axis, field->name);
            log_item(ui, (id + " " + field->name).c_str());
            explain_item(ui, help_in_words(*field));
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
        if (is_numeric(field)) {
            const AxisDraft range = axis;
            draw_axis_range(ui, id, axis);
            if (!(range == axis)) fill_from_range(settings, axis);
        }
        if (name.starts_with("more")) draw_shown(ui, id, axis);
    }
    ImGui::PopID();
    if (before == axis) return;
    if (before.field != axis.field) {  // more values of the same are the same diagram
        draft_.title.clear();
        draft_.description.clear();
    }
    if (!axis.field.empty() || !name.starts_with("more")) settle();  // draw_axes() removes an empty one
}

void PhaseDiagram::draw_effort(const Ui& ui, const Session& session) {
    row_label(ui, "Seeds");
    const int seeds = draw_stepper(ui, "phase seeds", fmt::format("{} per cell", draft_.seeds), kValue);
    if (seeds != 0) {
        draft_.seeds = std::clamp(draft_.seeds + seeds, 1, 1000);
        settle();
    }
    row_label(ui, "Threads");
    const int most = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 256);
    const int now = threads_ > 0 ? threads_ : session.threads();
    const int threads = draw_stepper(ui, "phase threads", fmt::format("{}", now), kValue);
    if (threads != 0) threads_ = std::clamp(now + threads, 1, most);
    if (ImGui::Checkbox("save each cell's weights", &draft_.weights)) settle();
    log_item(ui, "phase weights");
    explain_item(ui, "The last weights of its seeds, one file per cell, as a run leaves them.");
    ImGui::Checkbox("pause the run meanwhile", &pauses_);
    log_item(ui, "phase pause");
    explain_item(ui, "Cells are computed beside the run that is shown, with less right to the processor.");
}

}  // namespace emergence
