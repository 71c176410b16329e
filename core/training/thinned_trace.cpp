#include "core/training/thinned_trace.h"

#include "core/base/check.h"
#include "core/training/state_arrays.h"

namespace emergence {
namespace {

// A trace thins itself to half when it reaches this many rows.
constexpr size_t kTraceRows = 256;

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

void ThinnedTrace::save(ArrayMap& state) const {
    std::vector<double> values;
    for (const auto& row : rows_) values.insert(values.end(), row.begin(), row.end());
    state["trace"] = {{rows_.size(), width_}, std::move(values)};
    state["trace_count"] = array_of(std::vector<int64_t>{stride_, seen_});
}

void ThinnedTrace::take(ArrayMap& state) {
    std::vector<int64_t> count(2);
    read_array(state, "trace_count", count);
    const auto found = state.find("trace");
    const auto* values =
        found == state.end() ? nullptr : std::get_if<std::vector<double>>(&found->second.values);
    require_array(values != nullptr && values->size() % width_ == 0 && values->size() / width_ < kTraceRows &&
                      count[0] >= 1 && count[1] >= 0,
                  "trace", "is missing or does not fit");
    stride_ = count[0];
    seen_ = count[1];
    rows_.clear();
    for (auto row = values->begin(); row != values->end(); row += static_cast<std::ptrdiff_t>(width_))
        rows_.emplace_back(row, row + static_cast<std::ptrdiff_t>(width_));
    state.erase("trace");
    state.erase("trace_count");
}

}  // namespace emergence
