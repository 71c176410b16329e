#pragma once
// How some numbers went along with each other: a row a logged step, thinned evenly as there come more, so
// that it stays small.

#include <initializer_list>
#include <vector>

#include "core/base/array.h"

namespace emergence {

class ThinnedTrace {
  public:
    explicit ThinnedTrace(size_t width) : width_(width) {}

    void add(std::initializer_list<double> row);  // `width` numbers, finite
    const std::vector<std::vector<double>>& rows() const { return rows_; }

    /// Under "trace" and "trace_count".
    void save(ArrayMap& state) const;
    /// Takes its arrays out of `state`. Throws InputError where they are missing or do not fit.
    void take(ArrayMap& state);

  private:
    size_t width_;
    std::vector<std::vector<double>> rows_;
    int64_t stride_ = 1, seen_ = 0;
};

}  // namespace emergence
