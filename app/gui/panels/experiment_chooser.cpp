#include "app/gui/panels/experiment_chooser.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "app/gui/commands/palette.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/lessons/lesson.h"

namespace emergence {
bool ExperimentChooser::is_open(const Session& session) const {
    return opened_ && opened_->experiment == session.info().name &&
           same_but_for_live_fields(opened_settings_, session.settings());
}

std::string ExperimentChooser::title(const Session& session) const {
    return is_open(session) ? opened_->title : session.info().title;
}

std::string ExperimentChooser::says(const Session& session) const {
    if (!is_open(session)) return session.info().summary;
    if (says_.empty() || !session.snapshot()) return opened_->description;
    const LessonFacts now{session.snapshot(), nullptr};
    const LessonView view{&now};
    const bool over = now.snapshot->status.state == RunState::finished;
    const size_t phase = over ? 2 : value_of(parse_lesson_quantity("emerged"), view) > 0.0 ? 1 : 0;
    return filled_text(says_[std::min(phase, says_.size() - 1)], view);
}

std::string ExperimentChooser::preset(const Session& session) const { return is_open(session) ? opened_->name : ""; }

std::string ExperimentChooser::last_preset(const Session& session) const {
    return opened_ && opened_->experiment == session.info().name ? opened_->name : "";
}

void ExperimentChooser::was_opened_from(const SettingsFile& file, const Session& session, const std::string& preset) {
    opened_.reset();
    if (file.title.empty() && preset.empty()) return;
    opened_ = PresetInfo{preset, file.title.empty() ? preset : file.title, file.description, session.info().name, ""};
    opened_settings_ = session.settings();
    says_.clear();
    if (!file.view) return;
    if (const auto says = file.view->find("says"); says != file.view->end())
        if (const auto* texts = std::get_if<std::vector<std::string>>(&says->second)) says_ = *texts;
}

std::vector<ExperimentChooser::Group> ExperimentChooser::groups(const Session& session) const {
    std::vector<Group> groups;
    for (const PresetInfo& preset : presets_) {
        if (groups.empty() || groups.back().title != preset.group) groups.push_back({preset.group, {}});
        const bool on = preset.name == this->preset(session);
        groups.back().entries.push_back({ask::OpenPreset{preset.name, ""}, preset.title, "preset " + preset.name,
                                         preset.title + " (preset " + preset.name + "). " + preset.description,
                                         preset.description, on});
    }
    groups.push_back({"Experiments, as last set", {}});
    for (const ExperimentInfo& info : experiments())
        groups.back().entries.push_back({ask::OpenExperiment{&info}, info.title, "experiment " + info.name,
                                         info.summary, info.summary,
                                         info.name == session.info().name && this->preset(session).empty()});
    return groups;
}

// The entries of the group, or those of all groups with the words of the search, the best first.
std::vector<const ExperimentChooser::Entry*> ExperimentChooser::rows(const std::vector<Group>& all) const {
    std::vector<const Entry*> entries;
    std::vector<PaletteEntry> words;
    for (const Group& group : all)
        for (const Entry& entry : group.entries) {
            if (query_.empty() && &group != &all[*group_]) continue;
            entries.push_back(&entry);
            words.push_back({group.title, entry.label, entry.help});
        }
    std::vector<const Entry*> found;
    for (const size_t i : ranked(words, query_)) found.push_back(entries[i]);
    return found;
}

bool ExperimentChooser::draw_rows(const Context& context, const std::vector<const Entry*>& rows) {
    const Ui& ui = context.ui;
    const int by = arrows_pressed();
    const int count = static_cast<int>(rows.size());
    if (by != 0) chosen_ = std::clamp(chosen_ + by, 0, std::max(0, count - 1));
    if (rows.empty()) small_text(ui, ui.colors.muted, "No preset or experiment has these words.");
    bool taken = false;
    for (int i = 0; i < count; ++i) {
        const Entry& entry = *rows[static_cast<size_t>(i)];
        const std::vector<EntryText> texts = {{ui.fonts.body, ui.colors.text, entry.label},
                                              {ui.fonts.small, ui.colors.muted, entry.about, 0.0F, 99}};
        if (draw_entry(ui, entry.id, texts, chosen_ < 0 ? entry.on : i == chosen_)) {
            context.asks(entry.opens);
            taken = true;
        }
        if (by != 0 && i == chosen_) ImGui::SetScrollHereY();
    }
    if (!enter_pressed() || ImGui::GetIO().KeyCtrl) return taken;  // Ctrl + Enter presses the control with the ring
    focus_ = true;                                                 // Enter took the keys from the search
    if (taken || chosen_ < 0 || chosen_ >= count) return taken;
    context.asks(rows[static_cast<size_t>(chosen_)]->opens);
    return true;
}

// The groups at the left, the entries of one at the right.
void ExperimentChooser::draw_list(const Context& context) {
    const auto& [ui, session, asks] = context;
    const std::vector<Group> all = groups(session);
    const auto is_on = [](const Entry& entry) { return entry.on; };
    if (!group_) {
        group_ = 0;
        for (size_t i = all.size(); i-- > 0;)
            if (std::any_of(all[i].entries.begin(), all[i].entries.end(), is_on)) group_ = i;
    }
    group_ = std::min(*group_, all.size() - 1);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float left = ui.px(300), right = std::min(ui.px(520), display.x - left - ui.px(60));
    const float height = std::min(ui.px(620), display.y * 0.75F);
    ImGui::BeginChild("groups", {left, height});
    if (std::exchange(focus_, false)) ImGui::SetKeyboardFocusHere();
    if (draw_text_field(ui, "search presets", "search", query_, left - ui.px(8))) chosen_ = query_.empty() ? -1 : 0;
    ImGui::Dummy({0.0F, ui.px(4)});
    for (size_t i = 0; i < all.size(); ++i) {
        const std::string label = fmt::format("{}  ({})##group {}", all[i].title, all[i].entries.size(), i);
        if (ImGui::Selectable(label.c_str(), query_.empty() && i == *group_, ImGuiSelectableFlags_DontClosePopups,
                              {left - ui.px(8), 0.0F})) {
            group_ = i;
            query_.clear();
            chosen_ = -1;
            focus_ = true;
        }
        log_item(ui, "group " + all[i].title);
    }
    ImGui::EndChild();
    ImGui::SameLine(0.0F, ui.px(12));
    ImGui::BeginChild("entries", {right, height});
    if (query_.empty()) heading_text(ui, all[*group_].title.c_str());
    const bool chosen = draw_rows(context, rows(all));
    ImGui::EndChild();
    // Entries inside a child window do not close the list by themselves.
    if (chosen) ImGui::CloseCurrentPopup();
}

void ExperimentChooser::draw(const Context& context, float width) {
    const auto& [ui, session, asks] = context;
    // The title is drawn afterwards: a font that is pushed before the list opens cannot be popped inside it.
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float side = ImGui::GetFrameHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float indent = ImGui::GetStyle().FramePadding.x;
    ImGui::SetNextItemWidth(width);
    const bool open = ImGui::BeginCombo("##experiment", "", ImGuiComboFlags_HeightLargest);
    // A long title is smaller and on two lines before its last part is cut.
    const float room = width - side - 2 * indent;
    Heading heading = heading_in(ui, title(session), room);
    if (heading.lines.size() > 2) heading = heading_in(ui, whole_parts(ui.fonts.small, title(session), room), room);
    const float high = static_cast<float>(heading.lines.size()) * heading.font->FontSize;
    draw_lines(list, heading.font, {at.x + indent, std::round(at.y + (side - high) / 2)}, ui.colors.text,
               heading.lines);
    if (open && !open_) {
        read_presets(asks);
        group_.reset();
        query_.clear();
        chosen_ = -1;
        focus_ = true;
    }
    open_ = open;
    if (!open) {
        log_item(ui, "experiment");
        const std::string named = title(session);
        const std::string preset =
            named == session.info().title || !opened_ ? "" : named + ". " + opened_->description + "\n";
        explain_item(ui, preset + session.info().summary + " Click for other experiments and presets.");
        return;
    }
    draw_list(context);
    ImGui::EndCombo();
}

// Presets that cannot be read become messages.
void ExperimentChooser::read_presets(Asks& asks) {
    try {
        presets_ = presets_in(assets_folder());
    } catch (const std::runtime_error& error) {
        presets_.clear();
        asks(ask::Report{error.what()});
    }
    for (const PresetInfo& preset : presets_)
        if (!preset.problem.empty()) asks(ask::Report{preset.problem});
    std::erase_if(presets_, [](const PresetInfo& preset) { return !preset.problem.empty(); });
}

}  // namespace emergence
