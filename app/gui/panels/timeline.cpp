#include "app/gui/panels/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "app/gui/commands/command.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/setting_control.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/lab/views/run_views.h"

namespace emergence {
namespace {

// Steps to pixels along the track, and back.
struct Track {
    float left = 0.0F, right = 1.0F;
    float middle = 0.0F;  // its height on the screen
    double end = 1.0;     // the step at its right end
    bool emergence = true;

    float pixel(int64_t step) const {
        const double share = std::clamp(static_cast<double>(step) / end, 0.0, 1.0);
        return left + (right - left) * static_cast<float>(share);
    }
    int64_t step(float pixel) const {
        const double share = std::clamp(static_cast<double>((pixel - left) / (right - left)), 0.0, 1.0);
        return static_cast<int64_t>(std::llround(share * end));
    }
};

// The first step that can be shown; 0 for the run's beginning.
int64_t first_moment(const Session& session) { return session.moments().moments().front()->step; }

constexpr const char* kBeforeWord = "curves only";

// The part before the run was resumed, of which only the curves are known.
void draw_missing_past(const Ui& ui, ImDrawList* list, const Track& track, const Session& session) {
    const float right = track.pixel(first_moment(session));
    if (right < track.left + ui.px(4)) return;
    if (ui.log != nullptr)
        ui.log->record("timeline before", {track.left, track.middle - ui.px(7)}, {right, track.middle + ui.px(7)});
    const float half = ui.px(3);
    list->AddRectFilled({track.left, track.middle - half}, {right, track.middle + half}, ui.colors.control, half);
    list->AddRect({track.left, track.middle - half}, {right, track.middle + half}, ui.colors.axis, half);
    list->AddLine({right, track.middle - ui.px(7)}, {right, track.middle + ui.px(7)}, ui.colors.axis, 1.0F);
    if (text_size(ui.fonts.small, kBeforeWord).x + ui.px(8) > right - track.left) return;
    draw_text_placed(list, ui.fonts.small, {(track.left + right) / 2, track.middle + ui.px(4)}, Placed::top,
                     ui.colors.muted, kBeforeWord);
}

// The tooltip of a place on the track. `emerged`: the seeds with a mark there.
std::string track_text(const Session& session, int64_t step, const std::vector<uint64_t>& emerged) {
    const int64_t first = first_moment(session);
    if (step < first)
        return fmt::format(
            "The run was resumed at step {}, the earliest moment. Before it there are curves, but no matrices.\n"
            "R trains the run again from its start, to the same bits.",
            first);
    const auto nearest = session.moments().nearest(step);
    const std::string who =
        emerged.empty() ? "a seed" : fmt::format("seed{} {}", emerged.size() > 1 ? "s" : "", fmt::join(emerged, ", "));
    const Snapshot& live = *session.live_snapshot();
    const std::string since =
        counts_verdicts(live) ? ": since here it computes " + live.algorithm : ": since here " + live.emerged_words;
    const std::string mark = "▼ " + who + since;
    return fmt::format("step {}: click or drag to look at it\n{}", nearest ? nearest->step : 0, mark);
}

// A triangle with its tip at `tip`, if the network counts as emerged.
void draw_emergence_mark(const Ui& ui, ImDrawList* list, const SeedStatus& seed, ImVec2 tip) {
    if (!is_counted(seed) || counted_since(seed) < 0) return;
    const ImVec2 left(tip.x - ui.px(3), tip.y - ui.px(7)), right(tip.x + ui.px(3), left.y);
    if (ui.log != nullptr) ui.log->record(fmt::format("emergence {}", seed.seed), left, {right.x, tip.y});
    list->AddTriangleFilled(left, right, tip, ui.colors.good);
}

// The phases that have room for their names below the track; logged as "phase NAME".
void draw_phases(const Ui& ui, ImDrawList* list, const Track& track, const Session& session) {
    const std::vector<RunPhase> phases = phases_of(session);
    for (size_t i = 0; i < phases.size(); ++i) {
        const float from = std::round(track.pixel(phases[i].from)), top = track.middle + ui.px(4);
        const float to = i + 1 < phases.size() ? track.pixel(phases[i + 1].from) : track.right;
        const float right = from + ui.px(5) + text_size(ui.fonts.small, phases[i].name).x;
        if (right + ui.px(4) > to || ui.presenting) continue;
        list->AddLine({from, top}, {from, top + ui.px(12)}, ui.colors.axis, ui.px(1));
        draw_text_placed(list, ui.fonts.small, {from + ui.px(5), top}, Placed::top_left, ui.colors.muted,
                         phases[i].name);
        if (ui.log != nullptr) ui.log->record("phase " + phases[i].name, {from, top}, {right, top + ui.px(12)});
    }
}

// How far the run has come, its phases, and when seeds emerged.
void draw_track_ground(const Ui& ui, ImDrawList* list, const Track& track, const Session& session) {
    const Snapshot& live = *session.live_snapshot();
    const float half = ui.px(3);
    list->AddRectFilled({track.left, track.middle - half}, {track.right, track.middle + half}, ui.colors.control, half);
    list->AddRectFilled({track.left, track.middle - half},
                        {std::max(track.pixel(live.step), track.left + 2 * half), track.middle + half}, ui.colors.axis,
                        half);
    draw_missing_past(ui, list, track, session);
    if (!track.emergence) return;
    draw_phases(ui, list, track, session);
    for (const SeedStatus& seed : live.seeds)
        draw_emergence_mark(ui, list, seed, {track.pixel(counted_since(seed)), track.middle - ui.px(5)});
}

void draw_track_marks(const Ui& ui, ImDrawList* list, const Track& track, const Session& session) {
    if (session.pin()) {
        const float at = std::round(track.pixel(session.pin()->step)), top = track.middle + ui.px(5);
        list->AddLine({at, track.middle - ui.px(9)}, {at, top}, ui.colors.text, ui.px(2));
        draw_text_placed(list, ui.fonts.small, {at, top}, Placed::top, ui.colors.text, "pin");
    }
    const bool live = session.time().live();
    const float x = track.pixel(live ? session.live_snapshot()->step : *session.time().step());
    list->AddCircleFilled({x, track.middle}, ui.px(8), ui.colors.panel);
    list->AddCircleFilled({x, track.middle}, ui.px(6), live ? ui.colors.accent : ui.colors.warning);
}

// The first moment at or after `step`, if there is one.
std::optional<int64_t> moment_from(const Session& session, int64_t step) {
    for (const auto& moment : session.moments().moments())
        if (moment->step >= step) return moment->step;
    return std::nullopt;
}

// The mark of emerged seeds or the start of a phase under the pointer.
struct PointedMark {
    std::vector<uint64_t> seeds;
    std::string phase;
    std::optional<int64_t> step;
};

PointedMark pointed_mark(const Ui& ui, const Track& track, const Session& session, ImVec2 pointer) {
    PointedMark mark;
    if (!track.emergence) return mark;
    if (pointer.y > track.middle + ui.px(4) && !ImGui::IsMouseDragging(ImGuiMouseButton_Left))
        for (const RunPhase& phase : phases_of(session)) {
            const float from = track.pixel(phase.from) - ui.px(3);
            if (pointer.x < from || pointer.x > from + ui.px(8) + text_size(ui.fonts.small, phase.name).x) continue;
            mark.phase = phase.words;
            mark.step = moment_from(session, phase.from);
        }
    if (pointer.y > track.middle - ui.px(4)) return mark;
    for (const SeedStatus& seed : session.live_snapshot()->seeds) {
        if (!is_counted(seed) || std::abs(track.pixel(counted_since(seed)) - pointer.x) > ui.px(4)) continue;
        mark.seeds.push_back(seed.seed);
        if (!mark.step) mark.step = moment_from(session, counted_since(seed) + seed.seen_later);
    }
    return mark;
}

constexpr float kPlay = 36.0F, kLive = 64.0F, kCompare = 80.0F, kApart = 6.0F;  // lengths of the design

float right_width(const Ui& ui, const Session& session) {
    return ui.px(kPlay + kApart + kLive) + (session.can_compare() ? ui.px(kApart + kCompare) : 0.0F);
}

// The buttons of the past keep their place while the live moment is shown.
void draw_right(const Context& context, ImVec2 at, float height) {
    const auto& [ui, session, asks] = context;
    const bool past = !session.time().live(), playing = session.time().playing();
    const auto button = [&](bool there, const char* id, const char* label, float width, const std::string& help,
                            Action action, bool strong = false) {
        ImGui::SetCursorScreenPos(at);
        if (there && draw_button(context.ui, id, label, {context.ui.px(width), height}, help, strong))
            context.asks(action);
        at.x += context.ui.px(width + kApart);
    };
    button(past, "time play", playing ? "❚❚" : "▶", kPlay, tooltip_of(Action::time_play), Action::time_play);
    button(past, "live", "Live", kLive, "Back to the newest moment  (End)", Action::time_live, true);
    button(session.can_compare(), "compare", session.other() ? "Close B" : "A | B", kCompare,
           session.other() ? "Go on with run A alone  (B)"
                           : "Compare with a second run: the same seeds, one setting different  (B)",
           Action::compare);
}

constexpr float kRow = 42.0F;

float compare_bar_height(const Ui& ui) { return ui.px(40); }

// Every setting may differ but the length of the runs, which are compared step by step.
void draw_field_choice(const Context& context, float width) {
    const auto& [ui, session, asks] = context;
    const std::string chosen = session.difference()->field;
    if (!begin_choices(ui, "B field", greek(session.settings().info(chosen).label), width,
                       "The setting in which B differs from A. All others are the same in both."))
        return;
    const std::string stop = session.stop_field().value_or("");
    for (const FieldInfo& field : session.settings().fields()) {
        if (field.name == stop) continue;
        const bool is_chosen = field.name == chosen;
        if (draw_choice(ui, "B choose " + field.name, greek(field.label), is_chosen) && !is_chosen)
            asks(ask::Differ{field.name, {}});
    }
    ImGui::EndCombo();
}

void draw_value(const Context& context, ImVec2 at, float width) {
    const auto& [ui, session, asks] = context;
    const Difference difference = *session.difference();
    FieldInfo field = session.settings().info(difference.field);
    field.name = "B " + field.name;
    ImGui::SetCursorScreenPos(at);
    ImGui::BeginChild("value", {width, ImGui::GetFrameHeight()}, false, ImGuiWindowFlags_NoScrollbar);
    // The list beside it names the setting, so the label of the control is moved out of sight.
    ImGui::SetCursorPosX(-width);
    const auto value = draw_field(ui, field, difference.value, "");
    ImGui::EndChild();
    if (value) asks(ask::Differ{difference.field, *value});
}

// A line that names the difference between runs A and B, and changes it.
void draw_compare_bar(const Context& context, const Box& box) {
    const auto& [ui, session, asks] = context;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float middle = std::round(box.min.y + box.size.y / 2);
    const float top = std::round(middle - ImGui::GetFrameHeight() / 2);
    float x = box.min.x + ui.px(16);
    const auto put = [&](const ImFont* font, ImU32 color, const std::string& text, float gap) {
        draw_text_placed(list, font, {x, middle}, Placed::left, color, text);
        x += text_size(font, text).x + gap;
    };
    put(ui.fonts.bold, side_color(ui, false), "A", ui.px(8));
    put(ui.fonts.body, ui.colors.text, side_text(session, false), ui.px(28));
    // B has a fixed place, so that it does not move while A's number changes.
    x = std::max(x, box.min.x + ui.px(230));
    put(ui.fonts.bold, side_color(ui, true), "B", ui.px(8));
    ImGui::SetCursorScreenPos({x, top});
    draw_field_choice(context, ui.px(170));
    x += ui.px(178);
    draw_value(context, {x, top}, ui.px(170));
    x += ui.px(186);
    const bool refused = !session.compare_refusal().empty();
    const float room = box.max().x - ui.px(16) - x;
    const std::string whole = refused ? session.compare_refusal() : "same seeds, same random numbers";
    const std::string text = refused ? elided(ui.fonts.small, whole, room) : whole_parts(ui.fonts.small, whole, room);
    if (room < ui.px(60)) return;
    const ImVec2 size = text_size(ui.fonts.small, text), at(x, std::round(middle - size.y / 2));
    draw_text(list, ui.fonts.small, at, refused ? ui.colors.bad : ui.colors.muted, text);
    if (text != whole && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, {at.x + size.x, at.y + size.y}))
        explain_now(ui, whole);
}

}  // namespace

