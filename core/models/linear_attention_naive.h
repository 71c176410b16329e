#pragma once
// The linear-attention transformer n by n: NaiveAttention with the identity for its activation.

#include "core/models/attention_naive.h"

namespace emergence {

template <class Scalar, int Rows = Eigen::Dynamic, int Columns = Eigen::Dynamic>
using NaiveLinearAttention = NaiveAttention<Scalar, Rows, Columns>;

}  // namespace emergence
