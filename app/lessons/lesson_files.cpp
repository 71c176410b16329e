#include "app/lessons/lesson_files.h"

#include <fmt/format.h>
#include <algorithm>
#include <system_error>
#include <utility>

#include "app/lessons/rehearsal.h"
#include "app/open/opening.h"
#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/views/run_views.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

bool is_preset(const std::string& name) {
    const std::vector<std::string> names = preset_names(assets_folder());
    return contains(names, name);
}

LessonStart start_of(const Opening& opening, const FindExperiment& find) {
    LessonStart start;
    start.title = opening.name;
    if (opening.kind == OpeningKind::run) {
        RunToOpen run = run_in(opening.path, find);
        start.experiment = run.experiment;
        start.settings = std::move(run.settings);
        start.checkpoint = std::move(run.checkpoint);
        return start;
    }
    if (!opening.settings) throw InputError(opening.name + " holds no settings. Name a preset or a saved run.");
    StartingPoint point = starting_point(*opening.settings, find);
    start.experiment = point.experiment;
    start.settings = std::move(point.settings);
    if (point.view) start.view = *std::move(point.view);
    if (!opening.settings->title.empty()) start.title = opening.settings->title;
    return start;
}

LessonStart start_of_experiment(const std::string& name, const FindExperiment& find) {
    LessonStart start;
    try {
        start.experiment = &find(name);
    } catch (const InputError&) {
        throw InputError(
            fmt::format("'{}' is neither a preset, an experiment, nor a file beside the lesson. `emergence-cli list` "
                        "lists presets and experiments.",
                        name));
    }
    start.settings = Settings(start.experiment->fields);
    start.title = start.experiment->title;
    return start;
}

}  // namespace

std::vector<LessonInfo> lessons_in(const fs::path& folder) {
    std::vector<LessonInfo> found;
    for (const fs::path& file : entries_in(folder)) {
        if (file.extension() != ".toml") continue;
        try {
            const Lesson lesson = read_lesson(file);
            found.push_back(
                {file.stem().string(), file, lesson.title, lesson.description, lesson.minutes, lesson.steps.size()});
        } catch (const InputError&) {  // not a lesson
        }
    }
    const auto place = [](const LessonInfo& one) { return std::pair(one.name != kTourLesson, one.name); };
    std::sort(found.begin(), found.end(),
              [&](const LessonInfo& a, const LessonInfo& b) { return place(a) < place(b); });
    return found;
}

Lesson read_lesson(const fs::path& path) {
    std::vector<FileFault> faults;
    Lesson lesson = parse_lesson(read_text(path), path.filename().string(), faults);
    if (faults.empty()) return lesson;
    const std::string more = faults.size() == 1
                                 ? ""
                                 : fmt::format(" ({} more: {})", faults.size() - 1,
                                               shell_command({"lesson", "check", path_argument(path.string())}));
    throw InputError(fault_text(path.filename().string(), faults.front()) + more);
}

std::vector<LessonInfo> shipped_lessons() {
    try {
        static ReadOnce<std::vector<LessonInfo>> known;
        const fs::path folder = assets_folder() / "lessons";
        return known.get({folder}, [&] { return lessons_in(folder); });
    } catch (const std::runtime_error&) {
        return {};
    }
}

ClassText class_text(const fs::path& path) {
    if (kind_of_file(path) != fs::file_type::directory) return {read_text(path), {}};
    ClassText all;
    for (const fs::path& file : files_in(path)) {
        const std::string answer = read_text(file);
        all.text += shown_text(file.stem().string()) + ": " + answer.substr(0, answer.find('\n')) + "\n";
        all.files.push_back(shown_text(file.filename().string()));
    }
    if (all.files.empty()) throw InputError(path.filename().string() + ": this folder holds no file with an answer.");
    return all;
}

void change_settings(const std::vector<SettingsFile::Entry>& changes, const ExperimentInfo& experiment,
                     Settings& settings) {
    SettingsFile file;
    file.source = experiment.name;
    file.entries = changes;
    for (SettingsFile::Entry& entry : file.entries) entry.line = entry.column = 0;
    Settings changed = settings;
    apply(file, changed);
    if (experiment.check) experiment.check(changed);
    settings = std::move(changed);
}

LessonStart lesson_start(const std::string& opens, const std::vector<SettingsFile::Entry>& settings,
                         const fs::path& folder, const FindExperiment& find) {
    const bool beside = is_there(folder / opens);
    LessonStart start = beside             ? start_of(opening_at(folder / opens), find)
                        : is_preset(opens) ? start_of(opening_of_preset(opens), find)
                                           : start_of_experiment(opens, find);
    change_settings(settings, *start.experiment, start.settings);
    return start;
}

// Whether everything that a lesson names exists in the runs that it opens.

namespace {

class LessonChecker {
  public:
    LessonChecker(HeadlessHost& host, std::vector<FileFault>& faults) : host_(host), faults_(faults) {}

