// How lessons and the tour replace the user's run and restore it.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/gui/lessons/lesson_panel.h"
#include "app/gui/shell/clock.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "app/gui/workbench.h"
#include "app/lessons/worksheet.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/figures/figures.h"
#include "core/lessons/lesson.h"

namespace emergence {

void Workbench::begin_lesson(const std::filesystem::path& path, Session& session, size_t first) {
    tour_.reset();
    session.attempt([&] {
        Lesson lesson = read_lesson(path);
        const std::filesystem::path folder = path.parent_path();
        lessons_ = shipped_lessons();
        lesson_name_.clear();
        for (const LessonInfo& one : lessons_)
            if (std::error_code ignored; std::filesystem::equivalent(one.path, path, ignored)) lesson_name_ = one.name;
        if (lesson_.is_open()) {
            lesson_.begin(std::move(lesson), folder, {}, session, first);
            return;
        }
        runs_.set_aside(session, [this, lesson = std::move(lesson), folder, first,
                                  &session](std::shared_ptr<const SavedRun> run) mutable {
            SetAside aside{session.kept(), view_values(), std::move(run), session.history(), session.advancing()};
            door_.show_next_as(ViewValues{});
            lesson_.begin(std::move(lesson), folder, std::move(aside), session, first);
        });
    });
}

// Begins where the user left the lesson.
void Workbench::take_lesson(const LessonInfo& lesson, Session& session) {
    begin_lesson(lesson.path, session, steps_seen(lesson, preferences_.lessons) % lesson.steps);
}

void Workbench::next_in_lesson(Session& session) {
    const LessonInfo* following = lesson_.at_end() ? following_lesson() : nullptr;
    if (lesson_.player().can_do_it())
        lesson_.do_it(session);
    else if (following != nullptr)
        take_lesson(LessonInfo(*following), session);
    else
        lesson_.next(session);
}

// The next lesson of the list. After the last one, the first that is not done.
const LessonInfo* Workbench::following_lesson() const {
    const auto open = find_if(lessons_, [&](const LessonInfo& one) { return one.name == lesson_name_; });
    if (open == lessons_.end()) return nullptr;
    if (open + 1 != lessons_.end()) return &*(open + 1);
    const auto undone = std::find_if(lessons_.begin(), open, [&](const LessonInfo& one) {
        return steps_seen(one, preferences_.lessons) < one.steps;
    });
    return undone == open ? nullptr : &*undone;
}

void Workbench::note_progress() {
    if (!lesson_.is_open() || lesson_name_.empty()) return;
    const LessonPlayer& player = lesson_.player();
    if (player.phase() != LessonPlayer::Phase::revealed) return;
    int64_t& seen = preferences_.lessons[lesson_name_];
    seen = std::max(seen, static_cast<int64_t>(player.index() + 1));
}

void Workbench::end_lesson(Session& session) {
    const std::unique_ptr<SetAside> aside = lesson_.leave(session);
    if (!aside) return;
    const std::shared_ptr<const Checkpoint> checkpoint = checkpoint_of(*aside);
    runs_.come_back(checkpoint);
    door_.show_next_as(aside->view);
    session.put_back(aside->session, checkpoint, aside->running);
    toasts_.add(checkpoint ? fmt::format("Your run is back at step {}", checkpoint->settings.step.value_or(0))
                           : "Your settings are back");
}

// Writes only the settings that differ from what the step opens, or from the previous step. The step opens the present
// preset if there is one.
LessonDraft Workbench::lesson_draft(const Session& session) {
    LessonDraft draft;
    const std::string preset = chooser_.preset(session);
    const bool goes_on = appended_ && appended_->openings == session.openings();
    if (!goes_on) draft.opens = preset.empty() ? session.info().name : preset;
    const Settings before =
        goes_on ? appended_->settings : lesson_start(draft.opens, {}, files_.folder(), lesson_.find()).settings;
    const Settings& settings = session.settings();
    for (const FieldInfo& field : settings.fields())
        if (!before.has(field.name) || before.value(field.name) != settings.value(field.name))
            draft.settings.push_back({field.name, settings.value(field.name)});
    const int64_t step = session.live_snapshot() ? session.live_snapshot()->step : 0;
    draft.step = goes_on && draft.settings.empty() && step == appended_->step ? 0 : step;
    draft.text = fmt::format("{}, at step {}.", title(session), step);
    draft.stage = stage_.places().stage;
    draft.wings = stage_.places().wings;
    if (session.difference())
        draft.compare = LessonComparison{session.difference()->field, session.difference()->value};
    return draft;
}

// Appends the step; the teacher writes the words into the file, which is a complete lesson after each step.
void Workbench::append_lesson_step(const Session& session) {
    constexpr const char* kFile = "my_lesson.toml";
    try {
        const std::filesystem::path folder = files_.folder(), file = folder / kFile;
        make_folder(folder);
        const bool begins = !std::filesystem::exists(file);
        if (begins) appended_.reset();
        const std::string before = begins ? "title = \"My lesson\"\nminutes = 5\n" : read_text(file);
        write_file(file, std::string_view(before + lesson_step_text(lesson_draft(session))));
        appended_ = LessonMoment{session.settings(), session.openings(),
                                 session.live_snapshot() ? session.live_snapshot()->step : 0};
        toasts_.add(fmt::format("This step is in {}. Write your words there", file.string()), file.string());
    } catch (const std::exception& error) {
        asks_(ask::Report{error.what()});
    }
}

// Writes the class's and the teacher's page. A job plays the lesson for them.
void Workbench::print_lesson() {
    files_.write_made(
        file_stem(lesson_.player().lesson().title), ".html",
        [this, lesson = lesson_.player().lesson(), folder = lesson_.folder(),
         find = lesson_.find()](const Jobs::Task& task) -> FileDesk::Made {
            const Worksheet pages = worksheet(lesson, folder, find, 1, [&](const std::string& text) {
                task.tell([this, text] { toasts_.tell_progress("Playing the lesson to print it: " + text); });
                return !task.stopping();
            });
            if (pages.questions.empty()) return {};
            return {{"worksheet", pages.questions}, {"answers", pages.answers}};
        });
}

void Workbench::turn_lesson(Session& session) {
    const bool over = lesson_.turn(session);
    note_progress();
    if (!over) return;
    // Another run was opened, so the run that was set aside is not wanted any more.
    lesson_.leave(session);
    runs_.come_back(nullptr);
}

// A lesson's runs are not saved among the user's.
double Workbench::autosave_seconds() const {
    return lesson_.is_open() ? 0.0 : static_cast<double>(preferences_.autosave_seconds);
}

std::string Workbench::held_by_lesson(const Session& session) const {
    if (!lesson_.is_open() || !session.locked()) return "";
    return lesson_.player().phase() == LessonPlayer::Phase::predicting ? "First the lesson wants your prediction"
                                                                       : "The lesson runs the training";
}

// Number keys choose an answer. Once the answer is there they do nothing, and no other command gets them.
bool Workbench::answers_lesson(const KeyPress& key, Session& session) {
    constexpr int kDigitZero = '0';  // GLFW's keys for digits are their characters
    if (!lesson_.is_open() || key.modifiers != 0 || key.typing || key.repeated || layers_.top() != nullptr)
        return false;
    const LessonPlayer& player = lesson_.player();
    const auto* choice = player.step().predict ? std::get_if<ChoicePrediction>(&*player.step().predict) : nullptr;
    const int chosen = without_keypad(key.key) - kDigitZero;
    if (choice == nullptr || chosen < 1 || chosen > static_cast<int>(choice->choices.size())) return false;
    if (player.answered() != Answer(chosen - 1)) lesson_.answer(chosen - 1, session);
    return true;
}

void Workbench::draw_lesson(const Context& context, const Box& window) {
    const Ui& ui = context.ui;
    const float gap = ui.px(8);
    const Box box{{window.max().x, gap},
                  {LessonPanel::width(ui, ImGui::GetIO().DisplaySize.x) - gap, window.size.y - 2 * gap}};
    draw_gaps(ui, {box}, gap);
    const LessonInfo* following = following_lesson();
    lesson_panel_.draw(context, box, lesson_, following != nullptr ? following->title : "");
    if (ui.log != nullptr && !layers_.any_open() && !popup_open_) {
        std::vector<Box> lit = spotlight_boxes(*ui.log, lesson_.spotlight());
        for (Box& one : lit) {  // include the setting's name
            const Box& settings = layout_.settings;
            if (one.min.x < settings.min.x || one.max().x > settings.max().x) continue;
            one.size.x += one.min.x - settings.min.x - gap;
            one.min.x = settings.min.x + gap;
        }
        if (!lit.empty() && !context.session.banners().empty()) lit.push_back(message_);  // a banner stays bright
        draw_spotlight(ui, window, lit, ui.px(5));
    }
}

void Workbench::draw_covered_headline(const Ui& ui) const {
    const Panel panel(ui, "headline covered", layout_.headline);
    const ImVec2 min = layout_.headline.min, max = layout_.headline.max();
    draw_text_placed(ImGui::GetWindowDrawList(), ui.fonts.body, {(min.x + max.x) / 2, (min.y + max.y) / 2},
                     Placed::centre, ui.colors.muted, "Covered for now: the lesson asks about it");
}

void Workbench::offer_tour() {
    offered_ = seconds_now();
    for (const LessonInfo& one : shipped_lessons())
        if (one.name == kTourLesson) tour_ = one;
}

void Workbench::put_tour_off() {
    tour_.reset();
    toasts_.add("The tour waits under Lessons (L), in the menu of three dots above");
}

}  // namespace emergence
