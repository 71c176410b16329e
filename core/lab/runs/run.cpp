#include "core/lab/runs/run.h"

#include <fmt/format.h>

#include <exception>
#include <iterator>
#include <new>
#include <numeric>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/text.h"
#include "core/lab/jobs/thread_pool.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace emergence {
namespace {

// The array, beside a seed's own arrays, with the message of the exception that the seed threw.
constexpr const char* kThrownKey = "run_thrown";

// The memory of this process; 0 if the system does not say.
size_t bytes_in_use() {
#ifdef __GLIBC__
    const struct mallinfo2 now = ::mallinfo2();
    return now.uordblks + now.hblkhd;
#else
    return 0;
#endif
}

}  // namespace

std::string saved_text(const Array& array) {
    if (auto text = text_of_codes(array)) return *text;
    throw InputError("saved run: an array of character codes is not text");
}

Run::Run(std::shared_ptr<Study> study, ThreadPool& pool) : study_(std::move(study)), pool_(pool) {
    check(study_ != nullptr && study_->num_seeds() > 0, "a run needs a study with at least one seed");
    const size_t before = bytes_in_use();
    for (int i = 0; i < study_->num_seeds(); ++i) {
        seeds_.push_back(study_->make_seed(i));
        if (bytes_in_use() > before + kMostRunBytes)
            throw InputError(
                "seeds: {} of {} already take more than {} MiB, the most that a run may use. Lower seeds or {}", i + 1,
                study_->num_seeds(), kMostRunBytes >> 20, large_settings(study_->settings()));
    }
    thrown_.resize(seeds_.size());
}

void Run::advance_seed(size_t index, int64_t step, std::vector<MetricRow>& rows) {
    try {
        seeds_[index]->advance(step, rows);
    } catch (const std::bad_alloc&) {  // the machine's failure, not the seed's
        out_of_memory_ = true;
    } catch (const std::exception& error) {
        thrown_[index] = error.what();
    } catch (...) {
        thrown_[index] = "an unknown exception";
    }
}

// After a lack of memory some seeds stand in the middle of a step, so they are neither trained further nor saved.
void Run::refuse_torn() const {
    if (out_of_memory_) throw IoError(out_of_memory_text());
}

std::vector<MetricRow> Run::advance_to(int64_t step) {
    const int64_t goal = std::min(step, study_->target_step());
    std::vector<std::vector<MetricRow>> rows(seeds_.size());
    // A call for the present step counts too: the first one returns the rows of step 0.
    if (goal >= step_)
        pool_.for_each(num_seeds(), [&](int i) {
            const auto index = static_cast<size_t>(i);
            if (is_live(index)) advance_seed(index, goal, rows[index]);
        });
    refuse_torn();
    // If all seeds have failed, the run ends at the last one's step, whatever the calls asked for.
    if (num_failed() < num_seeds())
        step_ = std::max(step_, goal);
    else
        for (const auto& seed : seeds_) step_ = std::max(step_, seed->step());

    std::vector<MetricRow> merged;
    for (auto& of_seed : rows)
        merged.insert(merged.end(), std::make_move_iterator(of_seed.begin()), std::make_move_iterator(of_seed.end()));
    std::stable_sort(merged.begin(), merged.end(),
                     [](const MetricRow& a, const MetricRow& b) { return a.step < b.step; });
    return merged;
}

bool Run::finished() const { return step_ >= study_->target_step() || num_failed() == num_seeds(); }

int Run::num_failed() const {
    int failed = 0;
    for (size_t i = 0; i < seeds_.size(); ++i) failed += is_live(i) ? 0 : 1;
    return failed;
}

SeedStatus Run::seed_status(int index) const {
    const auto i = static_cast<size_t>(index);
    SeedStatus status = seeds_[i]->status();
    if (thrown_[i]) {
        status.failed = true;
        status.reason = fmt::format("{} (after step {})", *thrown_[i], status.step);
    }
    return status;
}

std::vector<const Experiment*> Run::all_seeds() const {
    return mapped(seeds_, [](const auto& seed) -> const Experiment* { return seed.get(); });
}

Snapshot Run::snapshot() const { return completed(study_->describe(all_seeds())); }

Snapshot Run::outline() const { return completed(study_->outline(all_seeds())); }

// Adds what the study does not know: the run's step, and seeds that threw.
Snapshot Run::completed(Snapshot snapshot) const {
    check(snapshot.seeds.size() == seeds_.size(), "a snapshot has a status for every seed");
    snapshot.step = step_;
    for (int i = 0; i < num_seeds(); ++i)
        if (thrown_[i]) snapshot.seeds[i] = seed_status(i);
    return snapshot;
}

void Run::set_live(const Settings& settings) {
    study_->set_live(settings);
    for (const auto& seed : seeds_) seed->set_live(settings);
}

std::vector<ArrayMap> Run::save() const {
    refuse_torn();
    std::vector<ArrayMap> states;
    for (size_t i = 0; i < seeds_.size(); ++i) {
        states.push_back(seeds_[i]->save());
        if (thrown_[i]) states.back()[kThrownKey] = codes_of<uint64_t>(*thrown_[i]);
    }
    return states;
}

