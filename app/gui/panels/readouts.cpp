#include "app/gui/panels/emerged.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

constexpr int kMostLines = 2;

// A read-out and its place, relative to the first.
struct Item {
    const Scalar* scalar = nullptr;  // null for the ellipsis
    std::string label, value;
    float x = 0.0F, width = 0.0F;
    int line = 0;
};

struct Arrangement {
    std::vector<Item> items;
    std::string left_out;  // the read-outs behind the ellipsis, a line each
};

float line_height(const Ui& ui) { return ui.fonts.body->FontSize + ui.px(5); }

// "0.312", "7 of 8 seeds", "–".
std::string scalar_text(const Scalar& scalar) {
    if (std::isnan(scalar.value)) return "–";  // not known yet
    return readout(scalar.value) + (scalar.unit.empty() ? "" : " " + scalar.unit);
}

Item item_of(const Ui& ui, const Scalar& scalar) {
    Item item{&scalar, greek(scalar.label), greek(scalar_text(scalar))};
    item.width = text_size(ui.fonts.body, item.label).x + ui.px(6) + text_size(ui.fonts.body, item.value).x;
    return item;
}

Arrangement arrange(const Ui& ui, const Snapshot& snapshot, float width) {
    const float gap = ui.px(20), dots = text_size(ui.fonts.body, "…").x;
    const float room = width - ui.px(30);
    Arrangement arranged;
    float x = 0.0F;
    int line = 0;
    for (size_t i = 0; i < snapshot.scalars.size(); ++i) {
        Item item = item_of(ui, snapshot.scalars[i]);
        const bool last_line = line + 1 == kMostLines, last = i + 1 == snapshot.scalars.size();
        const float needed = item.width + (last_line && !last ? gap + dots : 0.0F);
        if (x > 0.0F && x + needed > room) {
            if (last_line) {
                for (; i < snapshot.scalars.size(); ++i)
                    arranged.left_out += fmt::format("{}{} {}", arranged.left_out.empty() ? "" : "\n",
                                                     snapshot.scalars[i].label, scalar_text(snapshot.scalars[i]));
                arranged.items.push_back({nullptr, "…", "", x, dots, line});
                break;
            }
            x = 0.0F;
            ++line;
        }
        item.x = x;
        item.line = line;
        x += item.width + gap;
        arranged.items.push_back(std::move(item));
    }
    return arranged;
}

// How many of the seeds light a lamp.
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

// A ring, filled clockwise from the top by the share of lit seeds.
void draw_bulb(const Ui& ui, ImVec2 centre, float radius, const Lit& lit) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (lit.count > 0 && lit.count < lit.of) {
        const float share = static_cast<float>(lit.count) / static_cast<float>(lit.of);
        const float turn = 2.0F * std::numbers::pi_v<float>, top = -0.25F * turn;
        list->PathArcTo(centre, radius / 2, top, top + turn * share, 24);
        list->PathStroke(ui.colors.good, ImDrawFlags_None, radius);
    } else if (lit.count > 0) {
        list->AddCircleFilled(centre, radius, ui.colors.good);
    }
    list->AddCircle(centre, radius, lit.count > 0 ? ui.colors.good : ui.colors.muted, 0, 1.6F * ui.scale);
}

// "bootstrap +" becomes "boot. +": words are cut, the sign at the end stays.
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

// In ever fewer words.
std::vector<std::string> lamp_texts(const Lamp& lamp, const Lit& lit) {
    if (lit.of <= 1) return {greek(lamp.label), greek(abbreviated(lamp.label))};
    return {greek(fmt::format("{}  {} of {}", lamp.label, lit.count, lit.of)),
            greek(fmt::format("{} {}/{}", lamp.label, lit.count, lit.of)), greek(abbreviated(lamp.label))};
}

// With the condition that most networks lack, and its median.
std::vector<std::string> none_in_words(const Snapshot& snapshot) {
    const int64_t end = snapshot.status.target_step;
    const std::string none = end > 0 && snapshot.step >= end ? "none to the end" : "none so far";
    std::map<std::string, std::vector<Lack>> lacking;
    for (const SeedStatus& seed : snapshot.seeds)
        if (!seed.lacks.empty()) lacking[seed.lacks.front().what].push_back(seed.lacks.front());
    const auto most = std::max_element(lacking.begin(), lacking.end(),
                                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    if (most == lacking.end() || snapshot.step == 0) return {none};
    std::vector<Lack>& all = most->second;
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end(), [](const Lack& a, const Lack& b) { return a.value < b.value; });
    return {fmt::format("{}; in {} of {} {}", none, all.size(), snapshot.seeds.size(), words_of(*middle)), none};
}

const Scalar* chief_of(const Snapshot& snapshot) {
    const auto chief = find_if(snapshot.scalars, [](const Scalar& scalar) { return !scalar.headline.empty(); });
    return chief == snapshot.scalars.end() ? nullptr : &*chief;
}

}  // namespace

float readouts_height(const Ui& ui, const Snapshot& snapshot, float width) {
    const Arrangement arranged = arrange(ui, snapshot, width);
    if (arranged.items.empty()) return 0.0F;
    return static_cast<float>(arranged.items.back().line + 1) * line_height(ui) + ui.px(5);
}

