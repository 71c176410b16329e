#pragma once
// Small value types for all folders. No Eigen here: the window includes this header.

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace emergence {

/// A missing value: plots leave a gap, files leave the field empty.
inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Part of a rule that does not hold.
struct Lack {
    /// "P's corner".
    std::string what;
    /// Its measure, and what the rule asks for; missing if it is not a number.
    double value = kMissing, needed = kMissing;
    /// Whether the rule asks for more than `needed`, or for less.
    bool more = true;
};

/// A dense row-major table of doubles.
struct Table {
    int rows = 0;
    int columns = 0;
    std::vector<double> values;  // rows * columns

    Table() = default;
    Table(int r, int c, double fill = 0.0)
        : rows(r), columns(c), values(static_cast<size_t>(r) * static_cast<size_t>(c), fill) {}

    double& operator()(int row, int column) { return values[index(row, column)]; }
    double operator()(int row, int column) const { return values[index(row, column)]; }
    bool operator==(const Table&) const = default;

  private:
    size_t index(int row, int column) const {
        return static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(column);
    }
};

}  // namespace emergence
