#pragma once
// What the pictures of experiment "regression" share.

#include "core/experiments/regression/regression_study.h"

namespace emergence {

constexpr int kTrainedColor = 0, kTheoryColor = 2, kLimitColor = 7;

/// d = 2: the weights of which each layer's prediction is <w, query>, on the contours of the prompt's loss.
PlotSpec paths_plot(const RegressionConfig& config, const RegressionWorld& world,
                    const std::vector<RegressionWeights>& seeds);

}  // namespace emergence
