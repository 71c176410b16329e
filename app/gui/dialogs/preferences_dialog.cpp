#include "app/gui/dialogs/preferences_dialog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

#include "app/gui/shell/preferences_file.h"
#include "app/gui/widgets/dialog.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/stepper.h"

namespace emergence {
namespace {

constexpr float kLabelWidth = 190.0F;
constexpr float kValueWidth = 150.0F;

void label(const Ui& ui, const char* text, const char* help) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text);
    explain_item(ui, help);
    ImGui::SameLine(ui.px(kLabelWidth));
}

void draw_theme(const Ui& ui, Look& look) {
    label(ui, "Theme", "Dark or light  (T)");
    int chosen = look.theme == Theme::dark ? 0 : 1;
    if (draw_segments(ui, "theme", {"dark", "light"}, chosen)) look.theme = chosen == 0 ? Theme::dark : Theme::light;
}

void draw_size(const Ui& ui, Look& look) {
    label(ui, "Type and controls",
          "100 % fits the window and the display's own scale  (Ctrl + +, Ctrl + −, Ctrl + 0). Never larger "
          "than "
          "the window has room for.");
    const int steps =
        draw_stepper(ui, "size", fmt::format("{:.0f} %", static_cast<double>(100 * look.ui_scale)), kValueWidth);
    if (steps != 0)
        look.ui_scale = std::clamp(std::round(10.0F * look.ui_scale + static_cast<float>(steps)) / 10.0F,
                                   kSmallestUiScale, kLargestUiScale);
}

void draw_threads(const Ui& ui, Preferences& preferences) {
    label(ui, "Threads that train",
          "Seeds are shared among them; the numbers are the same with any count. "
          "Automatic leaves one processor to the window.");
    const int most = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMostThreads);
    const int threads = preferences.threads;
    const std::string value =
        threads == 0 ? fmt::format("automatic ({})", threads_of(preferences)) : fmt::format("{}", threads);
    preferences.threads =
        std::clamp(threads + draw_stepper(ui, "threads", value, kValueWidth), 0, std::max(most, threads));
}

void draw_autosave(const Ui& ui, Preferences& preferences) {
    static constexpr int kIntervals[] = {0, 5, 10, 30, 60, 300, 900};
    label(ui, "Keep the run every",
          "So often the whole run is written into a folder of its own; after a crash the window offers to go "
          "on with it. Training does not wait for it. A run that is shorter leaves nothing.");
    const int seconds = preferences.autosave_seconds;
    const std::string value = seconds == 0   ? "never"
                              : seconds < 60 ? fmt::format("{} s", seconds)
                                             : fmt::format("{} min", seconds / 60);
    const int steps = draw_stepper(ui, "autosave", value, kValueWidth);
    const int* last = std::end(kIntervals) - 1;
    const int* at = std::min(std::lower_bound(std::begin(kIntervals), std::end(kIntervals), seconds), last);
    if (steps > 0) preferences.autosave_seconds = *(at == last || *at > seconds ? at : at + 1);
    if (steps < 0 && at != kIntervals) preferences.autosave_seconds = *(at - 1);
}

void draw_layout(const Ui& ui, Preferences& preferences) {
    label(ui, "Borders between panels", "They can be dragged; a double click puts one back.");
    ImGui::BeginDisabled(preferences.splits == Splits());
    if (draw_button(ui, "reset borders", "Put all back", {ui.px(226), 0.0F}, "")) preferences.splits = Splits();
    ImGui::EndDisabled();
}

}  // namespace

void PreferencesDialog::draw(const Context& context) {
    if (!open_) return;
    const Ui& ui = context.ui;
    Preferences& preferences = preferences_;
    const int threads = preferences.threads;
    const Dialog dialog(ui, "preferences", 470);
    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted("Preferences");
    ImGui::PopFont();
    ImGui::Dummy({0.0F, ui.px(4)});
    draw_theme(ui, preferences.look);
    draw_size(ui, preferences.look);
    draw_threads(ui, preferences);
    draw_autosave(ui, preferences);
    draw_layout(ui, preferences);
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
        const Preferences standard;
        preferences.look = standard.look;
        preferences.splits = standard.splits;
        preferences.threads = standard.threads;
        preferences.autosave_seconds = standard.autosave_seconds;
    }
    if (preferences.threads != threads) context.asks(ask::Threads{threads_of(preferences)});
}

}  // namespace emergence
