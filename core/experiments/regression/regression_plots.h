#pragma once
// Shared by the pictures of experiment "regression".

#include "core/experiments/regression/regression_study.h"

namespace emergence {

constexpr int kTrainedColor = 0, kTheoryColor = 2, kLimitColor = 7;

/// For d = 2: the iterates w_l, where each layer's prediction is <w_l, query>, on the contours of the prompt's loss.
PlotSpec paths_plot(const RegressionConfig& config, const RegressionWorld& world,
                    const std::vector<RegressionWeights>& seeds);

}  // namespace emergence
