#pragma once
// Experiment "one-layer-flow": draws the expected update of one layer as arrows, in two coordinates that do
// not depend on the scale of P and Q, and real trainings as paths.

#include "core/lab/study.h"

namespace emergence {

/// The experiment's entry in the registry.
ExperimentInfo one_layer_flow();

}  // namespace emergence
