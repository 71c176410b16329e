#include "app/gui/commands/palette.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <numeric>
#include <sstream>
#include <utility>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "core/base/text.h"

namespace emergence {
namespace {

constexpr float kPaletteWidth = 640.0F;
constexpr float kPaletteHeight = 380.0F;
constexpr int kPageOfLines = 10;
constexpr int kPageBehind = 60;
constexpr int kNamed = 300;  // so "lesson" lists lessons before the command "Lesson from here"

std::vector<std::string> words_in(const std::string& text) {
    std::istringstream words(small_letters(text));
    return {std::istream_iterator<std::string>(words), {}};
}

// 2 if the word begins a word of the text, 1 if it stands inside one, 0 otherwise.
int fit(const std::string& text, const std::string& word) {
    int best = 0;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const bool begins = at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0;
        best = std::max(best, begins ? 2 : 1);
    }
    return best;
}

// 0 if a word is missing. The label counts more than the rest, and in the rest only beginnings of words count, so
// "reset" does not find every preset.
int score(const PaletteEntry& entry, const std::vector<std::string>& words) {
    const std::string label = small_letters(entry.label), of = small_letters(entry.of);
    const std::string rest = small_letters(entry.kind + " " + entry.name + " " + entry.help);
    int total = 0;
    for (const std::string& word : words) {
        const int in_label = fit(label, word), in_of = fit(of, word) / 2, in_rest = fit(rest, word) / 2;
        if (in_label + in_of + in_rest == 0) return 0;
        const bool named = word == entry.kind || (words.size() == 1 && word == entry.name);
        total += named ? kNamed : in_label > 0 ? 100 * in_label : in_of > 0 ? 200 : in_rest;
    }
    if (!words.empty() && label.starts_with(words.front())) total += 50;
    // Things to open come before pages to read.
    if (entry.kind == "handbook" && total > kPageBehind) total -= kPageBehind;
    return total;
}

}  // namespace

std::vector<size_t> ranked(const std::vector<PaletteEntry>& entries, const std::string& query) {
    const std::vector<std::string> words = words_in(query);
    std::vector<size_t> found(entries.size());
    std::iota(found.begin(), found.end(), size_t{0});
    if (words.empty()) return found;
    std::vector<int> scores;
    for (const PaletteEntry& entry : entries) scores.push_back(score(entry, words));
    std::erase_if(found, [&](size_t i) { return scores[i] == 0; });
    std::stable_sort(found.begin(), found.end(), [&](size_t a, size_t b) { return scores[a] > scores[b]; });
    return found;
}

void Palette::open(const Session& session) {
    show();
    focus_ = true;
    entries_ = list_(session);
    query_.clear();
    looked_up_ = " ";
}

// Collects the lines for the typed text.
void Palette::look_up() {
    if (query_ == looked_up_) return;
    looked_up_ = query_;
    chosen_ = 0;
    moved_ = true;
    shown_.clear();
    for (const size_t i : ranked(entries_, query_)) shown_.push_back(&entries_[i]);
}

void Palette::draw_query(const Ui& ui) {
    if (std::exchange(focus_, false)) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(ui.px(kPaletteWidth));
    ImGui::InputTextWithHint("##query", "command, preset, setting, page of the handbook", &query_);
    log_item(ui, "palette query");
}

void Palette::choose(int by) {
    chosen_ = std::clamp(chosen_ + by, 0, std::max(0, static_cast<int>(shown_.size()) - 1));
    moved_ = moved_ || by != 0;
}

// Draws label and help on the left, keys or kind on the right.
bool Palette::draw_line(const Ui& ui, const PaletteEntry& entry, bool chosen) const {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight();
    // Only the chosen line is highlighted.
    if (!chosen) ImGui::PushStyleColor(ImGuiCol_HeaderHovered, IM_COL32_BLACK_TRANS);
    const bool pressed = ImGui::Selectable("##line", chosen, ImGuiSelectableFlags_None, {width, height});
    if (!chosen) ImGui::PopStyleColor();
    log_item(ui, "palette " + entry.label);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const bool available = entry.why_not.empty();
    const std::string right = entry.keys.empty() ? entry.kind : entry.keys;
    const float right_width = text_size(ui.fonts.small, right).x;
    const float label_width = text_size(ui.fonts.body, entry.label).x;
    const float room = width - right_width - label_width - ui.px(28);
    draw_text(list, ui.fonts.body, at, available ? ui.colors.text : ui.colors.muted, entry.label);
    if (room > ui.px(60))
        draw_text_placed(list, ui.fonts.small, {at.x + label_width + ui.px(12), at.y + height / 2}, Placed::left,
                         ui.colors.muted, whole_parts(ui.fonts.small, available ? entry.help : entry.why_not, room));
    draw_text_placed(list, ui.fonts.small, {at.x + width - right_width, at.y + height / 2}, Placed::left,
                     entry.keys.empty() ? ui.colors.muted : ui.colors.accent, right);
    return pressed;
}

// The chosen line's full help, in an area of fixed height.
void Palette::draw_help(const Ui& ui) const {
    constexpr float kLines = 3.0F;
    ImGui::BeginChild("help", {ui.px(kPaletteWidth), kLines * ui.fonts.small->FontSize + ui.px(6)});
    if (!shown_.empty()) {
        const PaletteEntry& entry = *shown_[chosen_];
        small_text(ui, ui.colors.muted, entry.why_not.empty() ? entry.help : entry.why_not);
    }
    ImGui::EndChild();
}

// Returns the clicked line, or -1.
int Palette::draw_list(const Ui& ui) {
    int clicked = -1;
    ImGui::BeginChild("lines", {ui.px(kPaletteWidth), ui.px(kPaletteHeight)});
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(shown_.size()));
    if (moved_) clipper.ForceDisplayRangeByIndices(chosen_, chosen_ + 1);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            ImGui::PushID(i);
            if (draw_line(ui, *shown_[i], i == chosen_)) clicked = i;
            if (i == chosen_ && moved_) ImGui::SetScrollHereY();
            const ImVec2 moved = ImGui::GetIO().MouseDelta;
            if (ImGui::IsItemHovered() && (moved.x != 0.0F || moved.y != 0.0F)) chosen_ = i;
            ImGui::PopID();
        }
    if (shown_.empty()) ImGui::TextDisabled("Nothing has all these words.");
    moved_ = false;
    ImGui::EndChild();
    return clicked;
}

void Palette::draw(const Context& context) {
    if (!open_) return;
    const Ui& ui = context.ui;
    int acts = -1;
    {
        const Dialog dialog(ui, "palette", kPaletteWidth);
        draw_query(ui);
        look_up();
        choose(arrows_pressed());
        if (key_pressed(ImGuiKey_PageDown)) choose(kPageOfLines);
        if (key_pressed(ImGuiKey_PageUp)) choose(-kPageOfLines);
        if (enter_pressed()) acts = chosen_;
        if (key_pressed(ImGuiKey_Escape)) close();
        if (const int clicked = draw_list(ui); clicked >= 0) acts = clicked;
        draw_help(ui);
    }
    if (acts < 0 || acts >= static_cast<int>(shown_.size())) return;
    const PaletteEntry entry = *shown_[acts];
    if (!entry.why_not.empty()) return;
    close();
    if (entry.asks) context.asks(*entry.asks);
}

}  // namespace emergence
