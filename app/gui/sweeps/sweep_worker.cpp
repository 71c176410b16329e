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
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/folders.h"
#include "core/lab/store/checkpoint.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr int kStandardCount = 5;
constexpr int kMostOfAll = 8;  // up to so many whole numbers, all are taken

std::string joined(const std::vector<FieldValue>& values) {
    return listed(values, [](const FieldValue& value) { return to_text(value); });
}

// Rounds the values as a person would type them.
std::vector<FieldValue> rounded_values(std::vector<FieldValue> values) {
    for (FieldValue& value : values)
        if (auto* number = std::get_if<double>(&value)) *number = rounded(*number, 3);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

SweepAxis axis_of(const Settings& settings, const AxisDraft& draft) {
    SweepAxis axis = parse_axis(settings.info(draft.field), draft.values);
    if (draft.values.find(':') == std::string::npos) axis.logarithmic = draft.logarithmic;
    for (size_t i = 0; i < axis.values.size(); ++i)
        if (to_text(axis.values[i]) == draft.shown) axis.shown = static_cast<int>(i);
    return axis;
}

constexpr auto kLookAgain = std::chrono::milliseconds(1000);
constexpr int kNice = 10;

// The time of the last write of each table in the folder.
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

using Change = std::function<void(SweepWorker::News&)>;

// `tell` receives the changes. Returns what has failed, or "".
std::string compute(const SweepWorker::Order& order, const FindExperiment& find, const Jobs::Task& task,
                    const std::function<void(Change)>& tell) {
    // On Linux the priority belongs to this thread, and threads that it starts inherit it.
    ::setpriority(PRIO_PROCESS, 0, kNice);
    const SweepText& text = order.sweep;
    check_score(text.sweep);
    refuse_links_out(order.folder);
    SweepScores known = known_in(order.folder, text.sweep, find);
    if (!order.known_from.empty()) merge(known, known_in(order.known_from, text.sweep, find));
    make_folder(order.folder);
    const auto lock = FolderLock::take(order.folder, FolderLock::kLastBreath);
    if (!lock)
        throw IoError(
            fmt::format("{}: another program is computing this sweep. It is followed", order.folder.string()));
    const auto tell_scores = [&](const SweepScores& scores) {
        tell([all = std::make_shared<const SweepScores>(scores)](auto& news) { news.scores = all; });
    };
    tell_scores(known);
    std::atomic<bool> stop = false;
    const std::stop_callback on_stop(task.stop_token(), [&stop] { stop = true; });
    GridOptions options;
    options.threads = order.threads;
    options.stop = &stop;
    options.on_progress = [&](const GridProgress& progress) {
        tell([progress](auto& news) { news.progress = progress; });
    };
    const SweepResult result = run_sweep_in(order.folder, text, known, options, tell_scores);
    if (result.stopped) return "";
    write_sweep_columns(order.folder, text.sweep);
    write_sweep_pictures(order.folder, text.sweep, result.scores);
    return text_of(result.failures);
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

AxisDraft axis_around(const Settings& settings, const std::string& name) {
    const FieldInfo& field = settings.info(name);
    if (!is_numeric(field)) {
        const std::vector<FieldValue> words(field.choices.begin(), field.choices.end());
        return {name, joined(words.empty() ? std::vector<FieldValue>{false, true} : words)};
    }
    const double value = as_number(settings.value(name));
    const bool real = std::holds_alternative<double>(field.default_value);
    bool logarithmic = field.logarithmic && value > 0.0;
    const double ratio = real && logarithmic ? 10.0 : 2.0;
    double from = std::clamp(value / ratio, field.minimum, field.maximum);
    double to = std::clamp(value * ratio, field.minimum, field.maximum);
    int count = kStandardCount;
    if (to <= from) {
        from = field.minimum;
        logarithmic = logarithmic && from > 0.0;
        to = std::min(field.maximum, field.minimum + (real ? 1.0 : kStandardCount - 1.0));
    }
    if (!real) {
        from = std::floor(from);
        to = std::max(to, std::min(field.maximum, from + kStandardCount - 1));
        const auto span = static_cast<int>(to - from) + 1;
        if (span <= kMostOfAll) count = span;  // take them all
    }
    return {name, joined(rounded_values(spaced_values(field, from, to, count, logarithmic))), logarithmic};
}

std::optional<AxisDraft> another_axis(const SweepDraft& draft) {
    for (const FieldInfo* field : axis_fields(draft.settings)) {
        const bool is_free = !any_of(draft.typed, [field](const AxisDraft& axis) { return axis.field == field->name; });
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
    if (const auto axis = another_axis(draft)) draft.typed = {*axis};
    return draft;
}

SweepDraft draft_of(const Sweep& sweep) {
    SweepDraft draft{sweep, "", {}};
    for (const SweepAxis& axis : sweep.axes)
        draft.typed.push_back({axis.field, joined(axis.values), axis.logarithmic, to_text(axis.values[axis.shown])});
    return draft;
}

SweepText sweep_of(const SweepDraft& draft) {
    Sweep sweep = draft;
    sweep.axes.clear();
    // The cells' shared settings hold neither the number of seeds nor the axes.
    if (const FieldInfo* seeds = sweep.settings.field(FieldRole::seed_count))
        sweep.settings.set(seeds->name, seeds->default_value);
    for (const AxisDraft& axis : draft.typed) {
        sweep.axes.push_back(axis_of(draft.settings, axis));
        sweep.settings.set(axis.field, sweep.settings.info(axis.field).default_value);
    }
    if (sweep.title.empty()) sweep.title = default_title(sweep, draft.score_label);
    std::string text = sweep_to_toml(sweep, true);
    Sweep checked = parse_sweep(text, "phase diagram",
                                [&](const std::string&) -> const ExperimentInfo& { return *draft.experiment; });
    return {std::move(checked), std::move(text)};
}

void SweepWorker::leave() {
    computing_.cancel();
    watching_.cancel();
}

void SweepWorker::turn_to(fs::path folder, Sweep sweep) {
    leave();
    folder_ = std::move(folder);
    sweep_ = std::move(sweep);
    news_ = {};
}

void SweepWorker::follow(fs::path folder, Sweep sweep) {
    turn_to(std::move(folder), std::move(sweep));
    watch();
}

void SweepWorker::start(Order order, FindExperiment find) {
    turn_to(order.folder, order.sweep.sweep);
    if (!jobs_.threads_allowed()) {
        news_.trouble = "This browser allows no threads: a sweep cannot run. Open the page over https.";
        return;
    }
    news_.progress = GridProgress{};
    computing_ = jobs_.post(
        Lane::sweep,
        [this, of = std::move(order), with = std::move(find)](const Jobs::Task& task) -> std::string {
            const auto tell = [&](Change change) {
                task.tell([this, changes = std::move(change)] { changes(news_); });
            };
            try {
                return compute(of, with, task, tell);
            } catch (const std::exception& error) {  // the panel reports it and follows the folder
                return error.what();
            }
        },
        [this](std::string trouble) {
            news_.trouble = std::move(trouble);
            news_.progress.reset();
            watch();
        });
}

// Known scores stay in sight until the folder has been read.
void SweepWorker::stop() {
    if (!running()) return;
    const std::shared_ptr<const SweepScores> scores = news_.scores;
    follow(folder_, sweep_);
    news_.scores = scores;
}

// Tables are replaced as a whole, so a reader never sees half a table.
void SweepWorker::watch() {
    const auto look = [this, folder = folder_, sweep = sweep_,
                       seen = std::optional<decltype(tables_in(folder_))>()](const Jobs::Task& task) mutable {
        auto tables = tables_in(folder);
        if (seen != tables) try {
                auto scores = std::make_shared<const SweepScores>(cells_in(folder, sweep));
                task.tell([this, known = std::move(scores)] { news_.scores = known; });
            } catch (const std::exception& error) {
                task.tell([this, trouble = std::string(error.what())] { news_.trouble = trouble; });
            }
        seen = std::move(tables);
    };
    watching_ = jobs_.watch(Lane::sweep_watch, kLookAgain, look);
}

}  // namespace emergence
