#include "app/python/native/lab_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>

#include "app/export/run_files.h"
#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/files/folders.h"
#include "core/lab/figures/figures.h"
#include "core/lab/store/checkpoint.h"
#include "core/lab/views/run_views.h"

namespace emergence::python {
namespace {

namespace fs = std::filesystem;

std::span<const std::byte> bytes_in(const std::string& text) {
    return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

py::bytes bytes_of(const std::vector<std::byte>& bytes) {
    return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace

LabRun::LabRun(const std::string& experiment, const py::dict& fields, int threads, py::object loss, py::object world) {
    begin(experiment, fields, threads, std::move(loss), std::move(world));
    outside([&] {
        for (const MetricRow& row : run_->advance_to(0)) history_.append(row);
        moments_->add(*run_);
    });
}

void LabRun::begin(const std::string& experiment, const py::dict& fields, int threads, py::object loss,
                   py::object world) {
    own_->loss = std::move(loss), own_->world = std::move(world);
    info_ = experiment_with(own_, find_experiment(experiment));
    settings_ = Settings(info_->fields);
    set_fields(fields, settings_);
    if (info_->check) info_->check(settings_);
    make(threads);
}

void LabRun::make(int threads) {
    outside([&] {
        pool_ = std::make_unique<ThreadPool>(threads);
        run_ = std::make_unique<Run>(info_->make(settings_), *pool_);
        history_ = MetricHistory(run_->study().metrics(), run_->num_seeds());
        moments_ = std::make_unique<MomentLog>(kDefaultMoments, run_->study().log_interval());
    });
}

void LabRun::restored(const Checkpoint& checkpoint) {
    restore(checkpoint, *run_, history_);
    moments_->resume(checkpoint.moments, run_->step());
    seconds_ = checkpoint.seconds;
}

std::unique_ptr<LabRun> LabRun::loaded(const std::string& folder, int threads) {
    const auto found = run_folder_at(folder);
    if (!found) throw InputError("{}: is not the folder of a run", folder);
    std::unique_ptr<LabRun> run(new LabRun);
    RunToOpen opened = run_in(*found, find_experiment);
    run->info_ = std::make_shared<const ExperimentInfo>(*opened.experiment);
    run->settings_ = opened.settings;
    run->notice_ = opened.notice;
    run->make(threads);
    run->restored(*opened.checkpoint);
    return run;
}

std::unique_ptr<LabRun> LabRun::from_state(const std::string& experiment, const py::dict& fields, int threads,
                                           py::object loss, py::object world, const py::bytes& checkpoint,
                                           const std::optional<py::bytes>& moments, double seconds) {
    std::unique_ptr<LabRun> run(new LabRun);
    run->begin(experiment, fields, threads, std::move(loss), std::move(world));
    const std::string text = checkpoint;
    Checkpoint state = parse_checkpoint(bytes_in(text), "the pickled run");
    state.seconds = seconds;
    if (moments) {
        const std::string past = *moments;
        state.moments = parse_moments(bytes_in(past), "the pickled run");
    }
    run->restored(state);
    return run;
}

std::unique_lock<std::mutex> LabRun::taken() {
    std::unique_lock lock(busy_, std::try_to_lock);
    if (!lock)
        throw std::runtime_error(
            "another thread is using this run. Read it from that thread's callback, or when the thread is done");
    return lock;
}

void LabRun::rethrow_raised() {
    std::exception_ptr raised;
    {
        const std::lock_guard lock(own_->mutex);
        std::swap(raised, own_->raised);
    }
    if (raised) std::rethrow_exception(raised);
}

bool LabRun::has_raised() {
    const std::lock_guard lock(own_->mutex);
    return own_->raised != nullptr;
}

void LabRun::outside(const std::function<void()>& work) {
    try {
        if (own_->empty()) {
            const WithoutLock released;
            work();
        } else {
            interruptible([&](const std::atomic<bool>&) { work(); });
        }
    } catch (...) {
        rethrow_raised();
        throw;
    }
    rethrow_raised();
}

void LabRun::train_chunk(int64_t end) {
    const auto start = std::chrono::steady_clock::now();
    end = std::min({end, moments_->next_after(run_->step()), run_->step() + chunk_.steps()});
    const int64_t steps = end - run_->step();
    std::vector<ArrayMap> before;
    if (!own_->empty()) before = run_->save();
    const std::vector<MetricRow> rows = run_->advance_to(end);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    seconds_ += seconds;
    if (has_raised()) {
        run_->load(before);
        return;
    }
    for (const MetricRow& row : rows) history_.append(row);
    moments_->add(*run_);
    chunk_.measured(steps, seconds);
}

void LabRun::advance_to(int64_t step) {
    const auto lock = taken();
    const int64_t end = std::min(step, target());
    while (run_->step() < end && !run_->finished()) {
        outline_.reset(), whole_.reset();
        outside([&] { train_chunk(end); });
        leave_if_interpreter_ends();
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
}

// Among the live settings that equal the target, this is the one that changes it.
void LabRun::extend_to(int64_t step) {
    const auto lock = taken();
    for (const FieldInfo& field : settings_.fields()) {
        const auto* value = std::get_if<int64_t>(&settings_.value(field.name));
        if (field.applies != Applies::live || value == nullptr || *value != target()) continue;
        Settings longer = settings_;
        longer.set(field.name, step);
        if (info_->check) info_->check(longer);
        run_->set_live(longer);
        if (target() == step) {
            settings_ = longer;
            outline_.reset(), whole_.reset();
            return;
        }
        run_->set_live(settings_);
    }
    throw InputError("to: {} is past the end, step {}, and no setting of {} extends the run", step, target(),
                     info_->name);
}

std::string LabRun::config() const {
    Snapshot moment = run_->outline();
    return run_config(moment);
}

std::shared_ptr<const Snapshot> LabRun::snapshot(bool whole) {
    const auto lock = taken();
    if (whole_) return whole_;
    if (!whole && outline_) return outline_;
    outside([&] {
        Snapshot made = whole ? run_->snapshot() : run_->outline();
        made.run_number = 1;
        made.status.target_step = run_->study().target_step();
        made.status.elapsed_seconds = seconds_;
        made.status.threads = pool_->threads();
        made.status.state = run_->num_failed() == run_->num_seeds() ? RunState::failed
                            : run_->finished()                      ? RunState::finished
                                                                    : RunState::paused;
        if (!has_raised()) (whole ? whole_ : outline_) = std::make_shared<const Snapshot>(std::move(made));
    });
    return whole ? whole_ : outline_;
}

py::dict LabRun::metrics() const {
    py::dict columns;
    const size_t steps = history_.steps().size(), seeds = static_cast<size_t>(history_.num_seeds());
    std::vector<int64_t> logged;
    for (const double step : history_.steps()) logged.push_back(static_cast<int64_t>(step));
    columns["step"] = view_of(std::move(logged), {steps});
    for (const MetricInfo& metric : history_.table()) {
        std::vector<double> values;
        values.reserve(seeds * steps);
        for (size_t k = 0; k < seeds; ++k) {
            const auto& column = history_.column(metric.name, static_cast<int>(k));
            values.insert(values.end(), column.begin(), column.end());
        }
        columns[py::str(metric.name)] = view_of(std::move(values), {seeds, steps});
    }
    return columns;
}

std::string LabRun::metrics_csv() { return emergence::metrics_csv({*snapshot(false), history_}); }

py::list LabRun::seeds() const {
    using namespace py::literals;
    py::list all;
    for (int i = 0; i < run_->num_seeds(); ++i) {
        const SeedStatus seed = run_->seed_status(i);
        const auto step_or_none = [](int64_t step) -> py::object {
            return step < 0 ? py::object(py::none()) : py::object(py::int_(step));
        };
        all.append(
            py::dict("seed"_a = seed.seed, "step"_a = seed.step, "failed"_a = seed.failed, "reason"_a = seed.reason,
                     "emerged"_a = seed.emerged, "emerged_at"_a = step_or_none(seed.emerged_at),
                     "lacks"_a = seed.lacks.empty() ? "" : words_of(seed.lacks.front()),
                     "function"_a =
                         seed.judged && seed.judged->own ? py::object(py::bool_(seed.judged->since >= 0)) : py::none(),
                     "verdict"_a = seed.judged ? seed.judged->verdict : "",
                     "computes"_a = seed.judged ? seed.judged->sentence : ""));
    }
    return all;
}

std::vector<int64_t> LabRun::moment_steps() const {
    std::vector<int64_t> steps;
    for (const SavedMoment& moment : moments_->moments()) steps.push_back(moment.step);
    return steps;
}

py::dict LabRun::weights_at(int64_t step) {
    const auto lock = taken();
    for (const SavedMoment& moment : moments_->moments()) {
        if (moment.step != step) continue;
        ArrayMap weights;
        outside([&] {
            if (!past_) past_ = std::make_unique<Run>(info_->make(settings_), *pool_);
            past_->load(moment.seeds);
            weights = past_->outline().weights;
        });
        return views_of(std::move(weights));
    }
    throw InputError("step {}: is not a saved moment. See run.moments", step);
}

void LabRun::save(const std::string& folder) {
    if (!own_->empty())
        throw InputError(
            "save: this run uses your own loss or worlds, which a folder's settings cannot store. Use "
            "save_weights(file), or pickle the run");
    const std::shared_ptr<const Snapshot> moment = snapshot(false);
    const auto lock = taken();
    const WithoutLock released;
    const fs::path path = fs::absolute(folder).lexically_normal();
    const bool there = !all_entries_in(path).empty();
    if (there && !run_folder_at(path)) throw InputError("{}: holds other files. Save to a new folder", folder);
    if (there) {
        const FoundCheckpoint found = find_checkpoint(path);
        Settings other(info_->fields);
        if (found.checkpoint.settings.experiment == info_->name) apply(found.checkpoint.settings, other);
        for (const FieldInfo& field : settings_.fields())
            if (field.applies == Applies::live) other.set(field.name, settings_.value(field.name));
        if (!(found.checkpoint.settings.experiment == info_->name && other == settings_))
            throw InputError("{}: holds another run. Save to a new folder", folder);
    }
    make_folder(path);
    const auto claimed = RunFolder::claim(path);
    if (!claimed) throw IoError("{}: another program has this run open, or the folder cannot be written", folder);
    if (!there) copy_inputs(inputs_of(settings_, path), path);
    claimed->write({state_of(info_->name, *run_, seconds_), *moment, moments_->moments()}, history_, true);
    claimed->close();
}

void LabRun::save_weights(const std::string& file) {
    const std::shared_ptr<const Snapshot> moment = snapshot(false);
    const ArrayMap arrays = own_->empty() ? weights_file(*moment) : moment->weights;
    write_npz(file, arrays);
}

py::tuple LabRun::state() {
    const auto lock = taken();
    std::vector<std::byte> checkpoint, moments;
    {
        const WithoutLock released;
        const SavedState saved = state_of(info_->name, *run_, seconds_);
        checkpoint = npz_bytes(checkpoint_arrays(saved, history_));
        if (!moments_->moments().empty())
            moments = npz_bytes(moments_file(info_->name, settings_, moments_->moments()));
    }
    return py::make_tuple(info_->name, settings(), own_->loss, own_->world, bytes_of(checkpoint),
                          moments.empty() ? py::object(py::none()) : py::object(bytes_of(moments)), seconds_);
}

}  // namespace emergence::python
