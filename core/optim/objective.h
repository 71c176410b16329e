#pragma once
// The function that optimisers and flows minimise.

#include <functional>

#include "core/base/eigen.h"

namespace emergence {

/// The loss at x; writes its gradient (as long as x).
using Objective = std::function<double(const Eigen::VectorXd& x, Eigen::VectorXd& gradient)>;

}  // namespace emergence
