#include "core/lab/runs/snapshot_history.h"

#include <numeric>

#include "core/base/error.h"
#include "core/files/array_files.h"

namespace emergence {
namespace {

constexpr int64_t kLongestStride = int64_t{1} << 60;

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

}  // namespace

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

SnapshotHistory::SnapshotHistory(int64_t interval, Limits limits)
    : interval_(interval), limits_(limits), stride_(interval) {
    check(interval >= 1, "moments are at least one step apart");
    check(limits.moments >= 2, "a history keeps its first and its last moment");
}

void SnapshotHistory::clear() {
    moments_.clear();
    sizes_.clear();
    bytes_ = 0;
    stride_ = interval_;
}

void SnapshotHistory::drop_last() {
    bytes_ -= sizes_.back();
    moments_.pop_back();
    sizes_.pop_back();
}

void SnapshotHistory::add(Moment moment) {
    check(moment != nullptr, "a moment is a snapshot");
    if (!moments_.empty() && moments_.back()->run_number != moment->run_number) clear();
    // The previous newest one stays only at a multiple of the stride.
    while (!moments_.empty() && (moments_.back()->step >= moment->step || moments_.back()->step % stride_ != 0))
        drop_last();
    sizes_.push_back(emergence::bytes_of(*moment));
    bytes_ += sizes_.back();
    moments_.push_back(std::move(moment));
    while ((moments_.size() > limits_.moments || bytes_ > limits_.bytes) && moments_.size() > 2 &&
           stride_ < kLongestStride)
        thin();
}

// Doubles the stride and removes moments that are not at its multiples, except for the newest.
void SnapshotHistory::thin() {
    stride_ *= 2;
    size_t kept = 0;
    for (size_t i = 0; i < moments_.size(); ++i) {
        if (moments_[i]->step % stride_ != 0 && i + 1 < moments_.size()) continue;
        moments_[kept] = std::move(moments_[i]);
        sizes_[kept] = sizes_[i];
        ++kept;
    }
    moments_.resize(kept);
    sizes_.resize(kept);
    bytes_ = std::accumulate(sizes_.begin(), sizes_.end(), size_t{0});
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
