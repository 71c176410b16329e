#include "app/gui/lessons/lesson_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "app/lessons/lesson_files.h"
#include "core/base/ranges.h"

namespace emergence {
namespace {

constexpr float kDarkness = 0.55F;

// True if a logged widget belongs to this picture or setting: "plot msve", "heatmap P0", "drawing world".
bool is_of(const std::string& logged, const std::string& name) {
    for (const char* kind : {"plot ", "drawing ", "heatmap ", "handle "})
        if (logged.starts_with(kind) && logged.compare(std::string(kind).size(), std::string::npos, name) == 0)
            return true;
    // Theory's matrix belongs to the learned one.
    return logged == name || logged.starts_with("heatmap " + name + " ");
}

using Phase = LessonPlayer::Phase;

constexpr int kFramesToScroll = 3;  // until the answer's text has its height

void large_text(const Ui& ui, ImU32 color, const std::string& text) {
    ImGui::PushFont(ui.fonts.reading);
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0F, ui.px(2)});
    for (const std::string& line : lines_of_words(ui.fonts.reading, text, ImGui::GetContentRegionAvail().x)) {
        ImGui::TextUnformatted(line.c_str());
        tell_last_text(line);
    }
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    ImGui::PopFont();
    ImGui::Dummy({0.0F, ui.px(2)});
}

void space(const Ui& ui, float length) { ImGui::Dummy({0.0F, ui.px(length)}); }

void draw_heading(const Ui& ui, const LessonPlayer& player) {
    heading_text(ui, player.lesson().title.c_str());
    // One dot per step: done, present, to come.
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float radius = ui.px(4), apart = ui.px(15);
    for (size_t i = 0; i < player.size(); ++i) {
        const ImVec2 centre(at.x + radius + apart * static_cast<float>(i), at.y + radius + ui.px(3));
        if (i <= player.index())
            list->AddCircleFilled(centre, i == player.index() ? radius + ui.px(1) : radius, ui.colors.accent);
        else
            list->AddCircle(centre, radius, ui.colors.muted, 0, 1.5F * ui.scale);
    }
    draw_text_placed(list, ui.fonts.small, {at.x + ImGui::GetContentRegionAvail().x, at.y + radius + ui.px(3)},
                     Placed::right, ui.colors.muted, fmt::format("{} of {}", player.index() + 1, player.size()));
    space(ui, 18);
}

// What the reader is waiting for.
std::string waiting_text(const LessonPlayer& player, const Session& session) {
    if (player.phase() == Phase::opening) return "Opening…";
    const auto& live = session.live_snapshot();
    if (player.phase() != Phase::doing || !live || live->status.state != RunState::running) return "";
    const int64_t end = std::min(player.awaited_step().value_or(live->status.target_step), live->status.target_step);
    return fmt::format("training: {} of {} {}", live->step, end, live->step_unit);
}

void draw_answer(const Ui& ui, const LessonPlayer& player, bool explores) {
    const std::string reveal = player.reveal();
    if (reveal.empty()) return;
    space(ui, 6);
    if (const auto right = player.right())
        large_text(ui, *right ? ui.colors.good : ui.colors.warning,
                   fmt::format("{}{}", *right ? "✓ As you predicted" : "✗ Not as you predicted",
                               player.changed_answer() ? " (answer changed)" : ""));
    if (const auto error = player.sketch_error())
        large_text(ui, ui.colors.muted,
                   fmt::format("Your curve is off by {:.0f} % of the axis on average.", 100.0 * *error));
    large_text(ui, ui.colors.text, reveal);
    if (explores) return;  // the reader has changed the run
    if (player.false_statements().empty()) return;
    small_text(ui, ui.colors.warning,
               player.step().does.empty()
                   ? "This run differs: not all that the answer says holds in it."
                   : "Not all that the answer says holds for what you set: the text asks for another value.");
    log_item(ui, "differs");
}

