// lesson: the shipped lessons, and what is wrong with one.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "app/cli/commands.h"
#include "app/lessons/rehearsal.h"
#include "core/base/error.h"
#include "core/files/atomic_write.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargestFile = size_t{1} << 20;

void list_the_lessons(const Environment& environment) {
    environment.out << "Lessons (emergence FILE opens one, lesson check NAME|FILE checks it)\n";
    for (const LessonInfo& one : list_lessons(environment.assets()))
        environment.out << fmt::format("  {:<20} {} ({} minutes)\n", one.name, one.title, one.minutes);
}

fs::path lesson_named(const std::string& name, const Environment& environment) {
    std::error_code ignored;
    if (fs::exists(name, ignored)) return name;
    const std::vector<LessonInfo> known = list_lessons(environment.assets());
    for (const LessonInfo& one : known)
        if (one.name == name) return one.path;
    throw InputError(
        fmt::format("{}: no file, and no shipped lesson has this name. `emergence-cli lesson list` names "
                    "them.",
                    name));
}

int play(const fs::path& file, int threads, const FindExperiment& find, const Environment& environment) {
    const Lesson lesson = read_lesson(file);
    size_t number = 0, failed = 0;
    rehearse(lesson, file.parent_path(), find, threads, [&](const RehearsedStep& step) {
        environment.out << fmt::format("step {}: {} (opened in {:.1f} s, answered in {:.1f} s, at step {})\n",
                                       ++number, step.failure.empty() ? "true" : step.failure, step.opening,
                                       step.answering, step.at);
        if (!step.reveal.empty()) environment.out << "    " << step.reveal << '\n';
        environment.out.flush();
        failed += step.failure.empty() ? 0 : 1;
    });
    if (failed == 0) return kDone;
    environment.err << fmt::format("emergence-cli: {}: {} of {} steps fail\n", file.filename().string(),
                                   failed, number);
    return kFailure;
}

}  // namespace

int run_lesson(const LessonRequest& request, const Environment& environment) {
    if (request.action == "list") {
        list_the_lessons(environment);
        return kDone;
    }
    if (request.file.empty()) throw InputError("lesson check: the name or the file of a lesson is needed");
    const fs::path file = lesson_named(request.file, environment);
    const FindExperiment find = [&](const std::string& name) -> const ExperimentInfo& {
        return find_experiment_in(environment.experiments, name);
    };
    const std::string text(as_text(read_file(file, kLargestFile)));
    const std::vector<LessonFault> faults = check_lesson(text, file.string(), file.parent_path(), find);
    for (const LessonFault& fault : faults) environment.err << fault_text(file.string(), fault) << '\n';
    if (!faults.empty()) return kBadInput;
    environment.out << file.string() << ": every name exists\n";
    return request.play ? play(file, request.threads.value_or(default_threads()), find, environment) : kDone;
}

}  // namespace emergence::cli
