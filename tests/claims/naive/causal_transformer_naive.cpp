#include "tests/claims/naive/causal_transformer_naive.h"

namespace emergence {

template class NaiveCausalTransformer<double>;

}  // namespace emergence
