#pragma once
// Values that given attention weights assign to given prompts, in double.

#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/models/network_windows.h"

namespace emergence {

/// One value per prompt, minus the bottom-right entry of Z_L, Eqs. (3) and (4), Wang et al. 2025:
///
///     Z_{l+1} = Z_l + (1/n) P_l Z_l M act(Z_l' Q_l Z_l),   M = diag(1, .., 1, 0)
///
/// prompts: B x (2d+1) x (n+1), n at least 1; P, Q: stored layers x (2d+1) x (2d+1). One stored layer is used
/// `layers` times; otherwise `layers` must equal the number stored. Throws InputError, which names the array,
/// for shapes that do not fit and entries that are not finite. A value that overflows is returned unchanged.
std::vector<double> attention_values(const Array& prompts, const Array& P, const Array& Q, int layers,
                                     Activation activation = Activation::identity);

}  // namespace emergence
