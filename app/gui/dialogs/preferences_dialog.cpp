#include "app/gui/dialogs/preferences_dialog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/gui/shell/preferences.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {
namespace {

constexpr float kLabelWidth = 190.0F;
constexpr float kValueWidth = 150.0F;

// How a number is shown and what a press makes of it, where that is not the number itself and one more.
struct Manner {
    const char* field;
    const char* id;  // as it is logged
    std::string (*text)(double value);
    double (*moved)(double value, int steps);
};

std::string threads_text(double threads) {
    return threads == 0.0 ? fmt::format("automatic ({})", threads_of(Preferences())) : fmt::format("{:.0f}", threads);
}

double threads_moved(double threads, int steps) {
    const double most = std::max(1.0, static_cast<double>(std::thread::hardware_concurrency()));
    return std::min(threads + steps, std::max(most, threads));
}

std::string interval_text(double seconds) {
    return seconds == 0.0   ? "never"
           : seconds < 60.0 ? fmt::format("{:.0f} s", seconds)
                            : fmt::format("{:.0f} min", std::floor(seconds / 60.0));
}

double interval_moved(double seconds, int steps) {
    static constexpr double kIntervals[] = {0, 5, 10, 30, 60, 300, 900};
    const double* last = std::end(kIntervals) - 1;
    const double* at = std::min(std::lower_bound(std::begin(kIntervals), std::end(kIntervals), seconds), last);
    if (steps > 0) return *(at == last || *at > seconds ? at : at + 1);
    return steps < 0 && at != kIntervals ? *(at - 1) : seconds;
}

constexpr Manner kManners[] = {
    {"ui_scale", "size", [](double scale) { return fmt::format("{:.0f} %", 100.0 * scale); },
     [](double scale, int steps) { return std::round(10.0 * scale + steps) / 10.0; }},
    {"threads", "threads", threads_text, threads_moved},
    {"autosave", "autosave", interval_text, interval_moved},
};

// The word that was chosen, if another.
std::optional<FieldValue> draw_words(const Ui& ui, const FieldInfo& field, const FieldValue& now) {
    const bool is_flag = std::holds_alternative<bool>(now);
    const std::vector<std::string> words = is_flag ? std::vector<std::string>{"false", "true"} : field.choices;
    std::vector<const char*> labels;
    for (const std::string& word : words) labels.push_back(is_flag ? (word == "true" ? "on" : "off") : word.c_str());
    int chosen = static_cast<int>(std::find(words.begin(), words.end(), to_text(now)) - words.begin());
    if (!draw_segments(ui, field.name.c_str(), labels, chosen)) return std::nullopt;
    return parse_value(field, words[static_cast<size_t>(chosen)]);
}

std::optional<FieldValue> draw_number(const Ui& ui, const FieldInfo& field, const FieldValue& now) {
    const auto* whole = std::get_if<int64_t>(&now);
    const double value = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(now);
    const Manner plain = {"", field.name.c_str(), [](double number) { return fmt::format("{:g}", number); },
                          [](double number, int by) { return number + by; }};
    const auto* own = std::find_if(std::begin(kManners), std::end(kManners),
                                   [&](const Manner& one) { return one.field == field.name; });
    const Manner& manner = own == std::end(kManners) ? plain : *own;
    const int steps = draw_stepper(ui, manner.id, manner.text(value), kValueWidth);
    if (steps == 0) return std::nullopt;
    const double moved = std::clamp(manner.moved(value, steps), field.minimum, field.maximum);
    return whole != nullptr ? FieldValue(static_cast<int64_t>(moved)) : FieldValue(moved);
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
        const bool number = std::holds_alternative<int64_t>(now) || std::holds_alternative<double>(now);
        if (const auto chosen = number ? draw_number(ui, field, now) : draw_words(ui, field, now))
            values.set(field.name, *chosen);
    }
}

void draw_layout(const Ui& ui, Preferences& preferences) {
    draw_label(ui, "Borders between panels", "They can be dragged; a double click puts one back.");
    ImGui::BeginDisabled(preferences.splits == Splits());
    if (draw_button(ui, "reset borders", "Put all back", {ui.px(226), 0.0F}, "")) preferences.splits = Splits();
    ImGui::EndDisabled();
}

}  // namespace

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
    draw_layout(ui, preferences_);
    ImGui::Dummy({0.0F, ui.px(4)});
    ImGui::PushFont(ui.fonts.small);
    const auto folder = preferences_folder();
    ImGui::TextDisabled("%s", folder ? ("Kept in " + (*folder / "preferences.toml").string()).c_str()
                                     : "There is no home folder to keep them in.");
    ImGui::PopFont();
    ImGui::Dummy({0.0F, ui.px(4)});
    if (draw_button(ui, "close preferences", "Close", {ui.px(110), 0.0F}, "Ctrl + , or Esc", true)) close();
    ImGui::SameLine();
    if (draw_button(ui, "reset preferences", "Reset all", {ui.px(110), 0.0F},
                    "Everything in this dialog as it was at the first start.")) {
        for (const FieldInfo& field : values.fields())
            if (!field.label.empty()) values.set(field.name, field.default_value);
        take_values(preferences_, values);
        preferences_.splits = {};
    }
    if (preferences_.threads != threads) context.asks(ask::Threads{threads_of(preferences_)});
}

}  // namespace emergence
