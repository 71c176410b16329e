// Values along a trajectory: against the n-by-n form in double, prompt by prompt, and against batch TD as
// plain loops.
#include "core/measures/trajectory_values.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/algorithms/batch_td.h"
#include "core/base/rng.h"
#include "core/models/evaluate_prompts.h"

using namespace emergence;

namespace {

constexpr int kWatchedFeatures = 3, kN = 7, kWindows = 19;  // more than one group of lanes

WatchedTrajectory trajectory(bool average_reward = false) {
    WatchedTrajectory watched;
    Stream stream(3, Purpose::testing);
    for (int i = 0; i < (kWindows + kN + 1) * (kWatchedFeatures + 1); ++i)
        watched.rows.push_back(static_cast<float>(stream.uniform(-1, 1)));
    watched.gamma = average_reward ? 1.0F : 0.8F;
    watched.average_reward = average_reward;
    return watched;
}

std::vector<float> random_weights(size_t count) {
    std::vector<float> weights;
    Stream stream(4, Purpose::testing);
    for (size_t i = 0; i < count; ++i) weights.push_back(static_cast<float>(0.5 * stream.normal()));
    return weights;
}

// Window w's prompt, with whose column n the query is.
Array prompts_of(const WatchedTrajectory& watched, const std::vector<int>& windows) {
    constexpr int kRows = 2 * kWatchedFeatures + 1;
    const auto at = [&](int t, int k) { return watched.rows[static_cast<size_t>(t * (kWatchedFeatures + 1) + k)]; };
    std::vector<float> values(windows.size() * kRows * (kN + 1), 0.0F);
    for (size_t p = 0; p < windows.size(); ++p)
        for (int j = 0; j <= kN; ++j)
            for (int k = 0; k < kWatchedFeatures; ++k) {
                const auto put = [&](int row, float x) {
                    values[(p * kRows + static_cast<size_t>(row)) * (kN + 1) + static_cast<size_t>(j)] = x;
                };
                const int t = windows[p] + j;
                put(k, at(j == kN ? t + 1 : t, k));
                if (j == kN) continue;
                put(kWatchedFeatures + k, watched.gamma * at(t + 1, k));
                put(2 * kWatchedFeatures, at(t, kWatchedFeatures));
            }
    return {{windows.size(), kRows, kN + 1}, values};
}

}  // namespace

TEST_CASE("the network's values along a trajectory are those of its prompts, linear in the query or not") {
    const WatchedTrajectory watched = trajectory();
    for (const Activation activation : {Activation::identity, Activation::softmax, Activation::relu})
        for (const int stored : {1, 2}) {
            const NetworkShape shape{
                .d = kWatchedFeatures, .context_length = kN, .layers = 2, .stored = stored, .activation = activation};
            const TrajectoryValues values(shape, watched, 4);
            CHECK(values.windows() == kWindows);
            const auto weights = random_weights(shape.num_weights());
            const size_t half = weights.size() / 2, side = 2 * kWatchedFeatures + 1;
            const auto matrices = [&](size_t from) {
                const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(from);
                return Array{{static_cast<size_t>(stored), side, side},
                             std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(half))};
            };
            const auto windows = values.network_windows();
            CHECK(windows.size() == (activation == Activation::identity ? 19 : 5));
            const auto naive =
                attention_values(prompts_of(watched, windows), matrices(0), matrices(half), 2, activation);
            const auto found = values.network(2, weights);
            REQUIRE(found.size() == naive.size());
            for (size_t i = 0; i < naive.size(); ++i)
                CHECK(std::abs(found[i] - naive[i]) < 2e-5 * (1 + std::abs(naive[i])));
        }
}

TEST_CASE("batch TD's values along a trajectory are those of plain loops, with average reward too") {
    for (const bool average_reward : {false, true}) {
        const WatchedTrajectory watched = trajectory(average_reward);
        const TrajectoryValues values({.d = kWatchedFeatures, .context_length = kN}, watched);
        const auto found = values.batch_td(4, 0.7F);
        for (int w = 0; w < kWindows; ++w) {
            Transitions context{Eigen::MatrixXd(kWatchedFeatures, kN), Eigen::MatrixXd(kWatchedFeatures, kN),
                                Eigen::VectorXd(kN)};
            const auto at = [&](int t, int k) {
                return static_cast<double>(watched.rows[static_cast<size_t>(t * (kWatchedFeatures + 1) + k)]);
            };
            Eigen::VectorXd query(kWatchedFeatures);
            for (int k = 0; k < kWatchedFeatures; ++k) {
                query[k] = at(w + kN + 1, k);
                for (int j = 0; j < kN; ++j) {
                    context.phi(k, j) = at(w + j, k);
                    context.gamma_phi_next(k, j) = static_cast<double>(watched.gamma) * at(w + j + 1, k);
                }
            }
            for (int j = 0; j < kN; ++j) context.reward[j] = at(w + j, kWatchedFeatures);
            const std::vector<Eigen::MatrixXd> C = {0.7 *
                                                    Eigen::MatrixXd::Identity(kWatchedFeatures, kWatchedFeatures)};
            const Eigen::VectorXd weight = average_reward
                                               ? batch_iterates(context, average_reward_update(context), C, 4).back()
                                               : batch_td(context, C, 4).back();
            CHECK(std::abs(found[static_cast<size_t>(w)] - weight.dot(query)) < 1e-5);
        }
    }
}
