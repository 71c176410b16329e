#include "app/gui/panels/emerged.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/panels/timeline.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/lab/views/run_views.h"

namespace emergence {
namespace {

// Without a rule for emergence no dot is hollow: that would look as if something were missing.
void draw_dot(const Ui& ui, ImDrawList* list, ImVec2 centre, float radius, const SeedStatus& seed,
              const Snapshot& snapshot) {
    if (seed.failed) {
        const float r = radius * 0.7F;
        list->AddLine({centre.x - r, centre.y - r}, {centre.x + r, centre.y + r}, ui.colors.bad, ui.px(2));
        list->AddLine({centre.x - r, centre.y + r}, {centre.x + r, centre.y - r}, ui.colors.bad, ui.px(2));
    } else if (is_counted(seed)) {
        list->AddCircleFilled(centre, radius, ui.colors.good);
    } else if (snapshot.emergence_rule.empty() && !seed.judged) {
        list->AddCircleFilled(centre, radius * 0.8F, ui.colors.muted);
    } else {
        list->AddCircle(centre, radius - 1.0F, ui.colors.muted, 0, 1.6F * ui.scale);
    }
}

// The distance of dots that fill the room in as many rows as needed, and how many stand in a row. Very many dots shrink.
std::pair<float, int> fit_dots(const Ui& ui, int count, ImVec2 room) {
    // One row, even of slightly smaller dots, is preferred.
    const float one = std::min(ui.px(24), std::floor(room.x / static_cast<float>(std::max(1, count))));
    if (one >= ui.px(15) && one <= room.y) return {one, static_cast<int>(room.x / one)};
    float step = ui.px(24);
    int columns = 1;
    for (; step > 5.0F; step -= 1.0F) {
        columns = std::max(1, static_cast<int>(room.x / step));
        const int rows = (count + columns - 1) / columns;
        if (room.x >= step && static_cast<float>(rows) * step <= room.y) break;
    }
    return {step, columns};
}

// A ring that widens and fades over the steps after a seed has emerged.
void draw_pulse(const Ui& ui, ImDrawList* list, ImVec2 centre, float step, const SeedStatus& seed,
                const Snapshot& snapshot) {
    const int64_t since = snapshot.step - counted_since(seed), lasts = snapshot.status.target_step / 20;
    if (!is_counted(seed) || counted_since(seed) < 0 || since >= lasts) return;
    const float share = static_cast<float>(since) / static_cast<float>(lasts);
    list->AddCircle(centre, step * (0.3F + 0.4F * share), with_alpha(ui.colors.good, 1.0F - share), 0, ui.px(2));
}

void draw_dots(const Context& context, const Snapshot& snapshot, const std::string& side, const Box& room,
               int seed_index) {
    const auto& [ui, session, asks] = context;
    const std::vector<SeedStatus>& shown = session.snapshot()->seeds;  // B's stand in the same places
    const int count = static_cast<int>(snapshot.seeds.size());
    if (count == 0) return;
    const auto [step, columns] = fit_dots(ui, count, room.size);
    const ImVec2 min = room.min, max = room.max();
    const int rows = (count + columns - 1) / columns;
    const int first_row = std::min(columns, count);
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (int i = 0; i < count; ++i) {
        const int row = i / columns;
        const ImVec2 centre(max.x - step * (static_cast<float>(first_row - i % columns) - 0.5F),
                            (min.y + max.y) / 2 + step * (static_cast<float>(row) - static_cast<float>(rows - 1) / 2));
        const SeedStatus& seed = snapshot.seeds[static_cast<size_t>(i)];
        draw_dot(ui, list, centre, step * 0.3F, seed, snapshot);
        draw_pulse(ui, list, centre, step, seed, snapshot);
        if (i == seed_index) list->AddCircle(centre, step * 0.46F, ui.colors.accent, 0, ui.px(2));
        if (draw_place(ui, fmt::format("{}dot {}", side, i), {centre.x - step / 2, centre.y - step / 2},
                       {step, step}) &&
            i < static_cast<int>(shown.size()))
            asks(ask::ChooseSeed{shown[static_cast<size_t>(i)].seed});
        explain_item(ui, network_words(snapshot, seed) +
                             (snapshot.matrices.empty()
                                  ? ""
                                  : "\nClick to see this " + counted_as(snapshot.seed_word) + "'s matrices alone."));
    }
}

// One run at one moment, with a name if there are two.
struct Side {
    const Snapshot* snapshot = nullptr;
    std::string name;  // "" for none
    ImU32 color = 0;
    const char* id = "";
    const Snapshot* other_side = nullptr;
};

// The dots stand at the right end, in a row if that takes no more than their share; two lines of text stand left of them.
Box place_of_dots(const Ui& ui, int count, const Box& box, bool beside_other) {
    const float width = std::min(ui.px(24) * static_cast<float>(count), (beside_other ? 0.25F : 0.4F) * box.size.x);
    const float top = box.min.y + ui.px(8), bottom = box.max().y - ui.px(6);
    return {{box.max().x - ui.px(14) - width, top}, {width, std::max(0.0F, bottom - top)}};
}

// The upper line has number, what and name; the lower one the name if it has no room above, the chief read-out, and when
// seeds emerged.
struct SideText {
    std::string number, what, name, whose, chief, when;
};

// Otherwise it is among the read-outs below.
bool shows_chief(const Ui& ui, const Side& side) { return ui.presenting || !side.name.empty(); }

// A class reads large type; with two sides the dots need the room.
const ImFont* count_font(const Ui& ui, const Side& side) {
    return ui.presenting && side.name.empty() ? ui.fonts.reading : ui.fonts.bold;
}

// As much as fits, first of the read-out, then of the times.
void write_lower_line(const Ui& ui, const Side& side, float room, SideText& text) {
    const auto width = [&](const std::string& of) { return text_size(ui.fonts.body, of).x; };
    std::vector<std::string> times = times_in_words(*side.snapshot), chiefs;
    const float left = room - width(text.whose);
    if (shows_chief(ui, side))
        chiefs = chief_in_words(*side.snapshot,
                                side.other_side != nullptr ? compared_in_words(*side.snapshot, *side.other_side) : "");
    if (chiefs.empty()) {
        text.when = fitting(ui.fonts.body, times, left);
        return;
    }
    for (std::string& time : times) time = time.empty() ? "" : ", " + time;
    times.emplace_back();
    for (const std::string& chief : chiefs)
        for (const std::string& time : times) {
            if (width(chief + time) > left) continue;
            text.chief = chief;
            text.when = time;
            return;
        }
    text.chief = chiefs.back();
    if (!text.whose.empty()) text.whose = elided(ui.fonts.body, side.name, room - width(text.chief + ", ")) + ", ";
}

SideText text_of_side(const Ui& ui, const Side& side, float room) {
    const Snapshot& snapshot = *side.snapshot;
    CountWords words = count_words(snapshot);
    if (snapshot.emergence_rule.empty() && !counts_verdicts(snapshot)) {
        const bool counts_seeds = snapshot.counted.what.empty();
        words.number =
            std::to_string(counts_seeds ? static_cast<int64_t>(snapshot.seeds.size()) : snapshot.counted.number);
        words.what = {counts_seeds ? counted_as(snapshot.seed_word) + (snapshot.seeds.size() == 1 ? "" : "s")
                                   : snapshot.counted.what};
    }
    const ImFont* font = count_font(ui, side);
    const float for_words = room - text_size(ui.fonts.large, words.number).x - ui.px(10);
    const float name = side.name.empty() ? 0.0F : ui.px(14) + text_size(ui.fonts.bold, side.name).x;
    // The name stands beside the count or, without room there, in the lower line.
    const bool beside = text_size(font, words.what.back()).x + name <= for_words;
    SideText text{words.number, fitting(font, words.what, for_words - (beside ? name : 0.0F)), "", "", "", ""};
    if (!side.name.empty()) (beside ? text.name : text.whose) = side.name + (beside ? "" : ", ");
    write_lower_line(ui, side, room, text);
    return text;
}

// Draws lamps and read-outs. Returns the rest of the box.
Box draw_numbers_below(const Ui& ui, Box box, const Side& side, int seed_index) {
    const Snapshot& snapshot = *side.snapshot;
    if (ui.presenting || snapshot.seeds.empty()) return box;
    const float lamps = lamps_height(ui, snapshot), numbers = readouts_height(ui, snapshot, box.size.x);
    box.size.y -= lamps + numbers;
    draw_lamps(ui, snapshot, {{box.min.x, box.max().y - ui.px(2)}, {box.size.x, lamps}}, seed_index, side.id);
    draw_readouts(ui, snapshot, {{box.min.x, box.max().y + lamps}, {box.size.x, numbers}}, side.id,
                  seed_index >= 0 && snapshot.seeds.size() > 1);
    return box;
}

void draw_side(const Context& context, const Box& box, const Side& side, const Box& dots, int seed_index) {
    const Ui& ui = context.ui;
    const Snapshot& snapshot = *side.snapshot;
    if (snapshot.seeds.empty()) return;
    const ImVec2 at(box.min.x + ui.px(16), box.min.y + ui.px(12));
    const SideText text = text_of_side(ui, side, dots.min.x - ui.px(24) - at.x);
    const bool any = any_of(snapshot.seeds, [](const SeedStatus& seed) { return is_counted(seed); });
    float right = at.x;
    const auto put = [&](const ImFont* font, float y, ImU32 color, const std::string& words, float gap) {
        draw_text(ImGui::GetWindowDrawList(), font, {right, y}, color, words);
        right += text_size(font, words).x + gap;
    };
    const auto on_line = [&](const ImFont* font) { return at.y + ui.fonts.large->Ascent - font->Ascent; };
    const ImFont* font = count_font(ui, side);
    put(ui.fonts.large, at.y, any ? ui.colors.good : ui.colors.text, text.number, ui.px(10));
    put(font, on_line(font), ui.colors.text, text.what, ui.px(14));
    put(ui.fonts.bold, on_line(ui.fonts.bold), side.color, text.name, 0.0F);
    const float upper = std::exchange(right, at.x), lower = at.y + ui.fonts.large->FontSize + ui.px(6);
    put(ui.fonts.body, lower, side.color, text.whose, 0.0F);
    put(ui.fonts.body, lower, ui.colors.text, text.chief, 0.0F);
    put(ui.fonts.body, lower, ui.colors.muted, text.when, 0.0F);

    const ImVec2 rule_end(std::min(std::max(upper, right), dots.min.x), box.max().y - ui.px(8));
    draw_place(ui, side.id + std::string("rule"), at, {rule_end.x - at.x, rule_end.y - at.y});
    explain_item(
        ui,
        snapshot.emergence_rule.empty() ? ""
        : counts_verdicts(snapshot)
            ? "A network computes an algorithm if that leaves at most 15 % of its values unexplained, on prompts that "
              "it has not seen, and is three times nearer to them than every other. The times say when this first "
              "held for ten logged steps.\nThe handbook's page on the bench says how often this is wrong. Point at a "
              "dot to read one network's verdict."
            : "Emerged: by this rule, the network has become what theory expects. " + snapshot.emergence_rule);
    draw_dots(context, snapshot, side.id, dots, seed_index);
}

// A and B, or the moment shown and the pinned one, or one run.
std::vector<Side> sides_of(const Ui& ui, const Session& session) {
    std::vector<Side> sides = {{session.snapshot().get(), "", ui.colors.accent, ""}};
    const FollowedRun* other = session.other();
    if (other != nullptr && other->shown()) {
        sides[0].name = "A: " + side_text(session, false);
        sides.push_back({other->shown().get(), "B: " + side_text(session, true), side_color(ui, true), "B "});
    } else if (session.baseline()) {
        sides[0].name = fmt::format("at {}", session.snapshot()->step);
        sides.push_back(
            {session.baseline().get(), fmt::format("pinned, {}", session.baseline()->step), ui.colors.muted, "pin "});
    }
    if (sides.size() == 2) {
        sides[0].other_side = sides[1].snapshot;
        sides[1].other_side = sides[0].snapshot;
    }
    return sides;
}

}  // namespace

float emerged_more(const Ui& ui, const Session& session, float width) {
    if (!session.snapshot()) return 0.0F;
    const std::vector<Side> sides = sides_of(ui, session);
    float more = 0.0F;
    for (const Side& side : sides)
        more = std::max(more,
                        lamps_height(ui, *side.snapshot) +
                            readouts_height(ui, *side.snapshot, std::floor(width / static_cast<float>(sides.size()))));
    return more;
}

void draw_emerged(const Context& context, const Box& box, int seed_index) {
    const auto& [ui, session, asks] = context;
    const Panel panel(ui, "emerged", box);
    if (!session.snapshot()) return;
    const std::vector<Side> sides = sides_of(ui, session);
    const float width = std::floor(box.size.x / static_cast<float>(sides.size()));
    std::vector<Box> boxes;
    int count = 1;
    for (const Side& side : sides) {
        const float from = width * static_cast<float>(boxes.size());
        boxes.push_back(draw_numbers_below(ui, {{box.min.x + from, box.min.y}, {width, box.size.y}}, side, seed_index));
        count = std::max(count, static_cast<int>(side.snapshot->seeds.size()));
    }
    // The dots of both sides stand in the same places, so that a seed is easily found.
    Box least = boxes.front();
    for (const Box& one : boxes) least.size.y = std::min(least.size.y, one.size.y);
    const Box dots = place_of_dots(ui, count, least, sides.size() > 1);
    for (size_t i = 0; i < sides.size(); ++i)
        draw_side(context, boxes[i], sides[i], {{dots.min.x + width * static_cast<float>(i), dots.min.y}, dots.size},
                  seed_index);
}

}  // namespace emergence
