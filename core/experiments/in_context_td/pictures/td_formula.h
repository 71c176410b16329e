#pragma once
// What theory says about the matrices of experiment "td", block by block, and the update that they carry out.

#include <string>
#include <vector>

#include "core/lab/snapshot.h"
#include "core/training/multi_task_td.h"

namespace emergence {

/// The meaning of theory's matrices block by block (`matrix` is "P0", "Q0", ..), and the update that they
/// carry out. `stored`: the number of layers with separate matrices. traces: under a mask of traces, Corollary 3.
std::vector<BlockMeaning> in_context_td_meanings(const std::string& matrix, int num_layers,
                                                 LossKind loss = LossKind::td, int stored = 1);
Formula in_context_td_formula(int num_layers, int stored = 1, LossKind loss = LossKind::td, bool traces = false);
/// The same of two heads, Theorem 3; `matrix` is "P1", "Q1", "P2", "Q2" or "W"; one_Q: one "Q12" serves both.
std::vector<BlockMeaning> two_head_meanings(const std::string& matrix, bool learns_W = false);
Formula two_head_formula(bool one_Q);

}  // namespace emergence
