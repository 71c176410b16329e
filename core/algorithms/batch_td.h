#pragma once
// Batch TD(0) as a plain loop: what the constructed transformer must equal.

#include <vector>

#include "core/prompts/td_prompt.h"

namespace emergence {

/// w_0 = 0 and, for l = 0 .. L-1, w_{l+1} = w_l + (1/n) C_l sum_j (R_{j+1} + gamma w_l' phi_{j+1} - w_l'
/// phi_j) phi_j: Eq. (8), Wang et al. 2025. Returns w_0 .. w_L. Each C: d x d; one C serves all steps.
std::vector<Eigen::VectorXd> batch_td(const Transitions& context, const std::vector<Eigen::MatrixXd>& C,
                                      int steps);

}  // namespace emergence
