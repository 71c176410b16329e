#include "core/algorithms/batch_td_lanes.h"
#include "core/metrics/implicit_weights.h"
#include "core/models/gram_network.h"

namespace emergence::EMERGENCE_LANES {
namespace {

using L = Lanes<float>;

template <int D>
void run_network(const GramBank& bank, const LinearAttentionView& network, float* weights) {
    const int rows = 2 * bank.d + 1;
    GramNetwork<float, D> forward({rows, network.layers, network.stored, network.P, network.Q});
    forward.set_weights(network.P, network.Q, 1.0F / static_cast<float>(bank.context_length));
    std::vector<L> gram(static_cast<size_t>(rows * rows)), r(static_cast<size_t>(rows));
    const L zero = zero_lanes<float>();
    for (int group = 0; group < bank.groups; ++group) {
        const float* source = bank.grams + static_cast<size_t>(group) * bank.group_size();
        for (int i = 0; i < rows * rows; ++i) gram[static_cast<size_t>(i)] = L::load(source + i * kLanes);
        forward.read_out(gram.data(), r.data());
        for (int i = 0; i < bank.d; ++i)
            (zero - r[static_cast<size_t>(i)]).store(weights + (group * bank.d + i) * kLanes);
    }
}

}  // namespace

void network_implicit_weights(const GramBank& bank, const LinearAttentionView& network, float* weights) {
#if !defined(EMERGENCE_LANES_GENERIC)
    if (bank.d == 4) return run_network<9>(bank, network, weights);
    if (bank.d == 8) return run_network<17>(bank, network, weights);
#endif
    run_network<0>(bank, network, weights);
}

void batch_td_weights(const GramBank& bank, int layers, float alpha, float* weights) {
    const int rows = 2 * bank.d + 1;
    BatchTdLanes<float> td(bank.d, layers);
    std::vector<L> gram(static_cast<size_t>(rows * rows));
    for (int group = 0; group < bank.groups; ++group) {
        const float* source = bank.grams + static_cast<size_t>(group) * bank.group_size();
        for (int i = 0; i < rows * rows; ++i) gram[static_cast<size_t>(i)] = L::load(source + i * kLanes);
        td.run(gram.data(), alpha, 1.0F / static_cast<float>(bank.context_length));
        for (int i = 0; i < bank.d; ++i) td.weight()[i].store(weights + (group * bank.d + i) * kLanes);
    }
}

}  // namespace emergence::EMERGENCE_LANES
