// Carries out lesson, which lists the shipped lessons, checks one, and works with a class.

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "app/cli/answer.h"
#include "app/cli/command.h"
#include "app/cli/out_folder.h"
#include "app/cli/progress.h"
#include "app/lessons/rehearsal.h"
#include "app/lessons/worksheet.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/figures/figures.h"
#include "core/lessons/lesson.h"

namespace emergence::cli {
namespace {

struct LessonRequest {
    std::string action;   // list, check, class, worksheet
    std::string file;     // a file, or a shipped lesson's name
    bool play = false;    // also plays it, to see whether its conditions are reached and its answers true
    std::string answers;  // a class's answers, a file or a folder
    std::string step;     // the step that they answer, counted from 1
    std::string out;      // where a worksheet goes
    bool with_answers = false;
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

// Shows what a class answered: how many gave each answer or, for curves, how high they are.
Answer answers_of_class(const ClassAnswers& answers, const Prediction& prediction) {
    constexpr int kBarWidth = 30;  // columns
    constexpr int kHeightPlaces = 5;
    Json counts = Json::array(), heights = Json::array();
    const auto* axes = std::get_if<SketchPrediction>(&prediction);
    std::string text;
    int right = 0;
    for (const ClassCount& one : class_counts(answers, prediction)) {
        counts.push_back({{"answer", one.answer}, {"count", one.count}, {"true", one.right}});
        const std::string bar(static_cast<size_t>(one.count) * kBarWidth / answers.given.size(), '#');
        text +=
            fmt::format("  {:>4}  {:<{}}  {}{}\n", one.count, bar, kBarWidth, one.answer, one.right ? "   (true)" : "");
        if (one.right) right = one.count;
    }
    text += fmt::format("{} of {} are right\n", right, answers.given.size());
    if (axes != nullptr) {
        for (const ClassHeights& at : class_heights(answers, *axes, kHeightPlaces)) {
            const auto known = [&](double height) { return at.count > 0 ? json_number(height) : Json(); };
            heights.push_back({{"x", json_number(at.x)},
                               {"count", at.count},
                               {"lowest", known(at.lowest)},
                               {"median", known(at.median)},
                               {"highest", known(at.highest)}});
        }
        text = fmt::format("{:>10} {:>8} {:>10} {:>10} {:>10}\n", "x", "curves", "lowest", "median", "highest") +
               rows_text(heights, "{x:>10.4g} {count:>8} {lowest:>10.3g} {median:>10.3g} {highest:>10.3g}\n");
    }
    return {{{"answers", counts}, {"heights", heights}}, text};
}

int count_class(const LessonRequest& request, const fs::path& file, const Environment& environment) {
    const Lesson lesson = read_lesson(file);
    size_t number = 1;
    if (!request.step.empty()) {
        number = parsed<size_t>(request.step).value_or(0);
        if (number < 1 || number > lesson.steps.size())
            throw InputError("--step {}: the lesson has the steps 1 to {}", request.step, lesson.steps.size());
    }
    const LessonStep& step = lesson.steps[number - 1];
    if (!step.predict) throw InputError("--step {}: this step asks for no prediction", number);
    if (request.answers.empty())
        throw InputError(
            "lesson class: add --answers FILE|DIR: a file with lines 'name: answer', or a folder of such files");
    const ClassText text = class_text(request.answers);
    const ClassAnswers answers = read_class(text.text, *step.predict, text.files);
    for (const std::string& line : answers.unread) environment.err << request.answers << ": " << line << '\n';
    if (answers.given.empty()) throw InputError(request.answers + ": holds no answer");
    Answer answer = answers_of_class(answers, *step.predict);
    answer.text = fmt::format("{}, step {}: {}\n", lesson.title, number, step.text) + answer.text;
    answer.code = answers.unread.empty() ? kDone : kBadInput;
    return print_answer(answer, environment);
}

int write_worksheet(const LessonRequest& request, const fs::path& file, const FindExperiment& find,
                    const Environment& environment) {
    if (request.out.empty()) throw InputError("lesson worksheet: add --out NAME.html");
    const Lesson lesson = read_lesson(file);
    claim_file(request.out, environment);
    LineOfProgress line(environment.err, environment.err_is_terminal, environment.err_columns);
    const Stopwatch watch;
    std::string said;
    const auto say = [&](const std::string& text) {
        said = fmt::format("{}: {}", lesson.title, text);
        if (line.is_due(watch.seconds())) line.write(said, false);
        return !environment.stopped();
    };
    const Worksheet pages = worksheet(lesson, file.parent_path(), find, environment.threads(), say);
    if (pages.questions.empty()) return kFailure;  // stopped
    if (environment.err_is_terminal) line.write(said, true);
    write_claimed(
        request.out, environment,
        fmt::format("<!-- {} -->\n{}", file_mark(environment), request.with_answers ? pages.answers : pages.questions));
    if (environment.asked.json)
        print_json({{"files", {request.out}}}, environment.out);
    else
        environment.out << fmt::format("{}: open it in a browser and print it\n", request.out);
    return kDone;
}

int run_lesson(const LessonRequest& request, const Environment& environment) {
    if (request.action == "list") return print_answer(list_the_lessons(environment), environment);
    if (request.file.empty()) throw InputError("lesson {}: name a lesson or its file", request.action);
    const fs::path file = lesson_named(request.file, environment);
    if (request.action == "class") return count_class(request, file, environment);
    const FindExperiment find = environment.find_experiment();
    if (request.action == "worksheet") return write_worksheet(request, file, find, environment);
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
        "lesson", "List the lessons, check one, print one, or count a class's answers",
        [](Options& options, LessonRequest& request) {
            options
                .choice("action", {"list", "check", "class", "worksheet"}, "list, check, class, or worksheet",
                        request.action)
                .required();
            options.text("file", "LESSON|FILE", "A lesson file (TOML), or the name of a shipped lesson", request.file);
            options.flag("--play",
                         "Also play the lesson without a window: follow its texts, train, and check every answer",
                         request.play);
            options.text("--answers", "FILE|DIR",
                         "For class: a file with lines 'name: answer', or a folder with one file per name",
                         request.answers);
            options.text("--step", "N", "For class: the step that was answered (default: 1)", request.step);
            options.out("For worksheet: the page to write, NAME.html", request.out, "FILE");
            options.flag("--with-answers", "For worksheet: write the teacher's page, with answers",
                         request.with_answers);
            options.threads();
            options.json();
        },
        run_lesson, true);
}

}  // namespace emergence::cli
