#pragma once
// Matrices that tests write out and compare.

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "core/base/matrix.h"

namespace emergence::testing {

inline Mat matrix(std::initializer_list<std::initializer_list<double>> rows) {
    Mat result(std::ssize(rows), rows.size() == 0 ? 0 : std::ssize(*rows.begin()));
    Index i = 0;
    for (const auto& row : rows) result.row(i++) = Vec::of(row).transpose();
    return result;
}

/// Whether |a - b| is at most this share of the lesser norm, as Eigen's isApprox().
inline bool close(const ConstMatView& a, const ConstMatView& b, double share = 1e-12) {
    return (a - b).norm() <= share * std::min(a.norm(), b.norm());
}

}  // namespace emergence::testing
