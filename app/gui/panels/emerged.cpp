#include "app/gui/panels/emerged.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/panels/compare.h"
#include "app/gui/panels/emergence_words.h"
#include "app/gui/panels/lamps.h"
#include "app/gui/panels/readouts.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/lab/views/run_views.h"

namespace emergence {
namespace {

// Without a rule for emergence no dot is hollow, which would look as if something were missing.
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

// How far apart the dots of so many seeds are where they fill this room in as many rows as needed; and how
// many stand in a row. With very many seeds they shrink.
struct DotGrid {
    float step = 0.0F;
    int columns = 1;
};

DotGrid fit_dots(const Ui& ui, int count, ImVec2 room) {
    // In one row, even a little smaller.
    const float one = std::min(ui.px(24), std::floor(room.x / static_cast<float>(std::max(1, count))));
    if (one >= ui.px(15) && one <= room.y) return {one, static_cast<int>(room.x / one)};
    DotGrid grid{ui.px(24), 1};
    for (; grid.step > 5.0F; grid.step -= 1.0F) {
        grid.columns = std::max(1, static_cast<int>(room.x / grid.step));
        const int rows = (count + grid.columns - 1) / grid.columns;
        if (room.x >= grid.step && static_cast<float>(rows) * grid.step <= room.y) break;
    }
    return grid;
}

// A ring that widens and fades over the steps after a seed has come to be counted.
void draw_pulse(const Ui& ui, ImDrawList* list, ImVec2 centre, float step, const SeedStatus& seed,
                const Snapshot& snapshot) {
    const int64_t since = snapshot.step - counted_since(seed), lasts = snapshot.status.target_step / 20;
    if (!is_counted(seed) || counted_since(seed) < 0 || since >= lasts) return;
    const float share = static_cast<float>(since) / static_cast<float>(lasts);
    list->AddCircle(centre, step * (0.3F + 0.4F * share), with_alpha(ui.colors.good, 1.0F - share), 0, ui.px(2));
}

// One dot a seed.
void draw_dots(const Context& context, const Snapshot& snapshot, const std::string& side, const Box& room,
               int seed_index) {
    const auto& [ui, session, asks] = context;
    const std::vector<SeedStatus>& shown = session.snapshot()->seeds;  // B's stand in the same places
    const int count = static_cast<int>(snapshot.seeds.size());
    if (count == 0) return;
    const auto [step, columns] = fit_dots(ui, count, room.size);
    const ImVec2 min = room.min;
    const ImVec2 max = room.max();
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
        ImGui::SetCursorScreenPos({centre.x - step / 2, centre.y - step / 2});
        ImGui::PushID(i);
        if (ImGui::InvisibleButton("seed", {step, step}) && i < static_cast<int>(shown.size()))
            asks(ask::ChooseSeed{shown[static_cast<size_t>(i)].seed});
        log_item(ui, fmt::format("{}dot {}", side, i).c_str());
        explain_item(
            ui,
            network_words(snapshot, seed) +
                (snapshot.matrices.empty() ? "" : "\nClick to see this " + snapshot.seed_word + "'s matrices alone."));
        ImGui::PopID();
    }
}

// The longest that is read in full.
std::string fitting(const ImFont* font, const std::vector<std::string>& sentences, float width) {
    for (const std::string& sentence : sentences)
        if (text_size(font, sentence).x <= width) return sentence;
    return elided(font, sentences.back(), width);
}

// One run at one moment, with a name where there are two.
struct Side {
    const Snapshot* snapshot = nullptr;
    std::string name;  // "" for none
    ImU32 color = 0;
    const char* id = "";
    const Snapshot* other_side = nullptr;  // which it stands beside
};

// Where the dots are largest: right of both lines of text, of one of them, or below both. The upper line ends
// at `first` on the right, the lower one begins at its height and ends at `second`.
Box room_for_dots(const Ui& ui, int count, const Box& box, ImVec2 first, ImVec2 second) {
    const float gap = ui.px(24);
    const float right = box.max().x - ui.px(14);
    const float top = box.min.y + ui.px(8);
    const float bottom = box.max().y - ui.px(6);
    const auto room = [&](float x, float y, float end) {
        return Box{{x, y}, {std::max(0.0F, right - x), std::max(0.0F, end - y)}};
    };
    const std::vector<Box> rooms = {room(std::max(first.x, second.x) + gap, top, bottom),
                                    room(second.x + gap, first.y, bottom), room(first.x + gap, top, first.y - ui.px(2)),
                                    room(box.min.x + ui.px(14), second.y + ui.px(2), bottom)};
    // Of rooms with equal dots the one where they stand in fewest rows.
    const auto size = [&](const Box& one) {
        const DotGrid grid = fit_dots(ui, count, one.size);
        return std::pair(grid.step, std::min(grid.columns, count));
    };
    return *std::max_element(rooms.begin(), rooms.end(), [&](const Box& a, const Box& b) { return size(a) < size(b); });
}

// The two lines of text of a side, from the box' corner. The lower one: whose it is if that has no room above, its
// chief read-out beside another side, and when its seeds emerged.
struct SideText {
    std::string number, what, name, whose, chief, when;
    float longest = 0.0F;  // how far the upper one may come to reach while the run trains, without the name
    ImVec2 first,
        second;  // where the upper one ends; the height at which the lower one begins, and where it ends
};

ImVec2 corner_of(const Ui& ui, const Box& box) { return {box.min.x + ui.px(16), box.min.y + ui.px(12)}; }

constexpr const char* kWidestValue = "0.00000";

// Else it stands among the read-outs below.
bool shows_chief(const Ui& ui, const Side& side) { return ui.presenting || !side.name.empty(); }

// Beside another side two rows of dots keep their place.
float lower_room(const Ui& ui, const Box& box, const Side& side) {
    const auto columns = static_cast<float>((side.snapshot->seeds.size() + 1) / 2);
    const float dots = side.name.empty() ? 0.0F : std::min(0.3F * box.size.x, ui.px(24) + ui.px(17) * columns);
    return box.size.x - ui.px(30) - dots;
}

// In a presentation a class reads them; beside another side dots need the room.
const ImFont* count_font(const Ui& ui, const Side& side) {
    return ui.presenting && side.name.empty() ? ui.fonts.reading : ui.fonts.bold;
}

// How far each wording of the upper line may come to reach while the run trains, from the corner and without the side's
// name.
std::vector<float> longest_counts(const Ui& ui, const Side& side) {
    const Snapshot& snapshot = *side.snapshot;
    const size_t all = snapshot.seeds.size();
    const float number = text_size(ui.fonts.large, fmt::format("{0} of {0}", all)).x + ui.px(10);
    std::vector<float> longest;
    for (const std::string& words : count_words(snapshot).what)
        longest.push_back(number + text_size(count_font(ui, side), words).x);
    return longest;
}

// The fullest wording that leaves room for the side's name, or else for itself alone; beside another side also for two
// columns of dots.
size_t wording_for(const Ui& ui, const Side& side, const std::vector<float>& longest, float width) {
    const bool named = !side.name.empty();
    const float name = named ? ui.px(14) + text_size(ui.fonts.bold, side.name).x : 0.0F;
    const float room = width - ui.px(named ? 84 : 30);
    for (const float beside : {name, 0.0F})
        for (size_t i = 0; i < longest.size(); ++i)
            if (longest[i] + beside <= room) return i;
    return longest.size() - 1;
}

// What fits is chosen by how wide the read-out may become, so that nothing comes and goes with its digits.
void write_lower_line(const Ui& ui, const Side& side, float room, SideText& text) {
    const auto width = [&](const std::string& of) { return text_size(ui.fonts.body, of).x; };
    const std::vector<std::string> times = times_in_words(*side.snapshot);
    const float left = room - width(text.whose);
    std::vector<std::string> chief, widest;
    if (shows_chief(ui, side)) {
        const std::string beside =
            side.other_side != nullptr ? compared_in_words(*side.snapshot, *side.other_side) : "";
        chief = chief_in_words(*side.snapshot, "", beside);
        widest = chief_in_words(*side.snapshot, kWidestValue, beside);
        // How the two compare is said before when seeds emerged.
        if (const size_t half = widest.size() / 2; !beside.empty() && half > 0 && width(widest[half - 1]) <= left) {
            chief.resize(half);
            widest.resize(half);
        }
    }
    if (chief.empty()) {
        text.when = fitting(ui.fonts.body, times, left);
        return;
    }
    for (size_t i = 0; i < chief.size(); ++i)
        for (const std::string& time : times) {
            if (width(widest[i] + ", " + time) > left) continue;
            text.chief = chief[i];
            text.when = time.empty() ? "" : ", " + time;
            return;
        }
    text.chief = width(widest.front()) <= left ? chief.front() : chief.back();
    if (!text.whose.empty() && width(widest.back()) > left)
        text.whose = elided(ui.fonts.body, side.name, room - width(widest.back() + ", ")) + ", ";
}

SideText text_of_side(const Ui& ui, const Box& box, const Side& side) {
    const Snapshot& snapshot = *side.snapshot;
    const bool has_rule = !snapshot.emergence_rule.empty() || counts_verdicts(snapshot);
    SideText text;
    if (has_rule) {
        const CountWords words = count_words(snapshot);
        const std::vector<float> longest = longest_counts(ui, side);
        const size_t wording = wording_for(ui, side, longest, box.size.x);
        text.number = words.number;
        const float room = box.size.x - text_size(ui.fonts.large, text.number).x - ui.px(40);
        text.what = elided(count_font(ui, side), words.what[wording], room);
        text.longest = longest[wording];
    } else {
        const bool counts_seeds = snapshot.counted.what.empty();
        text.number =
            std::to_string(counts_seeds ? static_cast<int64_t>(snapshot.seeds.size()) : snapshot.counted.number);
        text.what = counts_seeds ? snapshot.seed_word + (snapshot.seeds.size() == 1 ? "" : "s") : snapshot.counted.what;
    }
    const float counted =
        text_size(ui.fonts.large, text.number).x + ui.px(10) + text_size(count_font(ui, side), text.what).x;
    // Beside the count, or where that leaves no room before the lower line.
    text.longest = std::max(counted, text.longest);
    const bool beside = text.longest + ui.px(44) + text_size(ui.fonts.bold, side.name).x <= box.size.x;
    if (!side.name.empty()) (beside ? text.name : text.whose) = side.name + (beside ? "" : ", ");
    write_lower_line(ui, side, lower_room(ui, box, side), text);
    const ImVec2 at = corner_of(ui, box);
    const float lower = at.y + ui.fonts.large->FontSize + ui.px(6);
    text.first = {at.x + counted, lower};
    if (!text.name.empty()) text.first.x += ui.px(14) + text_size(ui.fonts.bold, text.name).x;
    text.second = {at.x + text_size(ui.fonts.body, text.whose + text.chief + text.when).x,
                   lower + ui.fonts.body->FontSize};
    return text;
}

// How far its lines may come to reach while the run trains, from the corner: the dots beside them are not to move.
ImVec2 longest_lines(const Ui& ui, const Box& box, const Side& side, const SideText& text) {
    const Snapshot& snapshot = *side.snapshot;
    if (snapshot.emergence_rule.empty()) return {0.0F, 0.0F};
    float first = text.longest;
    if (!text.name.empty()) first += ui.px(14) + text_size(ui.fonts.bold, text.name).x;
    std::string second = text.whose;
    const std::string beside = side.other_side != nullptr ? compared_in_words(snapshot, *side.other_side) : "";
    if (const auto chief = chief_in_words(snapshot, kWidestValue, beside); shows_chief(ui, side) && !chief.empty())
        second += chief.front() + ", ";
    second += fmt::format("first after {0}, half of the networks after {0} {1}", snapshot.status.target_step,
                          snapshot.step_unit);
    const float corner = corner_of(ui, box).x - box.min.x;
    return {corner + std::min(first, box.size.x - ui.px(30)),
            corner + std::min(text_size(ui.fonts.body, second).x, lower_room(ui, box, side))};
}

// Without lamps and read-outs, which are drawn.
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

void draw_side(const Context& context, const Box& box, const Side& side, const SideText& text, const Box& dots,
               int seed_index) {
    const Ui& ui = context.ui;
    const Snapshot& snapshot = *side.snapshot;
    if (snapshot.seeds.empty()) return;
    const bool any = std::any_of(snapshot.seeds.begin(), snapshot.seeds.end(),
                                 [](const SeedStatus& seed) { return is_counted(seed); });
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = corner_of(ui, box);
    draw_text(list, ui.fonts.large, at, any ? ui.colors.good : ui.colors.text, text.number);
    const auto on_line = [&](const ImFont* font) { return at.y + ui.fonts.large->Ascent - font->Ascent; };
    float right = at.x + text_size(ui.fonts.large, text.number).x + ui.px(10);
    draw_text(list, count_font(ui, side), {right, on_line(count_font(ui, side))}, ui.colors.text, text.what);
    right += text_size(count_font(ui, side), text.what).x + ui.px(14);
    draw_text(list, ui.fonts.bold, {right, on_line(ui.fonts.bold)}, side.color, text.name);
    right = at.x;
    for (const auto& [words, color] : {std::pair{&text.whose, side.color}, std::pair{&text.chief, ui.colors.text},
                                       std::pair{&text.when, ui.colors.muted}}) {
        draw_text(list, ui.fonts.body, {right, text.first.y}, color, *words);
        right += text_size(ui.fonts.body, *words).x;
    }

    ImGui::PushID(side.id);
    ImGui::SetCursorScreenPos(at);
    const bool beside = dots.min.x > at.x + ui.px(20);
    const float text_right = std::max(text.first.x, text.second.x);
    const ImVec2 rule_end(beside ? std::min(text_right, dots.min.x) : text_right,
                          beside ? box.max().y - ui.px(8) : dots.min.y);
    ImGui::InvisibleButton("rule", {rule_end.x - at.x, rule_end.y - at.y});
    log_item(ui, (side.id + std::string("rule")).c_str());
    explain_item(
        ui, snapshot.emergence_rule.empty() ? ""
            : counts_verdicts(snapshot)
                ? "A network computes a named algorithm if that leaves at most 15 % of its values unexplained, on "
                  "prompts that it has not seen, and is three times nearer to them than every other. The times say "
                  "when this first held for ten logged steps.\nHow often the verdict is wrong: the handbook's page "
                  "on the bench. Point at a dot to read one network's."
                : "Emerged: the network has become what theory expects, by this rule. " + snapshot.emergence_rule);
    draw_dots(context, snapshot, side.id, dots, seed_index);
    ImGui::PopID();
}

// A and B, or the moment shown and the pinned one it is compared with, or what there is.
std::vector<Side> sides_of(const Ui& ui, const Session& session) {
    std::vector<Side> sides = {{session.snapshot().get(), "", ui.colors.accent, ""}};
    const FollowedRun* other = session.other();
    if (other != nullptr && other->shown()) {
        sides[0].name = "A: " + side_text(session, false);
        sides.push_back({other->shown().get(), "B: " + side_text(session, true), side_color(ui, true), "B "});
    } else if (session.baseline()) {
        sides[0].name = fmt::format("at {}", session.snapshot()->step);
        const char* what = session.pin_is_own(0) ? "at pin 1," : "the saved run at";
        sides.push_back(
            {session.baseline().get(), fmt::format("{} {}", what, session.baseline()->step), ui.colors.muted, "pin "});
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
    std::vector<SideText> texts;
    int count = 1;
    ImVec2 first(0.0F, 0.0F), second(0.0F, 0.0F);  // of the longest texts, in the first box
    for (const Side& side : sides) {
        const float from = width * static_cast<float>(boxes.size());
        boxes.push_back(draw_numbers_below(ui, {{box.min.x + from, box.min.y}, {width, box.size.y}}, side, seed_index));
        texts.push_back(text_of_side(ui, boxes.back(), side));
        count = std::max(count, static_cast<int>(side.snapshot->seeds.size()));
        const ImVec2 longest = longest_lines(ui, boxes.back(), side, texts.back());
        first = {std::max({first.x, longest.x, texts.back().first.x - from}), texts.back().first.y};
        second = {std::max({second.x, longest.y, texts.back().second.x - from}), texts.back().second.y};
    }
    // The dots of both sides stand in the same places, so that a seed is found again.
    Box least = boxes.front();
    for (const Box& one : boxes) least.size.y = std::min(least.size.y, one.size.y);
    const Box dots = room_for_dots(ui, count, least, first, second);
    for (size_t i = 0; i < sides.size(); ++i)
        draw_side(context, boxes[i], sides[i], texts[i],
                  {{dots.min.x + width * static_cast<float>(i), dots.min.y}, dots.size}, seed_index);
}

}  // namespace emergence