// Draws a bar for each of the class's answers, and marks the right one once it is known.
void draw_class(const Ui& ui, const LessonPlayer& player, const ClassAnswers& answers) {
    const bool known = player.phase() == Phase::revealed;
    const float wide = ImGui::GetContentRegionAvail().x, high = ui.fonts.small->FontSize + ui.px(6);
    const auto all = static_cast<float>(answers.given.size());
    ImDrawList* list = ImGui::GetWindowDrawList();
    int right = 0;
    space(ui, 4);
    for (const ClassCount& one : class_counts(answers, *player.step().predict)) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float end = at.x + wide * static_cast<float>(one.count) / all;
        list->AddRectFilled(at, {at.x + wide, at.y + high}, ui.colors.control, ui.px(3));
        list->AddRectFilled(at, {end, at.y + high}, with_alpha(ui.colors.accent, 0.45F), ui.px(3));
        if (known && one.right)
            list->AddRect(at, {at.x + wide, at.y + high}, ui.colors.good, ui.px(3), ImDrawFlags_None, 2.0F * ui.scale);
        const float room = wide - ui.px(50);
        draw_text(list, ui.fonts.small, {at.x + ui.px(6), at.y + ui.px(3)}, ui.colors.text,
                  elided(ui.fonts.small, greek(one.answer), room));
        draw_text_placed(list, ui.fonts.small, {at.x + wide - ui.px(6), at.y + ui.px(3)}, Placed::top_right,
                         ui.colors.text, std::to_string(one.count));
        ImGui::Dummy({wide, high});
        if (one.right) right = one.count;
    }
    log_item(ui, "class");
    const bool sketched = std::holds_alternative<SketchPrediction>(*player.step().predict);
    std::string said =
        fmt::format("The class: {} {}", answers.given.size(), answers.given.size() == 1 ? "answer" : "answers");
    if (known && !sketched) said += fmt::format(", {} right", right);
    small_text(ui, ui.colors.muted, said + (sketched ? ", thin lines" : ""));
}

// The buttons after the last step's answer.
std::optional<Action> draw_end(const Ui& ui, const LessonRoom& room, const std::string& following, ImVec2 half,
                               float gap) {
    std::optional<Action> wanted;
    if (draw_button(ui, "lesson back", "‹ Back", half, "The step before  (Page up)")) wanted = Action::lesson_back;
    ImGui::SameLine(0.0F, gap);
    if (draw_button(ui, "lesson explore", "Explore", half, tooltip_of(Action::lesson_explore), false, !room.explores()))
        wanted = Action::lesson_explore;
    const ImVec2 whole(2 * half.x + gap, half.y);
    if (!following.empty()) {
        const float words = whole.x - 2 * ImGui::GetStyle().FramePadding.x;
        if (draw_button(ui, "lesson next", fitting(ui.fonts.bold, {"Next: " + following, "Next lesson"}, words), whole,
                        "Next lesson: " + following + "  (Page down)", true))
            wanted = Action::lesson_next;
    }
    if (draw_button(ui, "lesson leave", "Finish", {whole.x, following.empty() ? whole.y : 0.0F},
                    "Back to the run you had", following.empty()))
        wanted = Action::lesson_leave;
    return wanted;
}

std::optional<Action> draw_ways(const Ui& ui, const LessonRoom& room, const std::string& following) {
    const LessonPlayer& player = room.player();
    std::optional<Action> wanted;
    const float gap = ui.px(8);
    const float half = std::floor((ImGui::GetContentRegionAvail().x - gap) / 2);
    const ImVec2 size(half, std::round(1.3F * ImGui::GetFrameHeight())), whole(2 * half + gap, 0.0F);
    if (room.at_end()) return draw_end(ui, room, following, size, gap);
    if (draw_button(ui, "lesson back", "‹ Back", size, "The step before  (Page up)", false, player.index() > 0))
        wanted = Action::lesson_back;
    ImGui::SameLine(0.0F, gap);
    const bool done = player.phase() == Phase::revealed;
    const bool promised = player.phase() == Phase::predicting && !player.step().does.empty();
    const bool ends = player.at_last() && !player.can_do_it();
    if (player.can_do_it()) {
        if (draw_button(ui, "lesson show", "Show me", size, "Does what the text asks for  (Page down)", true))
            wanted = Action::lesson_next;
    } else if (!ends &&
               draw_button(ui, "lesson next", done ? "Next ›" : "Skip ›", size, "The next step  (Page down)", done)) {
        wanted = Action::lesson_next;
    }
    if (promised)  // the text mentions this button
        draw_button(ui, "lesson show", "Show me", ends ? size : whole, "After your prediction", false, false);
    if (draw_button(ui, "lesson leave", ends ? "Finish" : "Leave the lesson", ends && !promised ? size : whole,
                    "Back to the run you had"))
        wanted = Action::lesson_leave;
    return wanted;
}

