#pragma once
// The linear-attention transformer with n x n attention: NaiveAttention with the identity as activation.

#include "core/models/attention_naive.h"

namespace emergence {

template <class Scalar, int Rows = Eigen::Dynamic, int Columns = Eigen::Dynamic>
using NaiveLinearAttention = NaiveAttention<Scalar, Rows, Columns>;

}  // namespace emergence