std::vector<RunPhase> phases_of(const Session& session) {
    const Snapshot& live = *session.live_snapshot();
    int64_t pattern = -1, values = -1;  // the steps of the first network
    const auto first = [](int64_t& earliest, int64_t step) {
        if (step >= 0 && (earliest < 0 || step < earliest)) earliest = step;
    };
    for (const SeedStatus& seed : live.seeds) {
        first(pattern, seed.emerged_at);
        if (seed.judged && is_counted(seed)) first(values, seed.judged->since);
    }
    std::vector<RunPhase> phases;
    const auto begin = [&](const char* name, int64_t from, const std::string& what) {
        if (from < 0) return;
        phases.push_back({from, name, fmt::format("After {} {} a first network {}.", from, live.step_unit, what)});
    };
    const bool weights = counts_verdicts(live);
    begin("pattern forms", pattern, weights ? "looks like " + live.algorithm : live.emerged_words);
    begin("values follow", values, "computes " + live.algorithm);
    if (phases.empty()) return phases;
    std::stable_sort(phases.begin(), phases.end(),
                     [](const RunPhase& a, const RunPhase& b) { return a.from < b.from; });
    phases.insert(phases.begin(), {0, "before", "Before any network does."});
    return phases;
}

void step_through_phases(Session& session, int way) {
    if (!session.live_snapshot() || session.moments().empty()) return;
    const int64_t now = session.time().step().value_or(session.live_snapshot()->step);
    std::optional<int64_t> to;
    for (const RunPhase& phase : phases_of(session)) {
        const auto start = moment_from(session, phase.from);
        if (start && (way > 0 ? *start > now && !to : *start < now)) to = start;
    }
    if (to || way < 0)
        session.show_step(to.value_or(0));
    else
        session.show_live();
}

