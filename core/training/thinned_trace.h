#pragma once
// The path of a few numbers during training: one row per logged step, thinned evenly so that it stays small.

#include <initializer_list>
#include <vector>

#include "core/base/array.h"

namespace emergence {

/// Rows of `width` numbers each.
class ThinnedTrace {
  public:
    explicit ThinnedTrace(size_t width) : width_(width) {}

    /// row: `width` finite numbers.
    void add(std::initializer_list<double> row);
    const std::vector<std::vector<double>>& rows() const { return rows_; }
    /// One number of each row.
    std::vector<double> column(size_t index) const;

    /// The arrays "trace" and "trace_count".
    void state(Archive& archive);

  private:
    size_t width_;
    std::vector<std::vector<double>> rows_;
    int64_t stride_ = 1, seen_ = 0;
};

}  // namespace emergence
