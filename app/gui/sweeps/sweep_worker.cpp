#include "app/gui/sweeps/sweep_worker.h"

#include <sys/resource.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <map>
#include <system_error>
#include <utility>

#include "app/export/run_files.h"
#include "app/gui/widgets/setting_control.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/folders.h"
#include "core/lab/store/run_inputs.h"

namespace emergence {
namespace {

constexpr int kStandardCount = 5;
constexpr int kMostOfAll = 8;  // whole numbers that are all taken

std::string joined(const std::vector<FieldValue>& values) {
    return listed(values, [](const FieldValue& value) { return to_text(value); });
}

// As somebody would type them.
std::vector<FieldValue> rounded_values(std::vector<FieldValue> values) {
    for (FieldValue& value : values)
        if (auto* number = std::get_if<double>(&value)) *number = rounded(*number, 3);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

SweepAxis axis_of(const Settings& settings, const AxisDraft& draft) {
    const FieldInfo& field = settings.info(draft.field);
    SweepAxis axis = parse_axis(field, draft.values);
    axis.logarithmic = draft.logarithmic;
    for (size_t i = 0; i < axis.values.size(); ++i)
        if (to_text(axis.values[i]) == draft.shown) axis.shown = static_cast<int>(i);
    return axis;
}

AxisDraft draft_of_axis(const SweepAxis& axis) {
    AxisDraft draft{axis.field, joined(axis.values), 0.0, 0.0, static_cast<int>(axis.values.size()), axis.logarithmic};
    if (is_numeric(axis.values.front())) {
        draft.from = as_number(axis.values.front());
        draft.to = as_number(axis.values.back());
    }
    draft.shown = to_text(axis.values[static_cast<size_t>(axis.shown)]);
    return draft;
}

namespace fs = std::filesystem;

constexpr auto kLookAgain = std::chrono::milliseconds(1000);
constexpr int kNice = 10;

// When each of the folder's tables was last written.
std::map<fs::path, fs::file_time_type> tables_in(const fs::path& folder) {
    std::map<fs::path, fs::file_time_type> tables;
    std::error_code ignored;
    for (const fs::path& file : entries_in(folder))
        if (file.extension() == ".csv") tables[file] = fs::last_write_time(file, ignored);
    return tables;
}

std::string text_of(const std::vector<JobFailure>& failures) {
    if (failures.empty()) return "";
    const std::string first = fmt::format("{}: {}", failures.front().label, failures.front().reason);
    return failures.size() == 1 ? first : fmt::format("{} cells failed, the first: {}", failures.size(), first);
}

// The functions that receive progress and each finished cell; each may be empty.
struct Listeners {
    std::function<void(const GridProgress&)> progress;
    std::function<void(std::shared_ptr<const SweepScores>)> scores;
};

// How it ended.
struct Outcome {
    std::string trouble;
    bool pictured = false;
};

Outcome compute(const SweepWorker::Order& order, const FindExperiment& find, const Jobs::Task& task,
                const Listeners& tell) {
    // On Linux this is the thread's own, and goes over to those that it starts.
    ::setpriority(PRIO_PROCESS, 0, kNice);
    const SweepText& text = order.sweep;
    refuse_links_out(order.folder);
    SweepScores known = known_in(order.folder, text.sweep, find);
    if (!order.known_from.empty()) merge(known, known_in(order.known_from, text.sweep, find));
    make_folder(order.folder);
    const auto lock = FolderLock::take(order.folder, FolderLock::kLastBreath);
    if (!lock)
        throw IoError(
            fmt::format("{}: another program is computing this sweep. It is followed", order.folder.string()));
    tell.scores(std::make_shared<const SweepScores>(known));
    std::atomic<bool> stop = false;
    const std::stop_callback on_stop(task.stop_token(), [&stop] { stop = true; });
    GridOptions options;
    options.threads = order.threads;
    options.stop = &stop;
    options.on_progress = tell.progress;
    const SweepResult result = run_sweep_in(order.folder, text, known, options, [&](const SweepScores& scores) {
        tell.scores(std::make_shared<const SweepScores>(scores));
    });
    if (result.stopped) return {};
    write_sweep_columns(order.folder, text.sweep);
    write_sweep_pictures(order.folder, text.sweep, result.scores);
    return {text_of(result.failures), true};
}

}  // namespace

std::vector<const FieldInfo*> axis_fields(const Settings& settings) {
    std::vector<const FieldInfo*> fields;
    for (const FieldInfo& field : settings.fields()) {
        const bool is_text = std::holds_alternative<std::string>(field.default_value);
        const bool seeds = field.role == FieldRole::first_seed || field.role == FieldRole::seed_count;
        if (seeds || (is_text && field.choices.empty())) continue;
        fields.push_back(&field);
    }
    return fields;
}

void fill_from_range(const Settings& settings, AxisDraft& axis) {
    const FieldInfo& field = settings.info(axis.field);
    if (!is_numeric(field)) return;
    axis.count = std::clamp(axis.count, 1, 200);
    if (axis.logarithmic && (axis.from <= 0 || axis.to <= 0)) return;
    axis.values = joined(rounded_values(spaced_values(field, axis.from, axis.to, axis.count, axis.logarithmic)));
}

AxisDraft axis_around(const Settings& settings, const std::string& name) {
    const FieldInfo& field = settings.info(name);
    AxisDraft axis;
    axis.field = name;
    axis.count = kStandardCount;
    if (!is_numeric(field)) {
        std::vector<FieldValue> values(field.choices.begin(), field.choices.end());
        axis.values = joined(field.choices.empty() ? std::vector<FieldValue>{false, true} : values);
        return axis;
    }
    const double value = as_number(settings.value(name));
    const bool real = std::holds_alternative<double>(field.default_value);
    axis.logarithmic = field.logarithmic && value > 0.0;
    const double ratio = real && axis.logarithmic ? 10.0 : 2.0;
    axis.from = std::clamp(value / ratio, field.minimum, field.maximum);
    axis.to = std::clamp(value * ratio, field.minimum, field.maximum);
    if (axis.to <= axis.from) {
        axis.from = field.minimum;
        axis.logarithmic = axis.logarithmic && axis.from > 0.0;
        axis.to = std::min(field.maximum, field.minimum + (real ? 1.0 : kStandardCount - 1.0));
    }
    if (!real) {
        axis.from = std::floor(axis.from);
        axis.to = std::max(axis.to, std::min(field.maximum, axis.from + kStandardCount - 1));
        const auto span = static_cast<int>(axis.to - axis.from) + 1;
        if (span <= kMostOfAll) axis.count = span;  // none is left out
    }
    fill_from_range(settings, axis);
    return axis;
}

std::vector<const AxisDraft*> SweepDraft::axes() const {
    std::vector<const AxisDraft*> all;
    for (const AxisDraft* axis : {&x, &y})
        if (!axis->field.empty()) all.push_back(axis);
    for (const AxisDraft& axis : more) all.push_back(&axis);
    return all;
}

std::optional<AxisDraft> another_axis(const SweepDraft& draft) {
    const std::vector<const AxisDraft*> taken = draft.axes();
    for (const FieldInfo* field : axis_fields(draft.settings)) {
        const bool is_free = std::none_of(taken.begin(), taken.end(),
                                          [field](const AxisDraft* axis) { return axis->field == field->name; });
        if (is_free && field->applies == Applies::restart && is_numeric(*field))
            return axis_around(draft.settings, field->name);
    }
    return std::nullopt;
}

SweepDraft draft_around(const ExperimentInfo& experiment, const Settings& settings) {
    SweepDraft draft;
    draft.experiment = &experiment;
    draft.settings = settings;
    draft.score = experiment.emergence_rule.empty() ? "" : kEmergedScore;
    std::vector<std::string> first;
    for (const FieldInfo* field : axis_fields(settings))
        if (field->applies == Applies::restart && is_numeric(*field)) first.push_back(field->name);
    if (!first.empty()) draft.x = axis_around(settings, first[0]);
    return draft;
}

SweepDraft draft_of(const Sweep& sweep) {
    SweepDraft draft;
    draft.experiment = sweep.experiment;
    draft.settings = sweep.settings;
    draft.title = sweep.title;
    draft.description = sweep.description;
    draft.score = sweep.score;
    draft.seeds = sweep.seeds;
    draft.weights = sweep.weights;
    draft.x = draft_of_axis(sweep.x());
    if (sweep.y() != nullptr) draft.y = draft_of_axis(*sweep.y());
    for (size_t i = 2; i < sweep.axes.size(); ++i) draft.more.push_back(draft_of_axis(sweep.axes[i]));
    return draft;
}

SweepText sweep_of(const SweepDraft& draft) {
    Sweep sweep;
    sweep.experiment = draft.experiment;
    sweep.title = draft.title;
    sweep.description = draft.description;
    sweep.score = draft.score;
    sweep.seeds = draft.seeds;
    sweep.weights = draft.weights;
    sweep.settings = draft.settings;
    // How many seeds and which axes a cell has is not among what all cells share.
    if (const FieldInfo* seeds = sweep.settings.field(FieldRole::seed_count))
        sweep.settings.set(seeds->name, seeds->default_value);
    for (const AxisDraft* axis : draft.axes()) {
        sweep.axes.push_back(axis_of(draft.settings, *axis));
        sweep.settings.set(axis->field, sweep.settings.info(axis->field).default_value);
    }
    if (sweep.title.empty()) sweep.title = default_title(sweep, draft.score_label);
    std::string text = sweep_to_toml(sweep, WholePaths::all);
    Sweep checked = parse_sweep(text, "phase diagram",
                                [&](const std::string&) -> const ExperimentInfo& { return *draft.experiment; });
    return {std::move(checked), std::move(text)};
}

void SweepWorker::leave() {
    computing_.cancel();
    watching_.cancel();
}

void SweepWorker::follow(fs::path folder, Sweep sweep) {
    leave();
    folder_ = std::move(folder);
    sweep_ = std::move(sweep);
    news_ = {};
    watch();
}

void SweepWorker::start(Order order, FindExperiment find) {
    leave();
    folder_ = order.folder;
    sweep_ = order.sweep.sweep;
    news_ = {};
    if (!jobs_.threads_allowed()) {
        news_.trouble = "This browser allows no threads: a sweep cannot run. Open the page over https.";
        return;
    }
    news_.progress = GridProgress{};
    computing_ = jobs_.post(
        Lane::sweep,
        [this, of = std::move(order), with = std::move(find)](const Jobs::Task& task) {
            const Listeners tell{
                [&](const GridProgress& progress) { task.tell([this, progress] { news_.progress = progress; }); },
                [&](std::shared_ptr<const SweepScores> scores) {
                    task.tell([this, known = std::move(scores)] { news_.scores = known; });
                }};
            try {
                return compute(of, with, task, tell);
            } catch (const std::exception& error) {  // the panel says it, and follows the folder
                return Outcome{error.what()};
            }
        },
        [this](const Outcome& outcome) {
            news_.trouble = outcome.trouble;
            news_.pictured = outcome.pictured;
            news_.progress.reset();
            watch();
        });
}

// What is known stays to be seen until the folder has been read.
void SweepWorker::stop() {
    if (!running()) return;
    const std::shared_ptr<const SweepScores> scores = news_.scores;
    follow(folder_, sweep_);
    news_.scores = scores;
}

// Files are replaced whole, so that a table is never met half written.
void SweepWorker::watch() {
    using Tables = std::map<fs::path, fs::file_time_type>;
    const auto look = [this, folder = folder_, sweep = sweep_,
                       seen = std::optional<Tables>()](const Jobs::Task& task) mutable {
        auto tables = tables_in(folder);
        if (seen != tables) try {
                auto scores = std::make_shared<const SweepScores>(with_weights(folder, sweep, cells_in(folder, sweep)));
                task.tell([this, known = std::move(scores)] { news_.scores = known; });
            } catch (const std::exception& error) {
                task.tell([this, trouble = std::string(error.what())] { news_.trouble = trouble; });
            }
        seen = std::move(tables);
    };
    watching_ = jobs_.watch(Lane::sweep_watch, kLookAgain, look);
}

}  // namespace emergence
