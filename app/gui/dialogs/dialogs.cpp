#include "app/gui/dialogs/dialogs.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/shell/preferences.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/field_words.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/setting_control.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/files/folders.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr float kOpenWidth = 560.0F;
constexpr float kLabelWidth = 190.0F;
constexpr float kValueWidth = 150.0F;

// The new word, if another was chosen.
std::optional<FieldValue> draw_words(const Ui& ui, const FieldInfo& field, const FieldValue& now) {
    std::vector<const char*> labels;
    for (const std::string& word : field.choices) labels.push_back(word.c_str());
    const auto place = std::find(field.choices.begin(), field.choices.end(), to_text(now));
    int chosen = static_cast<int>(place - field.choices.begin());
    if (!draw_segments(ui, field.name.c_str(), labels, chosen)) return std::nullopt;
    return field.choices[static_cast<size_t>(chosen)];
}

std::optional<FieldValue> draw_number(const Ui& ui, const FieldInfo& field, const FieldValue& now) {
    constexpr int kStepsOfADecimal = 5;  // so that a press changes the size by a tenth
    const std::string unit = field.unit.empty() ? "" : " " + field.unit;
    const int presses = draw_stepper(ui, field.name, shown_value(now) + unit, kValueWidth);
    if (presses == 0) return std::nullopt;
    return stepped(field, now, std::holds_alternative<double>(now) ? kStepsOfADecimal * presses : presses);
}

void draw_label(const Ui& ui, const std::string& text, const std::string& help) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text.c_str());
    explain_item(ui, help);
    ImGui::SameLine(ui.px(kLabelWidth));
}

// A row for each preference that has a label.
void draw_values(const Ui& ui, Settings& values) {
    for (const FieldInfo& field : values.fields()) {
        if (field.label.empty()) continue;
        draw_label(ui, field.label, field.help);
        const FieldValue& now = values.value(field.name);
        if (const auto chosen = is_numeric(now) ? draw_number(ui, field, now) : draw_words(ui, field, now))
            values.set(field.name, *chosen);
    }
}

}  // namespace

OpenDialog::OpenDialog(Jobs& jobs, const Preferences& preferences)
    : Sheet("open", Keys::own), preferences_(preferences), desktop_(jobs) {}

void OpenDialog::open(const Session&) {
    show();
    focus_ = true;
    path_.clear();
    chosen_ = 0;
}

void OpenDialog::draw_buttons(const Context& context, const OpenAll& open_all) {
    const Ui& ui = context.ui;
    const ImVec2 size(ui.px(130), 0.0F);
    if (draw_button(ui, "open go", "Open", size, "Enter", true, !path_.empty())) open_all({typed_path(path_)});
    ImGui::SameLine();
    if (desktop_.available()) {
        const bool free = !desktop_.is_open();
        if (draw_button(ui, "open files", "Choose files…", size, "The desktop's dialog", false, free))
            desktop_.open(false, open_all);
        ImGui::SameLine();
        if (draw_button(ui, "open folder", "Choose folder…", size, "A run, a sweep or a run of the published code",
                        false, free))
            desktop_.open(true, open_all);
        ImGui::SameLine();
    }
    if (draw_button(ui, "open close", "Cancel", {ui.px(90), 0.0F}, "Esc")) close();
}

void OpenDialog::draw_recent(const Ui& ui, const OpenAll& open_all, bool entered) {
    const std::vector<std::string>& recent = preferences_.recent;
    if (recent.empty()) return;
    chosen_ = std::clamp(chosen_ + arrows_pressed(), 0, static_cast<int>(recent.size()) - 1);
    const std::string* taken = entered && path_.empty() ? &recent[static_cast<size_t>(chosen_)] : nullptr;
    small_text(ui, ui.colors.muted, "Recent");
    for (size_t i = 0; i < recent.size(); ++i)
        if (draw_choice(ui, fmt::format("recent {}", i), elided(ui.fonts.body, recent[i], ui.px(kOpenWidth - 20)),
                        static_cast<int>(i) == chosen_, recent[i]))
            taken = &recent[i];
    if (taken != nullptr) open_all({*taken});
}

void OpenDialog::draw(const Context& context) {
    if (!open_) return;
    const auto& [ui, session, asks] = context;
    const auto open_all = [this, &out = asks](std::vector<fs::path> paths) {
        out(ask::Open{std::move(paths)});
        close();
    };
    const Dialog dialog(ui, "open", kOpenWidth);
    heading_text(ui, "Open");
    if (std::exchange(focus_, false)) ImGui::SetKeyboardFocusHere();
    const bool entered =
        draw_text_field(ui, "open path", "path of a figure, config, run, lesson, sweep, world or weights", path_,
                        ui.px(kOpenWidth), "", ImGuiInputTextFlags_EnterReturnsTrue);
    if (entered && !path_.empty()) return open_all({typed_path(path_)});
    if (key_pressed(ImGuiKey_Escape)) return close();  // also while a path is typed
    draw_buttons(context, open_all);
    draw_recent(ui, open_all, entered);
}

void PreferencesDialog::draw(const Context& context) {
    if (!open_) return;
    const Ui& ui = context.ui;
    const int threads = preferences_.threads;
    const Dialog dialog(ui, "preferences", 470);
    heading_text(ui, "Preferences");
    ImGui::Dummy({0.0F, ui.px(4)});
    Settings values = values_of(preferences_);
    draw_values(ui, values);
    take_values(preferences_, values);
    ImGui::Dummy({0.0F, ui.px(4)});
    ImGui::PushFont(ui.fonts.small);
    const auto folder = preferences_folder();
    ImGui::TextDisabled("%s", folder ? ("Saved in " + (*folder / "preferences.toml").string()).c_str()
                                     : "Not saved: there is no home folder.");
    ImGui::PopFont();
    ImGui::Dummy({0.0F, ui.px(4)});
    if (draw_button(ui, "close preferences", "Close", {ui.px(110), 0.0F}, "Esc", true)) close();
    ImGui::SameLine();
    if (draw_button(ui, "reset preferences", "Reset all", {ui.px(110), 0.0F},
                    "Sets everything in this dialog to its default")) {
        for (const FieldInfo& field : values.fields())
            if (!field.label.empty()) values.set(field.name, field.default_value);
        take_values(preferences_, values);
        preferences_.splits = {};
    }
    if (preferences_.threads != threads) context.asks(ask::Threads{threads_of(preferences_)});
}

}  // namespace emergence