// The keys that work now.
std::string keys_text(const LessonPlayer& player) {
    const auto* predicts = player.step().predict ? std::get_if<ChoicePrediction>(&*player.step().predict) : nullptr;
    if (predicts != nullptr && player.phase() == Phase::predicting)
        return fmt::format("Keys: 1 to {} answer, Page down skips.", predicts->choices.size());
    return player.can_do_it() ? "Keys: Page down shows it, Page up goes back." : "Keys: Page down, Page up.";
}

}  // namespace

std::vector<Box> spotlight_boxes(const WidgetLog& log, const std::vector<std::string>& names) {
    std::vector<Box> boxes;
    for (const auto& [logged, place] : log.places()) {
        if (!place.visible || !log.drawn(logged)) continue;
        const auto is_this = [&of = logged](const auto& name) { return is_of(of, name); };
        if (any_of(names, is_this))
            boxes.push_back({place.min, {place.max.x - place.min.x, place.max.y - place.min.y}});
    }
    return boxes;
}

// Between two neighbouring edges of boxes, all rows of the window look alike.
void draw_spotlight(const Ui& ui, const Box& window, const std::vector<Box>& boxes, float margin) {
    if (boxes.empty()) return;
    ImDrawList* list = ImGui::GetForegroundDrawList();
    const ImU32 shade = with_alpha(ui.colors.window, kDarkness);
    std::vector<float> edges = {window.min.y, window.max().y};
    for (const Box& box : boxes)
        for (const float edge : {box.min.y - margin, box.max().y + margin})
            edges.push_back(std::clamp(edge, window.min.y, window.max().y));
    std::sort(edges.begin(), edges.end());
    for (size_t i = 0; i + 1 < edges.size(); ++i) {
        const float top = edges[i], bottom = edges[i + 1];
        if (bottom - top < 0.5F) continue;
        std::vector<std::pair<float, float>> lit;
        for (const Box& box : boxes)
            if (box.min.y - margin <= top && box.max().y + margin >= bottom)
                lit.emplace_back(box.min.x - margin, box.max().x + margin);
        std::sort(lit.begin(), lit.end());
        float from = window.min.x;
        for (const auto& [left, right] : lit) {
            if (left > from) list->AddRectFilled({from, top}, {left, bottom}, shade);
            from = std::max(from, right);
        }
        if (from < window.max().x) list->AddRectFilled({from, top}, {window.max().x, bottom}, shade);
    }
}

float LessonPanel::width(const Ui& ui, float window) {
    return ui.presenting ? std::round(std::clamp(0.28F * window, ui.px(300), ui.px(460)))
                         : std::round(std::clamp(0.24F * window, ui.px(300), ui.px(400)));
}

// Both clicks of a double click belong to what the first one was meant for.
void LessonPanel::follow_clicks(const Ui& ui, const LessonRoom& room) {
    if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
    constexpr double kDoubleClick = 0.5;  // seconds, as on desktops
    const ImVec2 at = ImGui::GetIO().MousePos;
    const bool near = std::abs(at.x - clicked_place_.x) + std::abs(at.y - clicked_place_.y) < ui.px(12);
    const double now = ImGui::GetTime();
    if (!near || clicked_at_ < 0.0 || now - clicked_at_ > kDoubleClick) clicked_on_ = room.changes();
    clicked_at_ = now;
    clicked_place_ = at;
}

