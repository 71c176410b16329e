#pragma once
// Experiment "softmax-td": a transformer with softmax attention, trained to predict values of random Boyan
// chains by multi-task TD, discovers weighted softmax TD (the softmax paper, Section 8 and Appendix F).

#include "core/experiments/softmax_td/softmax_td_fields.h"
#include "core/lab/study.h"

namespace emergence {

/// The experiment's entry in the registry.
ExperimentInfo softmax_td();

}  // namespace emergence
