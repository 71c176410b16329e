#include "app/gui/dialogs/dialogs.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "app/gui/shell/preferences.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/setting_control.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/files/folders.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr float kOpenWidth = 560.0F;

// A run's or a sweep's folder is opened, not listed.
bool opens_as_folder(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "config.toml", ignored) || fs::exists(folder / "sweep.toml", ignored);
}

constexpr float kLabelWidth = 190.0F;
constexpr float kValueWidth = 150.0F;

// How a number is shown and how a press changes it, if not by 1.
struct Manner {
    const char* field;
    const char* id;  // in the log
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

// The new word, if another was chosen.
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
    const double value = as_number(now);
    const Manner plain = {"", field.name.c_str(), [](double number) { return fmt::format("{:g}", number); },
                          [](double number, int by) { return number + by; }};
    const auto* own = std::find_if(std::begin(kManners), std::end(kManners),
                                   [&](const Manner& one) { return one.field == field.name; });
    const Manner& manner = own == std::end(kManners) ? plain : *own;
    const int steps = draw_stepper(ui, manner.id, manner.text(value), kValueWidth);
    if (steps == 0) return std::nullopt;
    const double moved = std::clamp(manner.moved(value, steps), field.minimum, field.maximum);
    return std::holds_alternative<int64_t>(now) ? FieldValue(static_cast<int64_t>(moved)) : FieldValue(moved);
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
    : Sheet("open", Keys::own), jobs_(jobs), preferences_(preferences), desktop_(jobs) {}

void OpenDialog::open(const Session&) {
    show();
    focus_ = true;
    path_.clear();
    chosen_ = 0;
    const auto& recent = preferences_.recent;
    const fs::path last = recent.empty() ? fs::path() : fs::path(recent.front()).parent_path();
    if (!desktop_.available()) look_into(last.empty() ? home_folder().value_or("/") : last);
}

void OpenDialog::look_into(const fs::path& folder) {
    const auto list = [folder](const Jobs::Task&) {
        constexpr size_t kMost = 500;
        std::vector<Line> found = {{"↑ the folder above", "entry ..", folder.parent_path(), true}}, files;
        for (const fs::path& path : entries_in(folder)) {
            std::error_code ignored;
            const bool is_folder = fs::is_directory(path, ignored), opens = !is_folder || opens_as_folder(path);
            const std::string name = path.filename().string();
            (is_folder ? found : files).push_back({opens ? name : name + "/", "entry " + name, path, !opens});
        }
        found.insert(found.end(), files.begin(), files.end());
        if (found.size() > kMost) found.resize(kMost);
        return found;
    };
    jobs_.post(Lane::desktop_dialog, list, [this, folder](std::vector<Line> found) {
        folder_ = folder;
        entries_ = std::move(found);
        chosen_ = static_cast<int>(preferences_.recent.size());
    });
}

std::vector<OpenDialog::Line> OpenDialog::lines() const {
    std::vector<Line> all;
    for (size_t i = 0; i < preferences_.recent.size(); ++i)
        all.push_back({preferences_.recent[i], fmt::format("recent {}", i), preferences_.recent[i]});
    all.insert(all.end(), entries_.begin(), entries_.end());
    return all;
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

// The last files, then the entries of the folder.
void OpenDialog::draw_lines(const Ui& ui, const OpenAll& open_all, bool entered) {
    const std::vector<Line> all = lines();
    const int by = arrows_pressed();
    chosen_ = std::clamp(chosen_ + by, 0, std::max(0, static_cast<int>(all.size()) - 1));
    const Line* taken = entered && path_.empty() && !all.empty() ? &all[static_cast<size_t>(chosen_)] : nullptr;
    const float wide = ui.px(kOpenWidth), height = std::min(13.0F, static_cast<float>(all.size()) + 2.0F);
    ImGui::BeginChild("lines", {wide, height * ImGui::GetTextLineHeightWithSpacing()});
    for (size_t i = 0; i < all.size(); ++i) {
        if (i == 0 && !preferences_.recent.empty()) small_text(ui, ui.colors.muted, "Recent");
        if (i == preferences_.recent.size())
            small_text(ui, ui.colors.muted, elided(ui.fonts.small, folder_.string(), wide - ui.px(20)));
        const bool chosen = static_cast<int>(i) == chosen_;
        if (draw_choice(ui, all[i].widget, elided(ui.fonts.body, all[i].label, wide - ui.px(20)), chosen,
                        all[i].path.string()))
            taken = &all[i];
        if (chosen && by != 0) ImGui::SetScrollHereY();
    }
    ImGui::EndChild();
    if (taken == nullptr) return;
    if (taken->is_folder)
        look_into(taken->path);
    else
        open_all({taken->path});
    focus_ = taken->is_folder;
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
    draw_lines(ui, open_all, entered);
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
