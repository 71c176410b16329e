#pragma once
// What a seed of experiment "td" measures at a logged step, and the metrics that it logs of that.

#include <array>

#include "core/experiments/in_context_td/td.h"
#include "core/lab/views/run_views.h"
#include "core/measures/emergence.h"
#include "core/measures/held_out_bank.h"
#include "core/measures/network_evaluator.h"
#include "core/measures/verdict.h"

namespace emergence {

class InContextTdSeed;  // td_seed.h

inline constexpr const char* kTdEmergenceRule =
    "A seed counts as emerged (this laboratory's rule) when P's corner is its largest entry and, with Q divided by its "
    "largest entry, the trace of Q's upper-left block is below -d/2 and, for more than one layer, that of its "
    "upper-right block is above d/4; and when no block that theory says is zero reaches 0.3 of its matrix' largest entry: "
    "the mean of its diagonal if it is square, else the mean of its sizes. Sequential layers must all do so, the last "
    "without the upper-right block. It lasts for ten logged steps in a row.";

struct TdMeasured {
    const InContextTdSeed* seed = nullptr;
    double loss = 0, alpha = 0;
    ElementWise elements;
    /// Of two heads, the reward head's first.
    std::array<ElementWise, 2> heads;
    /// On held-out tasks, and on the tasks trained on if these are a pool.
    BankScores scores, pool;
    DecoySimilarities decoys;
    /// What it computes; nothing for networks that are not linear.
    NetworkVerdict verdict;
    double mask_lambda = kMissing;
    /// 1 or 0, NaN if nothing judges that: whether it computes the algorithm of its loss, whether it has done so for long
    /// enough, and whether its weights have had the pattern of theory for long enough.
    double computes_own = kMissing, function = kMissing, pattern = kMissing;
};

/// The metrics that these settings log.
Metrics<TdMeasured> in_context_td_metrics(const InContextTdConfig& config);

}  // namespace emergence
