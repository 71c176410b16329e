#include "core/training/thinned_trace.h"

#include "core/base/error.h"

namespace emergence {
namespace {

// A trace thins itself to half when it reaches this many rows.
constexpr size_t kTraceRows = 256;
// More than any run adds; a stored number above it could overflow.
constexpr int64_t kMostSeen = int64_t{1} << 60;

}  // namespace

void ThinnedTrace::add(std::initializer_list<double> row) {
    check(row.size() == width_, "a row of the trace has its width");
    if (seen_++ % stride_ != 0) return;
    rows_.emplace_back(row);
    if (rows_.size() < kTraceRows) return;
    for (size_t i = 0; i < rows_.size() / 2; ++i) rows_[i] = rows_[2 * i];
    rows_.resize(rows_.size() / 2);
    stride_ *= 2;
}

std::vector<double> ThinnedTrace::column(size_t index) const {
    std::vector<double> values;
    for (const std::vector<double>& row : rows_) values.push_back(row[index]);
    return values;
}

void ThinnedTrace::state(Archive& archive) {
    archive.rows("trace", rows_, width_);
    archive("trace_count", stride_, seen_);
    archive.require(rows_.size() < kTraceRows, "trace", "has too many rows");
    const auto is_count = [](int64_t number, int64_t least) { return number >= least && number <= kMostSeen; };
    archive.require(is_count(stride_, 1) && is_count(seen_, 0), "trace_count", "is not a stride and a number of rows");
    const auto rows = static_cast<int64_t>(rows_.size());
    archive.require(rows == (seen_ + stride_ - 1) / stride_, "trace_count", "does not fit the rows of the trace");
}

}  // namespace emergence
