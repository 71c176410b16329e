// Everything that may happen because a panel, a sheet, a button, a drop or a pasted text asks for it.
#include <imgui.h>

#include <utility>

#include "app/gui/workbench.h"
#include "core/base/ranges.h"

namespace emergence {

// One overload for each request.
struct Answers {
    Workbench& w;
    Session& session;

    void operator()(Action action) const { w.act(action, session); }

    // ---- of the run
    void operator()(const ask::Set& a) const { session.set_field(a.field, a.value); }
    void operator()(const ask::Defaults&) const {
        session.attempt([&] { session.load(session.info(), Settings(session.info().fields)); });
    }
    void operator()(const ask::Differ& a) const {
        if (a.value)
            session.compare(a.field, *a.value);
        else
            session.compare_in(a.field);
    }
    void operator()(const ask::Pace& a) const { session.set_pace(a.steps_per_second); }
    void operator()(const ask::ShowStep& a) const { session.show_step(a.step); }
    void operator()(const ask::ChooseSeed& a) const {
        if (!session.snapshot()) return;
        const std::vector<SeedStatus>& seeds = session.snapshot()->seeds;
        const auto found = find_if(seeds, [&](const auto& one) { return one.seed == a.seed; });
        const auto index = static_cast<int>(found - seeds.begin());
        int& chosen = w.matrices_.seed_index();
        if (found != seeds.end()) chosen = chosen == index ? -1 : index;
    }
    void operator()(const ask::ComputeMarks&) const { session.compute_marks(); }
    void operator()(const ask::ClickCell& a) const {
        if (w.lesson_.click_cell(a.matrix, a.row, a.column, session)) w.matrices_.deselect();
    }
    // Restarts from the shown weights with their surgery applied.
    void operator()(const ask::TrainOn&) const {
        if (!session.snapshot()) return;
        session.attempt([&] {
            const std::filesystem::path file = w.files_.write_weights(*session.snapshot());
            Settings settings = session.settings();
            settings.set(FieldRole::surgery, std::string());
            w.door_.start_from_weights(file, std::move(settings), session);
        });
    }
    void operator()(const ask::Overlay& a) const {
        Session::Overlays overlays = a.run ? session.overlays() : Session::Overlays();
        if (a.run) overlays.push_back(a.run);
        session.set_overlays(std::move(overlays));
    }
    void operator()(const ask::Uncover& a) const {
        Session::Overlays overlays = session.overlays();
        std::erase_if(overlays, [&](const auto& one) { return one->folder == a.folder; });
        session.set_overlays(std::move(overlays));
    }
    void operator()(const ask::Compare& a) const { w.comparison_.open_with(a.run); }
    void operator()(const ask::Threads& a) const { session.set_threads(a.count); }

    // ---- to open
    void operator()(const ask::Open& a) const { w.door_.open(a.paths, session); }
    // A dropped file or folder that cannot be opened holds a class's answers, if the lesson waits for some.
    void operator()(const ask::Drop& a) const {
        const bool asked = w.lesson_.is_open() && w.lesson_.player().step().predict && a.paths.size() == 1;
        if (!asked || can_be_opened(a.paths.front())) return w.door_.open(a.paths, session);
        session.attempt([&] { w.lesson_.take_class(class_text(a.paths.front()).text, session); },
                        Session::kAnswerStays);
    }
    // A state of the window names an experiment. A class's answers are lines with colons or tabs.
    void operator()(const ask::Paste& a) const {
        const bool state = a.text.find("experiment = ") != std::string::npos;
        if (state || !w.lesson_.take_class(a.text, session)) w.door_.open_text(a.text, "the pasted text", session);
    }
    void operator()(const ask::OpenPreset& a) const { w.door_.open_preset(a.name, session, a.notice); }
    void operator()(const ask::OpenExperiment& a) const { w.door_.open_experiment(*a.info, session); }
    void operator()(const ask::OpenRun& a) const { w.door_.open_run(a, session); }
    void operator()(const ask::OpenCell& a) const { w.door_.open_cell(a, session); }
    void operator()(const ask::ShowHandbook& a) const { w.handbook_.open_at(a.link); }
    void operator()(const ask::ShowSetting& a) const { w.show_settings().show(a.name); }
    void operator()(const ask::Bring& a) const { w.stage_.bring(a.ids); }
    void operator()(const ask::Export& a) const { w.files_.export_panel().open_with(a.kind, a.name); }

    // ---- lessons
    void operator()(const ask::BeginLesson& a) const { w.begin_lesson(a.file, session, a.first); }
    void operator()(const ask::TakeLesson& a) const {
        for (const LessonInfo& one : shipped_lessons())
            if (one.name == a.name) w.take_lesson(one, session);
    }
    void operator()(const ask::AnswerLesson& a) const { w.lesson_.answer(a.answer, session); }
    void operator()(const ask::AnswerAgain&) const { w.lesson_.answer_again(session); }
    // Scrolls to the first control that the step unlocks, or that the spotlight is on.
    void operator()(const ask::Arrange& a) const {
        if (!w.lesson_.is_open()) return;
        const std::vector<std::string> lit = w.lesson_.spotlight();
        w.lesson_settings_ = any_of(lit, [&](const auto& name) { return session.settings().has(name); });
        for (const std::string& name : a.staging.controls) {
            const bool locked = session.locked(name), is_lit = contains(lit, name);
            if ((locked && !is_lit) || w.preferences_.look.presenting) continue;
            w.show_settings().show(name, !locked);
            break;
        }
        w.stage_.open(a.staging, std::nullopt);
    }

    // ---- to say
    void operator()(const ask::Say& a) const { w.toasts_.add(a.sentence, a.path); }
    void operator()(const ask::Report& a) const { session.report(a.sentence); }
    void operator()(const ask::Dismiss&) const { session.dismiss_banner(); }
    void operator()(const ask::Copy& a) const {
        ImGui::SetClipboardText(a.text.c_str());
        if (!a.notice.empty()) w.toasts_.add(a.notice);
    }

  private:
    static bool can_be_opened(const std::filesystem::path& path) {
        try {
            (void)opening_at(path);
            return true;
        } catch (const std::runtime_error&) {
            return false;
        }
    }
};

void Workbench::answer(const Ask& ask, Session& session) { std::visit(Answers{*this, session}, ask); }

// An answer may ask for more, which is answered too.
void Workbench::answer_all(Session& session) {
    answered_ = !asks_.empty();
    while (!asks_.empty())
        for (const Ask& one : asks_.take()) answer(one, session);
}

}  // namespace emergence
