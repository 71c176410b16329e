// Carries out lesson, which lists the shipped lessons and checks one.

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "app/cli/answer.h"
#include "app/cli/command.h"
#include "app/lessons/rehearsal.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/folders.h"
#include "core/files/text.h"

namespace emergence::cli {
namespace {

struct LessonRequest {
    std::string action;  // list, check
    std::string file;    // a file, or a shipped lesson's name
    bool play = false;   // also plays it, to see whether its conditions are reached and its answers true
};

namespace fs = std::filesystem;

Answer list_the_lessons(const Environment& environment) {
    Json lessons = Json::array();
    for (const LessonInfo& one : lessons_in(environment.assets() / "lessons"))
        lessons.push_back({{"name", one.name}, {"title", one.title}, {"minutes", one.minutes}});
    return {{{"lessons", lessons}},
            "Lessons (emergence FILE opens one, lesson check NAME|FILE checks it)\n" +
                rows_text(lessons, "  {name:<20} {title} ({minutes} minutes)\n")};
}

fs::path lesson_named(const std::string& name, const Environment& environment) {
    if (is_there(name)) return name;
    const std::vector<LessonInfo> known = lessons_in(environment.assets() / "lessons");
    for (const LessonInfo& one : known)
        if (one.name == name) return one.path;
    throw InputError("{}: is neither a file nor the name of a shipped lesson. `emergence-cli lesson list` lists them.",
                     name);
}

int play(const fs::path& file, const FindExperiment& find, const Environment& environment) {
    const Lesson lesson = read_lesson(file);
    size_t number = 0, failed = 0;
    Json steps = Json::array();
    HeadlessHost host(file.parent_path(), find, environment.threads());
    rehearse(lesson, host, [&](const RehearsedStep& step) {
        failed += step.failure.empty() ? 0 : 1;
        if (environment.asked.json) {
            steps.push_back({{"step", ++number}, {"failure", step.failure}, {"reveal", step.reveal}, {"at", step.at}});
            return;
        }
        environment.out << fmt::format("step {}: {} (opened in {:.1f} s, answered in {:.1f} s, at step {})\n", ++number,
                                       step.failure.empty() ? "true" : step.failure, step.opening, step.answering,
                                       step.at);
        if (!step.reveal.empty()) environment.out << "    " << step.reveal << '\n';
        environment.out.flush();
    });
    if (environment.asked.json)
        print_json({{"file", file.string()}, {"faults", Json::array()}, {"steps", steps}}, environment.out);
    if (failed == 0) return kDone;
    environment.err << fmt::format("emergence-cli: {}: {} of {} steps fail\n", file.filename().string(), failed,
                                   number);
    return kFailure;
}

int run_lesson(const LessonRequest& request, const Environment& environment) {
    if (request.action == "list") return print_answer(list_the_lessons(environment), environment);
    if (request.file.empty()) throw InputError("lesson {}: name a lesson or its file", request.action);
    const fs::path file = lesson_named(request.file, environment);
    const FindExperiment find = environment.find_experiment();
    const std::string text = read_text(file);
    const std::vector<FileFault> faults = check_lesson(text, file.string(), file.parent_path(), find);
    for (const FileFault& fault : faults) environment.err << fault_text(file.string(), fault) << '\n';
    if (environment.asked.json && !(request.play && faults.empty())) {
        Json wrong = Json::array();
        for (const FileFault& fault : faults) wrong.push_back({{"line", fault.line}, {"reason", fault.reason}});
        print_json({{"file", file.string()}, {"faults", wrong}}, environment.out);
    }
    if (!faults.empty()) return kBadInput;
    if (!environment.asked.json) environment.out << file.string() << ": every name exists\n";
    return request.play ? play(file, find, environment) : kDone;
}

}  // namespace

Command lesson_command() {
    return command_of<LessonRequest>(
        "lesson", "List the lessons, or check one",
        [](Options& options, LessonRequest& request) {
            options.choice("action", {"list", "check"}, "list or check", request.action).required();
            options.text("file", "LESSON|FILE", "A lesson file (TOML), or the name of a shipped lesson", request.file);
            options.flag("--play",
                         "Also play the lesson without a window: follow its texts, train, and check every answer",
                         request.play);
            options.threads();
            options.json();
        },
        run_lesson);
}

}  // namespace emergence::cli