void Run::load(const std::vector<ArrayMap>& states) {
    if (states.size() != seeds_.size())
        throw InputError("saved run: it has {} seeds, but its settings say {}", states.size(), seeds_.size());
    std::vector<std::unique_ptr<Experiment>> seeds;
    std::vector<std::optional<std::string>> thrown(states.size());
    std::optional<int64_t> live_step;
    int64_t last_step = 0;
    for (size_t i = 0; i < states.size(); ++i) {
        ArrayMap state = states[i];
        if (const auto found = state.extract(kThrownKey)) thrown[i] = saved_text(found.mapped());
        seeds.push_back(study_->make_seed(static_cast<int>(i)));
        seeds.back()->load(state);
        const int64_t at = seeds.back()->step();
        if (at < 0 || at > kMostStoredStep)
            throw InputError("saved run: seed {} is at step {}, which is not from 0 to {}", i, at, kMostStoredStep);
        last_step = std::max(last_step, at);
        if (thrown[i] || seeds.back()->failed()) continue;
        if (live_step && *live_step != at)
            throw InputError("saved run: seed {} is at step {}, but the others are at step {}", i, at, *live_step);
        live_step = at;
    }
    seeds_ = std::move(seeds);
    thrown_ = std::move(thrown);
    step_ = live_step.value_or(last_step);
}

void check_rows_fit(const Study& study, int seeds, int64_t target, size_t most_bytes) {
    const auto each = static_cast<uint64_t>(seeds), metrics = uint64_t{study.metrics().size()};
    const uint64_t most_rows = std::min<uint64_t>(kMostStoredRows, most_bytes / 2 / (sizeof(double) * (metrics + 1)));
    const auto steps = static_cast<uint64_t>(target), interval = static_cast<uint64_t>(study.log_interval());
    if ((steps / interval + 1) * each <= most_rows) return;
    const uint64_t most_logs = most_rows / each, least = most_logs < 2 ? steps : steps / (most_logs - 1) + 1;
    throw InputError(
        "log_interval: {} logs {} rows (steps times seeds), but a saved run holds at most {}. Use {} or more, or "
        "fewer seeds or steps",
        interval, (steps / interval + 1) * each, most_rows, least);
}

namespace {

size_t bytes_of(const std::vector<double>& values) { return values.size() * sizeof(double); }

size_t bytes_of(const NamedMatrix& matrix) {
    size_t bytes = sizeof(matrix) + bytes_of(matrix.signs) + bytes_of(matrix.initial_products.values);
    for (const Table& seed : matrix.seeds) bytes += sizeof(Table) + bytes_of(seed.values);
    return matrix.target ? bytes + bytes_of(matrix.target->values) : bytes;
}

size_t bytes_of(const PlotSpec& plot) {
    size_t bytes = sizeof(plot) + plot.title.size() + plot.note.size() + plot.readout.size();
    for (const Series& series : plot.series) {
        bytes += sizeof(series) + bytes_of(series.x);
        for (const auto& row : series.rows) bytes += sizeof(row) + bytes_of(row);
    }
    return bytes;
}

// The approximate memory of a snapshot: its numbers and texts.
size_t bytes_of(const Snapshot& snapshot) {
    size_t bytes = sizeof(snapshot) + snapshot.emergence_rule.size();
    bytes += snapshot.scalars.size() * sizeof(Scalar) + snapshot.seeds.size() * sizeof(SeedStatus);
    for (const NamedMatrix& matrix : snapshot.matrices) bytes += bytes_of(matrix);
    for (const PlotSpec& plot : snapshot.plots) bytes += bytes_of(plot);
    for (const Scene& scene : snapshot.scenes)  // not their drawings, which a run's moments share
        for (const PlotSpec& plot : scene.plots) bytes += bytes_of(plot);
    for (const auto& [name, array] : snapshot.weights) bytes += name.size() + sizeof(array) + bytes_in_memory(array);
    return bytes;
}

}  // namespace

SnapshotHistory::SnapshotHistory(int64_t interval, size_t most, size_t most_bytes)
    : stride_(interval), most_(most), most_bytes_(most_bytes) {
    check(interval >= 1, "moments are at least one step apart");
}

void SnapshotHistory::add(Moment moment) {
    // The newest moment so far stays only if its step is a multiple of the stride.
    while (!moments_.empty() && (moments_.back()->step >= moment->step || moments_.back()->step % stride_ != 0)) {
        bytes_ -= bytes_of(*moments_.back());
        moments_.pop_back();
    }
    bytes_ += bytes_of(*moment);
    moments_.push_back(std::move(moment));
    while (moments_.size() > 2 && (moments_.size() > most_ || bytes_ > most_bytes_)) thin();
}

// Doubles the stride and removes moments that are not at its multiples, except for the newest.
void SnapshotHistory::thin() {
    stride_ *= 2;
    std::erase_if(moments_, [this, newest = moments_.back()](const Moment& moment) {
        return moment != newest && moment->step % stride_ != 0;
    });
    bytes_ = std::accumulate(moments_.begin(), moments_.end(), size_t{0},
                             [](size_t sum, const Moment& moment) { return sum + bytes_of(*moment); });
}

SnapshotHistory::Moment SnapshotHistory::nearest(int64_t step) const {
    if (moments_.empty()) return nullptr;
    const auto after = std::lower_bound(moments_.begin(), moments_.end(), step,
                                        [](const Moment& moment, int64_t at) { return moment->step < at; });
    if (after == moments_.begin()) return *after;
    const auto before = after - 1;
    if (after == moments_.end()) return *before;
    return step - (*before)->step <= (*after)->step - step ? *before : *after;
}

}  // namespace emergence