void draw_readouts(const Ui& ui, const Snapshot& snapshot, const Box& box, const std::string& side, bool beside_one) {
    Arrangement arranged = arrange(ui, snapshot, box.size.x);
    if (beside_one && !arranged.items.empty()) {
        const Item& last = arranged.items.back();
        const std::string whose = fmt::format("of all {}s", counted_as(snapshot.seed_word));
        const Item of_all{nullptr,  whose, "", last.x + last.width + ui.px(20), text_size(ui.fonts.body, whose).x,
                          last.line};
        if (of_all.x + of_all.width <= box.size.x - ui.px(30)) arranged.items.push_back(of_all);
    }
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (const Item& item : arranged.items) {
        const ImVec2 at(box.min.x + ui.px(16) + item.x, box.min.y + static_cast<float>(item.line) * line_height(ui));
        draw_text(list, ui.fonts.body, at, ui.colors.muted, item.label);
        draw_text(list, ui.fonts.body, {at.x + item.width - text_size(ui.fonts.body, item.value).x, at.y},
                  ui.colors.text, item.value);
        const std::string name = item.scalar != nullptr ? item.scalar->name : item.label == "…" ? "others" : "whose";
        draw_place(ui, side + "readout " + name, at, {item.width, line_height(ui)});
        explain_item(ui, item.scalar != nullptr ? item.scalar->help : name == "others" ? arranged.left_out : "");
    }
}

float lamps_height(const Ui& ui, const Snapshot& snapshot) {
    return snapshot.lamps.empty() ? 0.0F : ui.fonts.body->FontSize + ui.px(12);
}

void draw_lamps(const Ui& ui, const Snapshot& snapshot, const Box& box, int seed_index, const std::string& side) {
    if (snapshot.lamps.empty()) return;
    const float radius = 0.36F * ui.fonts.body->FontSize, beside = 2 * radius + ui.px(6), gap = ui.px(22);
    const float room = box.size.x - ui.px(30);
    std::vector<Lit> lit;
    std::vector<std::vector<std::string>> texts;
    float width = -gap;
    for (const Lamp& lamp : snapshot.lamps) {
        lit.push_back(count_lit(snapshot, lamp, seed_index));
        texts.push_back(lamp_texts(lamp, lit.back()));
        width += beside + text_size(ui.fonts.body, texts.back().front()).x + gap;
    }
    // If they do not fit side by side each gets an equal share.
    const bool fits = width <= room;
    const ImFont* font = fits ? ui.fonts.body : ui.fonts.small;
    const float share = room / static_cast<float>(texts.size());
    float x = box.min.x + ui.px(16);
    for (size_t i = 0; i < texts.size(); ++i) {
        const Lamp& lamp = snapshot.lamps[i];
        const std::string text = fits ? texts[i].front() : fitting(font, texts[i], share - beside - ui.px(4));
        const float whole = fits ? beside + text_size(font, text).x + gap : share;
        const ImVec2 centre(x + radius, box.min.y + box.size.y / 2);
        draw_bulb(ui, centre, radius, lit[i]);
        draw_text_placed(ImGui::GetWindowDrawList(), font, {x + beside, centre.y}, Placed::left, ui.colors.text, text);
        draw_place(ui, side + "lamp " + lamp.name, {x, box.min.y},
                   {std::min(whole - ui.px(4), box.max().x - x), box.size.y});
        explain_item(ui, lamp.help);
        x += whole;
    }
}

std::vector<std::string> times_in_words(const Snapshot& snapshot) {
    if (snapshot.emergence_rule.empty() && !counts_verdicts(snapshot)) {
        if (!snapshot.headline.empty()) return {snapshot.headline};
        return {"no rule says when this network has emerged", "no rule for when it has emerged", "no rule"};
    }
    const std::vector<std::string> times = times_of(snapshot);
    if (!times.empty()) return times;
    return counts_verdicts(snapshot) ? std::vector<std::string>{""} : none_in_words(snapshot);
}

std::vector<std::string> chief_in_words(const Snapshot& snapshot, const std::string& beside) {
    const Scalar* chief = chief_of(snapshot);
    if (chief == nullptr) return {};
    const std::string brief = chief->headline + " " + scalar_text(*chief);
    const std::string sentence = fmt::format("{} ({})", brief, chief->headline_at);
    if (beside.empty()) return {sentence, brief};
    return {sentence + beside, brief + beside, brief};
}

std::string compared_in_words(const Snapshot& snapshot, const Snapshot& other) {
    const Scalar *own = chief_of(snapshot), *theirs = chief_of(other);
    if (own == nullptr || theirs == nullptr || own->headline_at != theirs->headline_at) return "";
    if (own->seeds.size() != snapshot.seeds.size() || theirs->seeds.size() != other.seeds.size()) return "";
    if (own->measured_on != theirs->measured_on) return "";
    int lower = 0, pairs = 0;
    for (size_t i = 0; i < own->seeds.size(); ++i)
        for (size_t k = 0; k < theirs->seeds.size(); ++k) {
            if (snapshot.seeds[i].seed != other.seeds[k].seed) continue;
            if (!std::isfinite(own->seeds[i]) || !std::isfinite(theirs->seeds[k])) continue;
            ++pairs;
            lower += own->seeds[i] < theirs->seeds[k] ? 1 : 0;
        }
    return pairs == 0 ? ""
                      : fmt::format(", lower in {} of {} {}{}", lower, pairs, counted_as(snapshot.seed_word),
                                    pairs == 1 ? "" : "s");
}

}  // namespace emergence