float timeline_height(const Ui& ui, const Session& session) {
    return ui.px(kRow) + (session.other() ? compare_bar_height(ui) : 0.0F);
}

std::string moment_text(const Session& session) {
    const Snapshot& live = *session.live_snapshot();
    if (!session.time().live()) return fmt::format("past: {} {}", *session.time().step(), live.step_unit);
    return fmt::format("{} of {} {}", live.step, live.status.target_step, live.step_unit);
}

void draw_time_track(const Context& context, ImVec2 at, ImVec2 size, bool emergence) {
    const auto& [ui, session, asks] = context;
    if (!session.live_snapshot() || session.moments().empty()) return;
    const Snapshot& live = *session.live_snapshot();
    Track track;
    track.emergence = emergence;
    track.left = at.x + ui.px(9);
    track.right = at.x + size.x - ui.px(9);
    track.middle = std::round(at.y + size.y / 2);
    track.end = static_cast<double>(std::max({live.step, live.status.target_step, int64_t{1}}));
    draw_place(ui, "timeline", at, size);
    const float pointer = ImGui::GetIO().MousePos.x;
    const PointedMark mark = pointed_mark(ui, track, session, ImGui::GetIO().MousePos);
    const int64_t pointed = mark.step.value_or(track.step(pointer));
    if (ImGui::IsItemActive()) {
        // A trembling hand in a click is no drag.
        const bool dragged = ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.px(3));
        if (ImGui::IsItemActivated() || (dragged && ImGui::GetIO().MouseDelta.x != 0.0F)) asks(ask::ShowStep{pointed});
    } else if (ImGui::IsItemHovered()) {
        explain_item(ui, mark.phase.empty() ? track_text(session, pointed, mark.seeds) : mark.phase);
    }
    ImDrawList* list = ImGui::GetWindowDrawList();
    draw_track_ground(ui, list, track, session);
    draw_track_marks(ui, list, track, session);
}

