#include "core/models/gram_network_passes.h"

namespace emergence::EMERGENCE_LANES {

#define EMERGENCE_INSTANTIATE(T, D) template class GramNetwork<T, D>;
EMERGENCE_EACH_GRAM_SIZE(EMERGENCE_INSTANTIATE)
#undef EMERGENCE_INSTANTIATE

}  // namespace emergence::EMERGENCE_LANES