// Releasing the mouse counts only for what stood there when the click began. Keys always count.
bool LessonPanel::is_meant(const LessonRoom& room) const {
    return !ImGui::IsMouseReleased(ImGuiMouseButton_Left) || clicked_on_ == room.changes();
}

void LessonPanel::draw_choices(const Context& context, const ChoicePrediction& choice, const LessonRoom& room) {
    const Ui& ui = context.ui;
    const LessonPlayer& player = room.player();
    const float wide = ImGui::GetContentRegionAvail().x;
    for (size_t i = 0; i < choice.choices.size(); ++i) {
        const bool chosen = player.answered() && std::get<int>(*player.answered()) == static_cast<int>(i);
        const std::string label = fmt::format("{}   {}", i + 1, choice.choices[i]);
        const ImVec2 text = ImGui::CalcTextSize(label.c_str(), nullptr, false, wide - 2 * ui.px(12));
        const ImVec2 size(wide, text.y + 2 * ui.px(9));
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushID(static_cast<int>(i));
        const bool open = !player.answered() || (player.can_answer_again() && !chosen);
        const bool pressed = ImGui::InvisibleButton("choice", size) && open;
        ImGui::PopID();
        log_item(ui, fmt::format("choice {}", i + 1));
        const bool hovered = ImGui::IsItemHovered() && open;
        ImDrawList* list = ImGui::GetWindowDrawList();
        const ImVec2 end(at.x + size.x, at.y + size.y);
        const ImU32 ground = chosen ? ui.colors.accent : hovered ? ui.colors.hovered : ui.colors.control;
        list->AddRectFilled(at, end, ground, ui.px(5));
        if (player.phase() == Phase::revealed && static_cast<int>(i) == choice.answer)
            list->AddRect(at, end, ui.colors.good, ui.px(5), ImDrawFlags_None, 2.5F * ui.scale);
        list->AddText(ui.fonts.body, ui.fonts.body->FontSize, {at.x + ui.px(12), at.y + ui.px(9)},
                      chosen ? ui.colors.on_accent : ui.colors.text, label.c_str(), nullptr, wide - 2 * ui.px(12));
        if (pressed && is_meant(room)) context.asks(ask::AnswerLesson{static_cast<int>(i)});
    }
}

void LessonPanel::draw_sketch(const Context& context, const SketchPrediction& axes, const LessonRoom& room) {
    const Ui& ui = context.ui;
    const LessonPlayer& player = room.player();
    const std::pair<std::string, size_t> step(player.lesson().title, player.index());
    const bool another = std::exchange(pad_of_, step) != step;
    if (another && player.answered())
        pad_.restore(std::get<Sketch>(*player.answered()), axes);
    else if (another)
        pad_.clear();
    const float wide = ImGui::GetContentRegionAvail().x;
    const bool open = player.phase() == Phase::predicting;
    std::vector<Sketch> others;
    if (const ClassAnswers* answers = room.class_answers())
        for (const ClassAnswer& one : answers->given) others.push_back(std::get<Sketch>(one.answer));
    pad_.draw(ui, axes, {wide, std::round(0.62F * wide)}, open,
              {player.live_curve(), player.live_curves(), std::move(others), player.sketched_axis()});
    if (!open) return;
    const float clear = std::floor(0.32F * wide), rest = wide - clear - ui.px(8);
    if (draw_button(ui, "sketch clear", "Clear", {clear, 0.0F}, "Draw it again")) pad_.clear();
    ImGui::SameLine(0.0F, ui.px(8));
    if (draw_button(ui, "sketch done", "That is my guess", {rest, 0.0F}, "Compare it with the run", true,
                    pad_.enough()) &&
        is_meant(room))
        context.asks(ask::AnswerLesson{pad_.sketch(axes)});
}

