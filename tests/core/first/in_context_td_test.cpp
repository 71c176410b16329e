// The algorithm on one page against the library: the same prompts give the same loss, and after a hundred updates the
// same weights.
#include <doctest/doctest.h>

#include "core/optim/adam.h"
#include "core/training/lane_losses.h"
#include "tests/support/differences.h"

#define main main_of_the_page
#include "core/first/in_context_td.cpp"
#undef main

using namespace emergence;

namespace {

std::vector<double> flat_weights(const first::Weights& weights) {
    std::vector<double> all;
    for (const first::Square* matrix : {&weights.P, &weights.Q})
        for (const auto& row : *matrix) all.insert(all.end(), row.begin(), row.end());
    return all;
}

}  // namespace

TEST_CASE("the algorithm on one page trains as the library does") {
    const NetworkShape shape{.d = first::d, .context_length = first::n, .layers = first::L, .stored = 1};
    const PhasedLayout layout = PhasedLayout::of(first::n, first::kBatch);
    const auto kernel = make_td_minibatch_kernel<double>(shape, layout, InstructionSet::generic);
    first::Random random(7);
    first::Weights page = first::draw_weights(random), gradient;
    first::Adam page_adam;
    std::vector<double> weights = flat_weights(page), gradients(weights.size());
    Adam<double> adam(weights.size());
    const size_t half = weights.size() / 2;
    for (int update = 0; update < 100; ++update) {
        const first::Trajectory path = walk(random, first::draw_chain(random), layout.num_states());
        std::vector<double> trajectory(static_cast<size_t>((first::d + 1) * layout.row_size()));
        for (int t = 0; t < layout.num_states(); ++t) {
            for (int k = 0; k < first::d; ++k) trajectory[k * layout.row_size() + layout.at(t)] = path.phi[t][k];
            trajectory[first::d * layout.row_size() + layout.at(t)] = path.reward[t];
        }
        TdMinibatchResult<double> result{gradients.data(), gradients.data() + half, 0, 0, 0};
        kernel->run({trajectory.data(), first::gamma, weights.data(), weights.data() + half, 1.0}, result);
        CHECK(loss_of(page, path, gradient) == doctest::Approx(result.loss).epsilon(1e-10));
        page_adam.step(page, gradient);
        adam.step(weights.data(), gradients.data(), {.learning_rate = 1e-3, .weight_decay = 1e-6});
    }
    const std::vector<double> of_page = flat_weights(page);
    for (size_t i = 0; i < weights.size(); ++i) CHECK(of_page[i] == doctest::Approx(weights[i]).epsilon(1e-7));
}

TEST_CASE("the page's backward pass is the derivative of its values") {
    first::Random random(3);
    first::Weights weights = first::draw_weights(random), gradient{};
    const first::Prompt prompt = prompt_at(walk(random, first::draw_chain(random), first::n + 2), 0);
    backward(weights, first::Forward(weights, prompt), 1.0, gradient);
    for (auto [matrix, by_matrix] : {std::pair(&weights.P, &gradient.P), std::pair(&weights.Q, &gradient.Q)})
        for (size_t i = 0; i < matrix->size(); ++i)
            for (size_t j = 0; j < matrix->size(); ++j) {
                const double slope =
                    testing::slope_by((*matrix)[i][j], [&] { return first::Forward(weights, prompt).value(); });
                CHECK((*by_matrix)[i][j] == doctest::Approx(slope).epsilon(1e-6).scale(1e-3));
            }
}
