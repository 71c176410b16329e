#include "app/gui/panels/experiment_chooser.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "core/experiments/registry.h"

namespace emergence {
namespace {

// A live field that was moved changes how the preset's run is looked at, not which run it is.
bool same_run(const Settings& a, const Settings& b) {
    for (const FieldInfo& field : a.fields())
        if (field.applies == Applies::restart && !(a.value(field.name) == b.value(field.name))) return false;
    return true;
}

}  // namespace

bool ExperimentChooser::is_open(const Session& session) const {
    return opened_ && opened_->experiment == session.info().name &&
           same_run(opened_settings_, session.settings());
}

std::string ExperimentChooser::title(const Session& session) const {
    return is_open(session) ? opened_->title : session.info().title;
}

std::string ExperimentChooser::preset(const Session& session) const {
    return is_open(session) ? opened_->name : "";
}

void ExperimentChooser::was_opened_from(const SettingsFile& file, const Session& session,
                                        const std::string& preset) {
    opened_.reset();
    if (file.title.empty() && preset.empty()) return;
    opened_ =
        PresetInfo{preset, file.title.empty() ? preset : file.title, file.description, session.info().name};
    opened_settings_ = session.settings();
}

std::optional<ChosenEntry> ExperimentChooser::draw_experiment(const Ui& ui, const ExperimentInfo& info,
                                                              float width, const Session& session) const {
    std::optional<ChosenEntry> chosen;
    const auto entry = [&](const std::string& text, const std::string& id, float indent, bool on) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::SetCursorScreenPos({at.x + indent, at.y});
        const ImFont* font = ImGui::GetFont();
        const std::string label = elided(font, text, width - indent) + "##" + id;
        return ImGui::Selectable(label.c_str(), on, ImGuiSelectableFlags_None, {width - indent, 0.0F});
    };
    ImGui::PushFont(ui.fonts.bold);
    const bool present = info.name == session.info().name;
    if (entry(info.title, info.name, 0.0F, present) && !present) chosen = ChosenEntry{"", &info};
    ImGui::PopFont();
    log_item(ui, ("experiment " + info.name).c_str());
    explain_item(ui, info.summary);
    for (const PresetInfo& preset : presets_) {
        if (preset.experiment != info.name) continue;
        if (entry(preset.title, preset.name, ui.px(14), opened_ && opened_->name == preset.name && present))
            chosen = ChosenEntry{preset.name, nullptr};
        log_item(ui, ("preset " + preset.name).c_str());
        explain_item(ui, preset.title + " (preset " + preset.name + "). " + preset.description);
    }
    return chosen;
}

// Each experiment with its presets below it, in as many columns as it takes to see all of them at once.
std::optional<ChosenEntry> ExperimentChooser::draw_list(const Ui& ui, const Session& session) const {
    std::optional<ChosenEntry> chosen;
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const auto rows = static_cast<float>(experiments().size() + presets_.size());
    const float room = ImGui::GetIO().DisplaySize.y * 0.75F;
    const auto columns = std::max(1.0F, std::ceil(rows * line / room));
    const float width =
        std::min(ui.px(310), (ImGui::GetIO().DisplaySize.x - ui.px(40)) / columns - ui.px(20));
    float used = 0.0F;
    ImGui::BeginGroup();
    for (const ExperimentInfo& info : experiments()) {
        const auto own = static_cast<float>(
            1 + std::count_if(presets_.begin(), presets_.end(),
                              [&](const PresetInfo& preset) { return preset.experiment == info.name; }));
        if (used > 0.0F && used + own / 2 > rows / columns) {
            ImGui::EndGroup();
            ImGui::SameLine(0.0F, ui.px(20));
            ImGui::BeginGroup();
            used = 0.0F;
        }
        if (auto entry = draw_experiment(ui, info, width, session)) chosen = std::move(entry);
        used += own;
    }
    ImGui::EndGroup();
    return chosen;
}

std::optional<ChosenEntry> ExperimentChooser::draw(const Ui& ui, Session& session, float width) {
    // The title is drawn afterwards: a font pushed before the list opens could not be taken back inside it.
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float side = ImGui::GetFrameHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float indent = ImGui::GetStyle().FramePadding.x;
    ImGui::SetNextItemWidth(width);
    const bool open = ImGui::BeginCombo("##experiment", "", ImGuiComboFlags_HeightLargest);
    // A long title is set smaller before anything of it is left out.
    const float room = width - side - 2 * indent;
    const bool fits = text_size(ui.fonts.bold, title(session)).x <= room;
    const ImFont* font = fits ? ui.fonts.bold : ui.fonts.small;
    draw_text_placed(list, font, {at.x + indent, at.y + side / 2}, Placed::start, Placed::middle,
                     ui.colors.text, elided(font, title(session), room));
    if (open && !open_) {
        PresetList found = list_presets();
        presets_ = std::move(found.presets);
        for (const std::string& trouble : found.troubles) session.report(trouble);
    }
    open_ = open;
    if (!open) {
        log_item(ui, "experiment");
        const std::string named = title(session);
        const std::string preset =
            named == session.info().title || !opened_ ? "" : named + ". " + opened_->description + "\n";
        explain_item(ui, preset + session.info().summary + " Click for other experiments and presets.");
        return std::nullopt;
    }
    std::optional<ChosenEntry> chosen = draw_list(ui, session);
    ImGui::EndCombo();
    return chosen;
}

}  // namespace emergence