    // Returns false if the run cannot be opened, because the steps after it cannot be judged then.
    bool check(const LessonStep& step) {
        step_ = &step;
        if (!step.opens.empty() && !attempt("opens", [&] { host_.open(step.opens, {}); })) return false;
        for (const SettingsFile::Entry& entry : step.settings) attempt("settings", [&] { host_.change({entry}); });
        if (step.compare)
            attempt("compare", [&] {
                Settings trial = host_.settings();
                change_settings({*step.compare}, host_.experiment(), trial);
            });
        snapshot_ = host_.snapshot();
        ids_ = picture_ids(host_.run().study().metric_plots(), snapshot_);
        fields_.clear();
        for (const FieldInfo& field : host_.settings().fields()) fields_.push_back(field.name);
        check_prediction();
        for (const Quantity& quantity : quantities_in(step.text)) check_number("text", quantity);
        for (const Quantity& quantity : quantities_in(step.paper)) check_number("paper", quantity);
        // The facts that the reader is asked for may be what makes the rest known.
        for (const SettingsFile::Entry& entry : step.does) attempt("do", [&] { host_.change({entry}); });
        if (!step.does.empty()) {
            snapshot_ = host_.snapshot();
            const PictureIds later = picture_ids(host_.run().study().metric_plots(), snapshot_);
            for (const auto list : {&PictureIds::matrices, &PictureIds::plots, &PictureIds::scenes})
                (ids_.*list).insert((ids_.*list).end(), (later.*list).begin(), (later.*list).end());
        }
        check_names();
        if (step.until) check_condition("until", *step.until);
        for (const Condition& condition : step.holds) check_condition("holds", condition);
        for (const Quantity& quantity : quantities_in(step.reveal)) check_number("reveal", quantity);
        return true;
    }

  private:
    void fault(const char* key, const std::string& reason) {
        const auto line = step_->lines.find(key);
        faults_.push_back(
            {line == step_->lines.end() ? step_->lines.at("") : line->second, fmt::format("{}: {}", key, reason)});
    }
    template <class Action>
    bool attempt(const char* key, const Action& action) {
        try {
            action();
            return true;
        } catch (const std::runtime_error& error) {
            fault(key, error.what());
            return false;
        }
    }
    std::vector<std::string> pictures() const {
        std::vector<std::string> all = {kAllMatrices, kSeedTiles};
        for (const auto* list : {&ids_.matrices, &ids_.plots, &ids_.scenes, &ids_.leading})
            all.insert(all.end(), list->begin(), list->end());
        return all;
    }
    void check_name(const char* key, const char* kind, const std::string& name, const std::vector<std::string>& known) {
        if (!contains(known, name)) fault(key, unknown_name(kind, name, known, "the window's headings name all"));
    }
    void check_names() {
        const std::vector<std::string> known = pictures();
        for (const std::string& id : step_->stage) check_name("stage", "picture", id, known);
        for (const std::string& id : step_->wings) check_name("wings", "picture", id, known);
        std::vector<std::string> hideable = known;
        hideable.emplace_back(kHeadline);
        for (const std::string& id : step_->covered) check_name("covered", "picture", id, hideable);
        for (const std::string& name : step_->unlocked) check_name("unlocked", "setting", name, fields_);
        std::vector<std::string> lit = known;
        lit.insert(lit.end(), fields_.begin(), fields_.end());
        for (const std::string& name : step_->spotlight) check_name("spotlight", "picture or setting", name, lit);
        for (const SettingsFile::Entry& entry : step_->does)
            if (!contains(step_->unlocked, entry.name))
                fault("do", fmt::format("the step locks '{}'. Add it to unlocked.", entry.name));
    }
    static std::vector<std::string> labels(const std::vector<Block>& blocks) {
        std::vector<std::string> names;
        for (const Block& one : blocks) names.push_back(one.label);
        return names;
    }
    void check_block(const char* key, const std::string& name, const std::string& rows, const std::string& columns) {
        const NamedMatrix* matrix = find_matrix(snapshot_, name);
        if (matrix == nullptr) {
            check_name(key, "matrix", name, ids_.matrices);
            return;
        }
        check_name(key, "block of rows", rows, labels(matrix->row_blocks));
        check_name(key, "block of columns", columns, labels(matrix->column_blocks));
    }
    void check_prediction() {
        if (!step_->predict) return;
        if (const auto* block = std::get_if<BlockPrediction>(&*step_->predict)) {
            check_block("predict", block->matrix, block->rows, block->columns);
        } else if (const auto* sketch = std::get_if<SketchPrediction>(&*step_->predict)) {
            const std::optional<PlotSpec> plot = host_.plot(sketch->plot);
            if (!plot) {
                check_name("predict", "plot", sketch->plot, ids_.plots);
                return;
            }
            std::vector<std::string> curves;
            for (const Series& series : plot->series) curves.push_back(series.name);
            check_name("predict", "curve", sketch->curve, curves);
        }
    }
    void check_condition(const char* key, const Condition& condition) {
        for (const QuantityClause& clause : condition.clauses) {
            if (!clause.name.empty()) check_name(key, "setting", clause.name, fields_);
            check_number(key, clause.compared);
        }
    }
    void check_number(const char* key, const Quantity& quantity) {
        const MetricHistory history(host_.run().study().metrics(), 0);
        attempt(key, [&] { check_lesson_quantity(quantity, snapshot_, history); });
    }

    HeadlessHost& host_;
    std::vector<FileFault>& faults_;
    const LessonStep* step_ = nullptr;
    Snapshot snapshot_;
    PictureIds ids_;
    std::vector<std::string> fields_;
};

}  // namespace

std::vector<FileFault> check_lesson(std::string_view text, const std::string& source,
                                    const std::filesystem::path& folder, const FindExperiment& find) {
    std::vector<FileFault> faults;
    const Lesson lesson = parse_lesson(text, source, faults);
    if (!faults.empty()) return faults;
    HeadlessHost host(folder, find, 1);
    LessonChecker checker(host, faults);
    bool open = false;
    for (const LessonStep& step : lesson.steps) {
        if (step.opens.empty() && !open) continue;
        open = checker.check(step);
    }
    return faults;
}

}  // namespace emergence
