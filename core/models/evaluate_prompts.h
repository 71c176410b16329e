#pragma once
// Values that given attention weights assign to given prompts, in double.

#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/models/activation_names.h"

namespace emergence {

/// One value a prompt: minus the bottom-right entry of Z_L, with
/// Z_{l+1} = Z_l + (1/n) P_l Z_l M act(Z_l' Q_l Z_l), M = diag(1, .., 1, 0)   (Eq. (3) and (4), Wang et al.
/// 2025). prompts: B x (2d+1) x (n+1), n at least 1; P, Q: stored layers x (2d+1) x (2d+1). One stored layer
/// is used `layers` times, else `layers` must be as many as are stored. Throws InputError, naming the array,
/// what was found and what is allowed, for shapes that do not fit and for entries that are not finite. A
/// value that overflows comes back as it is.
std::vector<double> attention_values(const Array& prompts, const Array& P, const Array& Q, int layers,
                                     Activation activation = Activation::identity);

}  // namespace emergence
