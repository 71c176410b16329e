#include "app/gui/panels/experiment_chooser.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>

#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/assets.h"
#include "core/settings/toml.h"

namespace emergence {
namespace {

// A banner says what is wrong with a file or its settings; then the answer is false.
bool attempt(Session& session, const std::function<void()>& action) {
    try {
        action();
        return true;
    } catch (const InputError& error) {
        session.report(error.what());
    } catch (const IoError& error) {
        session.report(error.what());
    }
    return false;
}

// A live field that was moved changes how the preset's run is looked at, not which run it is.
bool same_run(const Settings& a, const Settings& b) {
    for (const FieldInfo& field : a.fields())
        if (field.applies == Applies::restart && !(a.value(field.name) == b.value(field.name))) return false;
    return true;
}

void load_experiment(const ExperimentInfo& info, Session& session, Preferences& preferences) {
    remember(preferences, session.info().name, session.settings());
    Settings settings(info.fields);
    recall(preferences, info.name, settings);
    attempt(session, [&] { session.load(info, settings); });
}

}  // namespace

bool ExperimentChooser::load_preset(const Preset& preset, Session& session) {
    return attempt(session, [&] {
        const SettingsFile file = read_settings(preset_path(assets_folder(), preset.name));
        const ExperimentInfo& info = find_experiment(file.experiment);
        Settings settings(info.fields);
        apply(file, settings);
        session.load(info, settings);
        chosen_ = preset;
        chosen_settings_ = std::move(settings);
    });
}

bool ExperimentChooser::open_preset(const std::string& name, Session& session) {
    SettingsFile file;
    return attempt(session, [&] { file = read_settings(preset_path(assets_folder(), name)); }) &&
           load_preset({name, file.title.empty() ? name : file.title, file.description, file.experiment},
                       session);
}

std::string ExperimentChooser::title(const Session& session) const {
    const bool open = chosen_ && chosen_->experiment == session.info().name &&
                      same_run(chosen_settings_, session.settings());
    return open ? chosen_->title : session.info().title;
}

void ExperimentChooser::was_opened_from(const SettingsFile& file, const Session& session) {
    if (file.title.empty()) return;
    chosen_ = Preset{"", file.title, file.description, session.info().name};
    chosen_settings_ = session.settings();
}

void ExperimentChooser::list_presets(Session& session) {
    presets_.clear();
    attempt(session, [this, &session] {
        const std::filesystem::path assets = assets_folder();
        for (const std::string& name : preset_names(assets))
            attempt(session, [&] {
                const SettingsFile file = read_settings(preset_path(assets, name));
                presets_.push_back(
                    {name, file.title.empty() ? name : file.title, file.description, file.experiment});
            });
    });
    std::sort(presets_.begin(), presets_.end(), [](const Preset& a, const Preset& b) {
        return strverscmp(a.name.c_str(), b.name.c_str()) < 0;
    });
}

void ExperimentChooser::draw_experiment(const Ui& ui, const ExperimentInfo& info, float width,
                                        Session& session, Preferences& preferences) {
    const auto entry = [&](const std::string& text, const std::string& id, float indent, bool chosen) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::SetCursorScreenPos({at.x + indent, at.y});
        const ImFont* font = ImGui::GetFont();
        const std::string label = elided(font, text, width - indent) + "##" + id;
        return ImGui::Selectable(label.c_str(), chosen, ImGuiSelectableFlags_None, {width - indent, 0.0F});
    };
    ImGui::PushFont(ui.fonts.bold);
    const bool present = info.name == session.info().name;
    if (entry(info.title, info.name, 0.0F, present) && !present) load_experiment(info, session, preferences);
    ImGui::PopFont();
    log_item(ui, ("experiment " + info.name).c_str());
    explain_item(ui, info.summary);
    for (const Preset& preset : presets_) {
        if (preset.experiment != info.name) continue;
        if (entry(preset.title, preset.name, ui.px(14), chosen_ && chosen_->name == preset.name && present))
            load_preset(preset, session);
        log_item(ui, ("preset " + preset.name).c_str());
        explain_item(ui, preset.title + " (preset " + preset.name + "). " + preset.description);
    }
}

// Each experiment with its presets below it, in as many columns as it takes to see all of them at once.
void ExperimentChooser::draw_list(const Ui& ui, Session& session, Preferences& preferences) {
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const auto rows = static_cast<float>(experiments().size() + presets_.size());
    const float room = ImGui::GetIO().DisplaySize.y * 0.75F;
    const auto columns = std::max(1.0F, std::ceil(rows * line / room));
    const float width =
        std::min(ui.px(310), (ImGui::GetIO().DisplaySize.x - ui.px(40)) / columns - ui.px(20));
    float used = 0.0F;
    ImGui::BeginGroup();
    for (const ExperimentInfo& info : experiments()) {
        const auto own =
            static_cast<float>(1 + std::count_if(presets_.begin(), presets_.end(), [&](const Preset& preset) {
                                   return preset.experiment == info.name;
                               }));
        if (used > 0.0F && used + own / 2 > rows / columns) {
            ImGui::EndGroup();
            ImGui::SameLine(0.0F, ui.px(20));
            ImGui::BeginGroup();
            used = 0.0F;
        }
        draw_experiment(ui, info, width, session, preferences);
        used += own;
    }
    ImGui::EndGroup();
}

void ExperimentChooser::draw(const Ui& ui, Session& session, Preferences& preferences, float width) {
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
    if (open && !open_) list_presets(session);
    open_ = open;
    if (!open) {
        log_item(ui, "experiment");
        const std::string named = title(session);
        const std::string preset =
            named == session.info().title || !chosen_ ? "" : named + ". " + chosen_->description + "\n";
        explain_item(ui, preset + session.info().summary + " Click for other experiments and presets.");
        return;
    }
    draw_list(ui, session, preferences);
    ImGui::EndCombo();
}

}  // namespace emergence
