#pragma once
// What a training keeps between the rows of its log: the mean loss, and the path of a few numbers.

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/base/ranges.h"

namespace emergence {

/// The mean loss over the updates between two rows of a log. Training saves both numbers.
struct MeanLoss {
    double sum = 0;
    int64_t count = 0;

    void add(double loss) {
        sum += loss;
        ++count;
    }
    /// The mean since the last call; NaN without losses.
    double take() {
        const double mean = count > 0 ? sum / static_cast<double>(count) : kMissing;
        *this = {};
        return mean;
    }
};

/// Whether no value is infinite or NaN.
inline bool all_finite(const std::vector<float>& values) {
    float sum = 0;  // not finite if any term is not
    for (const float x : values) sum += std::abs(x);
    return std::isfinite(sum);
}

/// The path of a few numbers during training: rows of `width` numbers each, one per logged step, thinned evenly so that
/// it stays small.
class ThinnedTrace {
  public:
    explicit ThinnedTrace(size_t width) : width_(width) {}

    /// row: `width` finite numbers.
    void add(std::initializer_list<double> row) {
        check(row.size() == width_, "a row of the trace has its width");
        if (seen_++ % stride_ != 0) return;
        rows_.emplace_back(row);
        if (rows_.size() < kRows) return;
        for (size_t i = 0; i < rows_.size() / 2; ++i) rows_[i] = rows_[2 * i];
        rows_.resize(rows_.size() / 2);
        stride_ *= 2;
    }
    const std::vector<std::vector<double>>& rows() const { return rows_; }
    /// One number of each row.
    std::vector<double> column(size_t index) const {
        return mapped(rows_, [=](const std::vector<double>& row) { return row[index]; });
    }

    /// The arrays "trace" and "trace_count".
    void state(Archive& archive) {
        archive.rows("trace", rows_, width_);
        archive("trace_count", stride_, seen_);
        archive.require(rows_.size() < kRows, "trace", "has too many rows");
        const auto is_count = [](int64_t number, int64_t least) { return number >= least && number <= kMostSeen; };
        archive.require(is_count(stride_, 1) && is_count(seen_, 0), "trace_count",
                        "is not a stride and a number of rows");
        const auto rows = static_cast<int64_t>(rows_.size());
        archive.require(rows == (seen_ + stride_ - 1) / stride_, "trace_count", "does not fit the rows of the trace");
    }

  private:
    // It thins itself to half when it reaches this many rows.
    static constexpr size_t kRows = 256;
    // More than any run adds; a stored number above it could overflow.
    static constexpr int64_t kMostSeen = int64_t{1} << 60;

    size_t width_;
    std::vector<std::vector<double>> rows_;
    int64_t stride_ = 1, seen_ = 0;
};

}  // namespace emergence