void LessonPanel::draw_prediction(const Context& context, const LessonRoom& room) {
    const Ui& ui = context.ui;
    const std::optional<Prediction>& predict = room.player().step().predict;
    if (!predict || room.player().phase() == Phase::opening) return;
    space(ui, 6);
    if (const auto* choice = std::get_if<ChoicePrediction>(&*predict)) {
        draw_choices(context, *choice, room);
    } else if (const auto* axes = std::get_if<SketchPrediction>(&*predict)) {
        draw_sketch(context, *axes, room);
    } else if (const auto& answered = room.player().answered()) {
        const auto& block = std::get<BlockAnswer>(*answered);
        small_text(ui, ui.colors.muted,
                   fmt::format("You clicked rows {}, columns {}.", greek(block.rows), greek(block.columns)));
    } else {
        small_text(ui, ui.colors.accent,
                   fmt::format("Click a cell of {}.", std::get<BlockPrediction>(*predict).matrix));
    }
    space(ui, 2);
    if (draw_button(ui, "class answers", "Class answers", {0.0F, 0.0F},
                    "Paste a line for each answer: \"Ada: 2\", or the number alone  (Ctrl + V)"))
        context.asks(Action::paste_state);
    if (!room.player().can_answer_again()) return;
    same_line_if_fits(ui.px(8), button_width("Answer again"));
    if (draw_button(ui, "answer again", "Answer again", {0.0F, 0.0F},
                    "The run rests. The answer can be changed until the run has answered.") &&
        is_meant(room))
        context.asks(ask::AnswerAgain{});
}

void LessonPanel::draw(const Context& context, const Box& box, const LessonRoom& room, const std::string& following) {
    const Ui& ui = context.ui;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(16), ui.px(14)});
    const Panel panel(ui, "lesson", box, true);
    ImGui::PopStyleVar();
    follow_clicks(ui, room);
    // Long texts scroll, so the buttons below them stay in sight.
    const float room_for_words = ImGui::GetContentRegionAvail().y - ways_height_ - ImGui::GetStyle().ItemSpacing.y;
    const bool scrolled = words_height_ > room_for_words;
    if (scrolled)
        ImGui::BeginChild("words", {0.0F, std::max(ui.px(60), room_for_words)}, false, ImGuiWindowFlags_NoNav);
    // Words that would have to be scrolled are smaller, until the lesson goes on.
    if (scrolled) small_at_ = room.changes();
    Ui smaller = ui;
    if (small_at_ == room.changes()) smaller.fonts.reading = ui.fonts.body;
    const float top = ImGui::GetCursorPosY();
    draw_words({smaller, context.session, context.asks}, room);
    words_height_ = ImGui::GetCursorPosY() - top;
    if (scrolled) ImGui::EndChild();
    const float before = ImGui::GetCursorPosY();
    const std::optional<Action> wanted = draw_ways(ui, room, following);
    small_text(ui, ui.colors.muted, keys_text(room.player()));
    ways_height_ = ImGui::GetCursorPosY() - before;
    if (wanted && is_meant(room)) context.asks(*wanted);
}

void LessonPanel::draw_words(const Context& context, const LessonRoom& room) {
    const auto& [ui, session, asks] = context;
    const LessonPlayer& player = room.player();
    draw_heading(ui, player);
    if (room.weights_rest(session)) {
        draw_badge(ui, ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), kWeightsRest);
        ImGui::Dummy(badge_size(ui, kWeightsRest));
        log_item(ui, kWeightsRest);
        space(ui, 6);
    }
    large_text(ui, ui.colors.text, player.text());
    draw_prediction(context, room);
    if (const ClassAnswers* answers = room.class_answers()) draw_class(ui, player, *answers);
    if (const std::string waiting = waiting_text(player, session); !waiting.empty())
        small_text(ui, ui.colors.muted, waiting);
    const bool answered = !player.reveal().empty();
    if (answered && !answered_) turns_to_answer_ = kFramesToScroll;
    answered_ = answered;
    if (turns_to_answer_ > 0) ImGui::SetScrollHereY(0.0F);
    turns_to_answer_ = std::max(0, turns_to_answer_ - 1);
    draw_answer(ui, player, room.explores());
    if (room.explores())
        small_text(ui, ui.colors.accent, "All settings are free now. The run you had comes back with Finish.");
    space(ui, 6);
}

}  // namespace emergence
