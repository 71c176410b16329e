#include "app/gui/panels/lamps.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <string>
#include <vector>

#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {
namespace {

// In how many of the seeds that are looked at a lamp is lit.
struct Lit {
    int count = 0, of = 0;
};

Lit count_lit(const Snapshot& snapshot, const Lamp& lamp, int seed_index) {
    Lit lit;
    for (size_t i = 0; i < std::min(lamp.lit.size(), snapshot.seeds.size()); ++i) {
        if (seed_index >= 0 ? static_cast<int>(i) != seed_index : snapshot.seeds[i].failed) continue;
        ++lit.of;
        lit.count += lamp.lit[i] ? 1 : 0;
    }
    return lit;
}

// A ring, filled clockwise from the top by the share that is lit.
void draw_bulb(const Ui& ui, ImVec2 centre, float radius, const Lit& lit) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (lit.count > 0 && lit.count < lit.of) {
        const float share = static_cast<float>(lit.count) / static_cast<float>(lit.of);
        const float top = -0.5F * std::numbers::pi_v<float>;
        list->PathLineTo(centre);
        list->PathArcTo(centre, radius, top, top + 2.0F * std::numbers::pi_v<float> * share);
        // Past a half the sector is not convex: two of them are.
        if (share <= 0.5F) {
            list->PathFillConvex(ui.colors.good);
        } else {
            list->PathClear();
            const float middle = top + std::numbers::pi_v<float>;
            for (const auto& [from, to] :
                 {std::pair{top, middle}, std::pair{middle, top + 2.0F * std::numbers::pi_v<float> * share}}) {
                list->PathLineTo(centre);
                list->PathArcTo(centre, radius, from, to);
                list->PathFillConvex(ui.colors.good);
            }
        }
    } else if (lit.count > 0) {
        list->AddCircleFilled(centre, radius, ui.colors.good);
    }
    list->AddCircle(centre, radius, lit.count > 0 ? ui.colors.good : ui.colors.muted, 0, 1.6F * ui.scale);
}

// "bootstrap +" -> "boot. +": a sign at the end is what counts and stays.
std::string abbreviated(const std::string& label) {
    constexpr size_t kLong = 6, kKept = 4;
    std::string text, word;
    for (const char c : label + ' ') {
        if (c != ' ') {
            word += c;
            continue;
        }
        text += (text.empty() ? "" : " ") + (word.size() >= kLong ? word.substr(0, kKept) + "." : word);
        word.clear();
    }
    return text;
}

// As much as there is room for, the longest first.
enum class Wording { whole, short_count, without_count };

std::string lamp_text(const Lamp& lamp, const Lit& lit, Wording wording) {
    if (wording == Wording::without_count) return abbreviated(lamp.label);
    if (lit.of <= 1) return lamp.label;
    return wording == Wording::whole ? fmt::format("{}  {} of {}", lamp.label, lit.count, lit.of)
                                     : fmt::format("{} {}/{}", lamp.label, lit.count, lit.of);
}

struct LampTexts {
    const ImFont* font = nullptr;
    std::vector<std::string> texts;
    float width = 0.0F;  // of all, with their bulbs and gaps
};

LampTexts texts_of(const Ui& ui, const Snapshot& snapshot, int seed_index, Wording wording, float beside) {
    LampTexts all;
    all.font = wording == Wording::whole ? ui.fonts.body : ui.fonts.small;
    for (const Lamp& lamp : snapshot.lamps) {
        all.texts.push_back(greek(lamp_text(lamp, count_lit(snapshot, lamp, seed_index), wording)));
        all.width += text_size(all.font, all.texts.back()).x + beside;
    }
    return all;
}

}  // namespace

float lamps_height(const Ui& ui, const Snapshot& snapshot) {
    return snapshot.lamps.empty() ? 0.0F : ui.fonts.body->FontSize + ui.px(12);
}

void draw_lamps(const Ui& ui, const Snapshot& snapshot, const Box& box, int seed_index, const std::string& side) {
    if (snapshot.lamps.empty()) return;
    const float radius = 0.36F * ui.fonts.body->FontSize;
    const float room = box.size.x - ui.px(30);
    float gap = ui.px(22);
    LampTexts all = texts_of(ui, snapshot, seed_index, Wording::whole, 2 * radius + ui.px(6) + gap);
    for (const Wording wording : {Wording::short_count, Wording::without_count}) {
        if (all.width - gap <= room) break;
        gap = ui.px(10);
        all = texts_of(ui, snapshot, seed_index, wording, 2 * radius + ui.px(6) + gap);
    }
    const std::vector<std::string>& texts = all.texts;
    // Where they do not fit side by side even so each gets its share.
    const float squeeze = std::min(1.0F, room / std::max(1.0F, all.width - gap));
    float x = box.min.x + ui.px(16);
    for (size_t i = 0; i < texts.size(); ++i) {
        const Lamp& lamp = snapshot.lamps[i];
        const float text_width = text_size(all.font, texts[i]).x;
        const float whole = (text_width + 2 * radius + ui.px(6) + gap) * squeeze;
        const ImVec2 centre(x + radius, box.min.y + box.size.y / 2);
        draw_bulb(ui, centre, radius, count_lit(snapshot, lamp, seed_index));
        const float left = centre.x + radius + ui.px(6);
        draw_text_placed(ImGui::GetWindowDrawList(), all.font, {left, centre.y}, Placed::start, Placed::middle,
                         ui.colors.text, elided(all.font, texts[i], std::max(0.0F, x + whole - ui.px(4) - left)));
        ImGui::SetCursorScreenPos({x, box.min.y});
        ImGui::PushID(static_cast<int>(i));
        ImGui::InvisibleButton(
            "lamp", {std::max(1.0F, std::min(whole - ui.px(4), box.max().x - x)), std::max(1.0F, box.size.y)});
        log_item(ui, (side + "lamp " + lamp.name).c_str());
        explain_item(ui, lamp.help);
        ImGui::PopID();
        x += whole;
    }
}

}  // namespace emergence
