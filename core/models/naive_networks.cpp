// The naive forms in double, compiled once for tests, claims and the microscope.
#include "core/models/attention_naive.h"
#include "core/models/softmax_td_naive.h"

namespace emergence {

template class NaiveAttention<double>;
template class NaiveSoftmaxTd<double>;

}  // namespace emergence
