#include "app/gui/panels/experiment_chooser.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "core/experiments/registry.h"
#include "core/files/assets.h"

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
    opened_ = PresetInfo{preset, file.title.empty() ? preset : file.title, file.description,
                         session.info().name, ""};
    opened_settings_ = session.settings();
}

std::vector<ExperimentChooser::Group> ExperimentChooser::groups(const Session& session) const {
    std::vector<Group> groups;
    for (const PresetInfo& preset : presets_) {
        if (groups.empty() || groups.back().title != preset.group) groups.push_back({preset.group, {}});
        const bool on = preset.name == this->preset(session);
        groups.back().entries.push_back(
            {{preset.name, nullptr},
             preset.title,
             "preset " + preset.name,
             preset.title + " (preset " + preset.name + "). " + preset.description,
             on});
    }
    groups.push_back({"Experiments, as last set", {}});
    for (const ExperimentInfo& info : experiments())
        groups.back().entries.push_back({{"", &info},
                                         info.title,
                                         "experiment " + info.name,
                                         info.summary,
                                         info.name == session.info().name && this->preset(session).empty()});
    return groups;
}

std::optional<ChosenEntry> ExperimentChooser::draw_group(const Ui& ui, const Group& group, float width) {
    std::optional<ChosenEntry> chosen;
    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted(elided(ui.fonts.bold, group.title, width).c_str());
    ImGui::PopFont();
    for (const Entry& entry : group.entries) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::SetCursorScreenPos({at.x + ui.px(10), at.y});
        const float room = width - ui.px(10);
        const std::string label = elided(ImGui::GetFont(), entry.label, room) + "##" + entry.id;
        if (ImGui::Selectable(label.c_str(), entry.on, ImGuiSelectableFlags_None, {room, 0.0F}))
            chosen = entry.choice;
        log_item(ui, entry.id.c_str());
        explain_item(ui, entry.help);
    }
    return chosen;
}

// Groups in as many columns as it takes to see all of them at once.
std::optional<ChosenEntry> ExperimentChooser::draw_list(const Ui& ui, const Session& session) const {
    std::optional<ChosenEntry> chosen;
    const std::vector<Group> all = groups(session);
    const float line = ImGui::GetTextLineHeightWithSpacing();
    float rows = 0.0F;
    for (const Group& group : all) rows += static_cast<float>(group.entries.size() + 2);
    const float room = ImGui::GetIO().DisplaySize.y * 0.75F;
    const auto columns = std::max(1.0F, std::ceil(rows * line / room));
    const float width =
        std::min(ui.px(290), (ImGui::GetIO().DisplaySize.x - ui.px(40)) / columns - ui.px(20));
    float used = 0.0F;
    ImGui::BeginGroup();
    for (const Group& group : all) {
        const auto own = static_cast<float>(group.entries.size() + 2);
        if (used > 0.0F && used + own / 2 > rows / columns) {
            ImGui::EndGroup();
            ImGui::SameLine(0.0F, ui.px(20));
            ImGui::BeginGroup();
            used = 0.0F;
        }
        if (auto entry = draw_group(ui, group, width)) chosen = std::move(entry);
        ImGui::Dummy({0.0F, ui.px(4)});
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
    if (open && !open_) read_presets(session);
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

// Presets that cannot be read are reported and not listed.
void ExperimentChooser::read_presets(Session& session) {
    try {
        presets_ = presets_in(assets_folder());
    } catch (const std::runtime_error& error) {
        presets_.clear();
        session.report(error.what());
    }
    for (const PresetInfo& preset : presets_)
        if (!preset.problem.empty()) session.report(preset.problem);
    std::erase_if(presets_, [](const PresetInfo& preset) { return !preset.problem.empty(); });
}

}  // namespace emergence
