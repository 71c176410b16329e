#pragma once
// From a trajectory to the prompt Z_0 of in-context TD, Eq. (7), Wang et al. 2025.

#include <vector>

#include "core/base/eigen.h"
#include "core/base/rng.h"
#include "core/tasks/mrp.h"

namespace emergence {

/// One context of n transitions (S_j, R_{j+1}, S_{j+1}).
struct Transitions {
    Eigen::MatrixXd phi;             // d x n: phi(S_j)
    Eigen::MatrixXd gamma_phi_next;  // d x n: gamma phi(S_{j+1}), gamma folded in
    Eigen::VectorXd reward;          // n: R_{j+1} = r(S_j)
};

/// The states S_0 .. S_n of a trajectory of `mrp` from its initial distribution: n + 1 uniform numbers.
std::vector<int> draw_path(const Mrp& mrp, int n, Stream& stream);
/// The transitions along a path of at least two states.
Transitions transitions_along(const Mrp& mrp, double gamma, const std::vector<int>& path);
/// The first n transitions of a trajectory of `mrp` from its initial distribution.
Transitions draw_transitions(const Mrp& mrp, double gamma, int n, Stream& stream);

/// Z_0 of Eq. (7): (2d+1) x (n+1), columns [phi_j; gamma phi_{j+1}; R_{j+1}], then the query [phi; 0; 0]. query: d.
Eigen::MatrixXd td_prompt(const Transitions& context, const Eigen::VectorXd& query);

}  // namespace emergence