void draw_timeline(const Context& context, const Box& box, bool emergence) {
    const auto& [ui, session, asks] = context;
    const Panel panel(ui, "timeline", box);
    if (!session.live_snapshot() || session.moments().empty()) return;
    Box row{box.min, {box.size.x, ui.px(kRow)}};
    if (session.other()) {
        draw_compare_bar(context, {box.min, {box.size.x, compare_bar_height(ui)}});
        row.min.y += compare_bar_height(ui);
    }
    if (!session.time().live())
        ImGui::GetWindowDrawList()->AddRectFilled(row.min, row.max(), with_alpha(ui.colors.warning, 0.14F), ui.px(6));
    const float height = ui.px(30);
    const float top = std::round(row.min.y + (row.size.y - height) / 2);
    const float left = row.min.x + ui.px(8), right = row.max().x - ui.px(8) - right_width(ui, session);
    draw_time_track(context, {left, row.min.y}, {std::max(ui.px(40), right - left), row.size.y}, emergence);
    draw_right(context, {right, top}, height);
}

ImU32 side_color(const Ui& ui, bool of_b) { return of_b ? ui.colors.warning : ui.colors.accent; }

std::string side_text(const Session& session, bool of_b) {
    if (!session.difference()) return "";
    const Difference& difference = *session.difference();
    const FieldValue& value = of_b ? difference.value : session.settings().value(difference.field);
    const FieldInfo& field = session.settings().info(difference.field);
    return greek(field.label + " " + value_in_words(field, value));
}

}  // namespace emergence
