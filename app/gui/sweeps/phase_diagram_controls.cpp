// The sheet's left side, where a sweep is put together.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "app/gui/sweeps/phase_diagram.h"
#include "app/gui/sweeps/sweep_worker.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/field_words.h"
#include "app/gui/widgets/setting_control.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/error.h"
#include "core/base/ranges.h"

namespace emergence {
namespace {

constexpr float kLabel = 74.0F;
constexpr float kValue = 66.0F;

std::string greek_label(const FieldInfo& field) { return greek(field.label.empty() ? field.name : field.label); }

std::string name_of_axis(size_t index) {
    return index == 0 ? "phase x" : index == 1 ? "phase y" : fmt::format("phase more {}", index - 2);
}

}  // namespace

// A changed sweep loses the title and description of its file.
void PhaseDiagram::become_another() {
    draft_.title.clear();
    draft_.description.clear();
    settle();
}

void PhaseDiagram::draw_source(const Ui& ui, const Session& session) {
    draw_caption(ui, "Diagram", kLabel);
    if (!begin_choices(ui, "phase source", greek(sweep_ ? sweep_->sweep.title : draft_.title), -1.0F)) return;
    if (draw_choice(ui, "phase new", "New, around the present run", false)) begin_around(session);
    const auto list = [&](const char* heading, const auto files, const char* id) {  // opening one lists them again
        if (!files.empty()) ImGui::TextDisabled("%s", heading);
        int index = 0;
        for (const auto& [name, file] : files)
            if (draw_choice(ui, fmt::format("phase {} {}", id, index++), greek(name), file == folder_, file.string()))
                try {
                    open_sweep(file);
                } catch (const std::runtime_error& error) {
                    problem_ = error.what();
                }
    };
    list("Presets", presets_, "preset");
    list("Computed before", results_, "result");
    ImGui::EndCombo();
}

void PhaseDiagram::draw_score(const Ui& ui) {
    draw_caption(ui, "Score", kLabel);
    const auto found = find_if(offer_.scores, [this](const ScoreInfo& one) { return one.name == draft_.score; });
    const bool known = found != offer_.scores.end();
    const std::string shown = known                     ? found->label
                              : !draft_.score.empty()   ? draft_.score
                              : coming_scores_.active() ? "…"
                                                        : "choose one";
    if (!begin_choices(ui, "phase score", greek(shown), -1.0F, known ? found->help : "")) return;
    for (const ScoreInfo& score : offer_.scores)
        if (draw_choice(ui, "phase score " + score.name, greek(score.label), score.name == draft_.score, score.help)) {
            draft_.score = score.name;
            become_another();
        }
    ImGui::EndCombo();
}

// The first setting goes across, the second down. Of every further one the picture shows one value.
void PhaseDiagram::draw_axes(const Ui& ui) {
    const std::vector<AxisDraft>& axes = draft_.typed;
    std::optional<std::pair<size_t, AxisDraft>> changed;
    for (size_t i = 0; i < std::max<size_t>(2, axes.size()); ++i) {
        const AxisDraft before = i < axes.size() ? axes[i] : AxisDraft(), after = draw_axis(ui, i, before);
        if (!(after == before)) changed = {i, after};
    }
    if (axes.size() > 1) {
        draw_caption(ui, "", kLabel);
        if (draw_button(ui, "phase another", "Another setting", {},
                        "Adds an axis. The picture shows one of its values"))
            if (const auto axis = another_axis(draft_)) changed = {axes.size(), *axis};
    }
    if (changed) replace_axis(changed->first, changed->second);
}

// A field that is another axis already swaps places with this one, so the cells stay the same.
void PhaseDiagram::replace_axis(size_t index, const AxisDraft& axis) {
    std::vector<AxisDraft>& axes = draft_.typed;
    const AxisDraft before = index < axes.size() ? axes[index] : AxisDraft();
    if (axis.field.empty()) {
        axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(index));
    } else {
        axes.resize(std::max(axes.size(), index + 1));
        for (AxisDraft& other : axes)
            if (other.field == axis.field && !before.field.empty()) other = before;
        axes[index] = axis;
    }
    if (axis.field == before.field)  // more values of the same field belong to the same sweep
        settle();
    else
        become_another();
}

// Chooses the value of a further axis that the picture shows.
void PhaseDiagram::draw_shown(const Ui& ui, const std::string& id, AxisDraft& axis) {
    const SweepAxis* of = sweep_ ? sweep_->sweep.axis(axis.field) : nullptr;
    if (of == nullptr) return;
    draw_caption(ui, "shown", kLabel);
    const FieldInfo& field = sweep_->sweep.settings.info(axis.field);
    const FieldValue& now = of->values[of->shown];
    if (!begin_choices(ui, id + " shown", greek(value_in_words(field, now)), -1.0F,
                       "The picture is the grid at this value. Choosing another computes nothing."))
        return;
    for (const FieldValue& value : of->values)
        if (draw_choice(ui, id + " shown " + to_text(value), greek(value_in_words(field, value)), value == now))
            axis.shown = to_text(value);
    ImGui::EndCombo();
}

AxisDraft PhaseDiagram::draw_axis(const Ui& ui, size_t index, AxisDraft axis) {
    const std::string id = name_of_axis(index);
    const Settings& settings = draft_.settings;
    constexpr const char* kNone = "no further setting";
    draw_caption(ui, index == 0 ? "Across" : index == 1 ? "Down" : "Also", kLabel);
    const AxisDraft before = axis;
    if (begin_choices(ui, id, before.field.empty() ? kNone : greek_label(settings.info(before.field)), -1.0F)) {
        if (index > 0 && ImGui::Selectable(kNone, before.field.empty())) axis = {};
        for (const FieldInfo* field : axis_fields(settings)) {
            if (!draw_choice(ui, id + " " + field->name, greek_label(*field), field->name == before.field,
                             help_in_words(*field)))
                continue;
            axis = axis_around(settings, field->name);
            for (const AxisDraft& other : draft_.typed)
                if (other.field == field->name && !before.field.empty()) axis = other;
        }
        ImGui::EndCombo();
    }
    if (axis.field.empty()) return axis;
    const FieldInfo& field = settings.info(axis.field);
    draw_caption(ui, "values", kLabel);
    draw_text_field(ui, id + " values", "", axis.values, -1.0F,
                    fmt::format("With commas between them: {}.{}", allowed_text(field),
                                is_numeric(field) ? "\nOr a range, FROM:TO:COUNT; :log behind it is in equal ratios, "
                                                    ":linear even."
                                                  : ""));
    if (index > 1) draw_shown(ui, id, axis);
    return axis;
}

void PhaseDiagram::draw_seeds(const Ui& ui) {
    draw_caption(ui, "Seeds", kLabel);
    const int seeds = draw_stepper(ui, "phase seeds", fmt::format("{} per cell", draft_.seeds), kValue);
    if (seeds == 0) return;
    draft_.seeds = std::clamp(draft_.seeds + seeds, 1, 1000);
    settle();
}

}  // namespace emergence
