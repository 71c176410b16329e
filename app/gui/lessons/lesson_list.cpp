#include "app/gui/lessons/lesson_list.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {
namespace {

constexpr float kLessonsWidth = 620.0F;

// How far the user has come in the lesson; "" if it was not begun.
std::string lesson_progress_text(const LessonInfo& lesson, size_t seen) {
    if (seen == 0) return "";
    return seen == lesson.steps ? "✓ done" : fmt::format("at step {} of {}", seen + 1, lesson.steps);
}

// "1   Nothing is being trained". Lessons refer to each other by the numbers at the beginning of their file names.
std::string numbered_title(const LessonInfo& lesson) {
    const size_t digits = std::min(lesson.name.find_first_not_of("0123456789"), lesson.name.size());
    return digits == 0 ? lesson.title : lesson.name.substr(0, digits) + "   " + lesson.title;
}

// Draws title and description on the left, minutes and progress on the right. Returns true if the row was clicked.
bool draw_lesson_row(const Ui& ui, const LessonInfo& lesson, size_t seen, bool chosen) {
    const float wide = ui.px(kLessonsWidth), pad = ui.px(6);
    const std::string minutes = fmt::format("{} minutes", lesson.minutes), come = lesson_progress_text(lesson, seen);
    const float right = std::max(text_size(ui.fonts.small, minutes).x, text_size(ui.fonts.small, come).x);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = draw_entry(ui, "lesson " + lesson.name,
                                    {{ui.fonts.bold, ui.colors.text, numbered_title(lesson)},
                                     {ui.fonts.small, ui.colors.muted, lesson.description, 0.0F, 99}},
                                    chosen, wide, right + pad);
    if (seen > 0 && seen < lesson.steps)
        explain_item(ui, fmt::format("Resumes at step {}. ‹ Back leads to the steps before it.", seen + 1));
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float end = at.x + wide - pad, first = at.y + ui.px(4);
    draw_text_placed(list, ui.fonts.small, {end, first}, Placed::top_right, ui.colors.muted, minutes);
    draw_text_placed(list, ui.fonts.small, {end, first + ui.fonts.bold->FontSize}, Placed::top_right,
                     seen == lesson.steps ? ui.colors.good : ui.colors.accent, come);
    return clicked;
}

}  // namespace

size_t steps_seen(const LessonInfo& lesson, const std::map<std::string, int64_t>& seen) {
    const auto found = seen.find(lesson.name);
    return found == seen.end() ? 0 : std::min(static_cast<size_t>(std::max<int64_t>(0, found->second)), lesson.steps);
}

void LessonList::open(const Session&) {
    show();
    lessons_ = shipped_lessons();
    shipped_ = lessons_.size();
    chosen_ = 0;
    try {
        for (LessonInfo& own : lessons_in(own_folder_())) {
            own.description = own.description.empty() ? "Your own" : "Your own: " + own.description;
            lessons_.push_back(std::move(own));
        }
    } catch (const std::runtime_error&) {  // no such folder, so the user has no lessons
    }
}

// Arrows choose and Enter opens; a number opens its lesson.
std::optional<size_t> LessonList::taken_by_key() {
    const size_t count = lessons_.size();
    if (count == 0) return std::nullopt;
    chosen_ = (chosen_ + count + static_cast<size_t>(arrows_pressed())) % count;
    if (enter_pressed()) return chosen_;
    for (const ImWchar typed : ImGui::GetIO().InputQueueCharacters)
        for (size_t i = 0; i < shipped_; ++i)
            if (typed >= '0' && typed <= '9' && lessons_[i].name.starts_with(static_cast<char>(typed))) return i;
    return std::nullopt;
}

void LessonList::draw(const Context& context) {
    if (!open_) return;
    const std::map<std::string, int64_t>& seen = preferences_.lessons;
    const Ui& ui = context.ui;
    const auto leave_for = [&](Ask wanted) {
        context.asks(std::move(wanted));
        close();
    };
    const Dialog dialog(ui, "lessons", kLessonsWidth);
    heading_text(ui, "Lessons");
    small_text(ui, ui.colors.muted,
               "You predict, and a live run answers. Your own run comes back when you leave the lesson. "
               "Keys: ↑ ↓ and Enter, or a number.");
    std::optional<size_t> taken = taken_by_key();
    for (size_t i = 0; i < lessons_.size(); ++i)
        if (draw_lesson_row(ui, lessons_[i], steps_seen(lessons_[i], seen), i == chosen_)) taken = i;
    if (taken && *taken < shipped_)
        leave_for(ask::TakeLesson{lessons_[*taken].name});
    else if (taken)
        leave_for(ask::BeginLesson{lessons_[*taken].path});
    if (shipped_ == 0) small_text(ui, ui.colors.warning, "No lesson was found: the program's assets are missing.");
    ImGui::Dummy({0.0F, ui.px(4)});
    const ImVec2 size(ui.px(170), 0.0F);
    if (draw_button(ui, "lessons write", "Write your own…", size, "The handbook's page for teachers"))
        leave_for(ask::ShowHandbook{"lessons.md#write-one"});
    ImGui::SameLine();
    if (draw_button(ui, "lessons close", "Close", {ui.px(90), 0.0F}, "L or Esc", true)) close();
}

}  // namespace emergence
