// What `verify` measures of the network that runs MASTER: Propositions 3 and 4, Theorems 5 and 6, Chen et al. 2025.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/statistics.h"
#include "core/experiments/bandits/bandits.h"
#include "tests/claims/bandits/master_constructions.h"
#include "tests/claims/measures.h"

namespace emergence {
namespace {

constexpr uint64_t kPlaySeed = 73;  // used by no figure and no training
constexpr uint32_t kPlays = 2;

// The base algorithm of the construction.
class SoftmaxOfSums final : public BanditPolicy {
  public:
    /// probabilities: gets those of each arm in the last choice.
    SoftmaxOfSums(const MasterNetworkOptions& options, Vec& probabilities)
        : options_(options), probabilities_(probabilities) {}
    void reset(const BanditTrajectory& world) override { sums_ = Vec::Zero(world.arms()); }
    BanditChoice choose(int, Stream& random) override {
        probabilities_ = (options_.eta * sums_.cwisePlus(-sums_.maxCoeff())).cwiseExp();
        probabilities_ /= probabilities_.sum();
        double left = random.uniform();
        Index arm = 0;
        while (arm + 1 < sums_.size() && left >= probabilities_(arm)) left -= probabilities_(arm++);
        return {static_cast<int>(arm), options_.optimism + kScoreShare * sums_(arm), sums_(arm)};
    }
    void observe(int arm, double reward) override { sums_(arm) += reward; }

  private:
    MasterNetworkOptions options_;
    Vec sums_;
    Vec& probabilities_;
};

// Both on the same histories.
struct Played {
    double log_ratio = 0.0;  // the largest |log alg_theta - log alg_E|
    // Of the worst play: the largest, over T, of sum_t sum_k |alg_theta - alg_E| |r|, over the bound of Theorem 6.
    double imitation = 0.0;
    std::array<int, 2> restarts{};  // by test
    int rounds = 0, other_orders = 0;
};

std::vector<double> normal_numbers(Stream& stream, int count) {
    std::vector<double> numbers(static_cast<size_t>(count));
    for (double& number : numbers) number = stream.normal();
    return numbers;
}

void play_both(MasterNetwork& network, const MasterNetworkOptions& options, const BanditTrajectory& world,
               uint32_t index, Played& played) {
    Stream data(kPlaySeed, Purpose::testing, index), random = policy_stream(kPlaySeed, index, 0);
    network.begin(normal_numbers(data, options.noise));
    Vec exact;  // of the acting instance
    Master master({.base = [&] { return std::make_unique<SoftmaxOfSums>(options, exact); },
                   .theory = true,
                   .uniform = [&](int order) { return network.random_number(order); }});
    master.reset(world);
    double imitation = 0.0, log_ratio = 0.0;
    for (int round = 0; round < world.rounds(); ++round) {
        network.choose(normal_numbers(data, network.orders()));
        const int arm = master.choose(round, random).arm;
        for (int k = 0; k < world.arms(); ++k) {
            const double own = network.log_probabilities()(k), expert = exact(k);
            log_ratio = larger(log_ratio, std::abs(own - std::log(expert)));
            imitation += std::abs(std::exp(own) - expert) * std::abs(world.means(k, round));
        }
        played.other_orders += network.acting() != master.timeline().active.back() ? 1 : 0;
        network.observe(arm, world.reward(round, arm));
        master.observe(arm, world.reward(round, arm));
    }
    for (const MasterTimeline::Restart& restart : master.timeline().restarts)
        ++played.restarts[static_cast<size_t>(restart.test) - 1];
    const double bound = std::expm1(log_ratio) * world.arms() * world.rounds() * world.means.cwiseAbs().maxCoeff();
    if (bound > 0.0) played.imitation = larger(played.imitation, imitation / bound);
    played.log_ratio = larger(played.log_ratio, log_ratio);
    played.rounds += world.rounds();
}

// Rewards are `scale` times those of a bandit of three arms whose rewards swing. With 1 no test fires.
Played played(double scale, MasterNetworkOptions options) {
    options.eta /= scale;
    MasterNetwork network(options);
    BanditTrajectory world;
    Played sum;
    for (uint32_t index = 0; index < kPlays; ++index) {
        draw_bandit({.rounds = options.rounds, .d = 2, .arms = options.arms, .noise = 0.3, .frequency = 0.03},
                    kPlaySeed, index, world);
        world.means *= scale;
        for (double& noise : world.noise) noise *= scale;
        play_both(network, options, world, index, sum);
    }
    return sum;
}

// Eq. (10): the scheduler alone, since no test fires.
Measurement scheduler_error(const MasterNetworkOptions& options) {
    const Played sum = played(1.0, options);
    return {sum.log_ratio, fmt::format("{} plays of {} rounds; another order acts in {} of them", kPlays,
                                       options.rounds, sum.other_orders)};
}

constexpr double kLoud = 3000.0;  // rewards that make tests fire

// Eq. (11): all of MASTER.
Measurement master_error(const MasterNetworkOptions& options) {
    const Played sum = played(kLoud, options);
    const MasterNetwork network(options);
    size_t heads = 0;
    Index hidden = 0;
    for (const ReluLayer& layer : network.layers()) {
        heads = larger(heads, layer.heads.size());
        hidden = larger(hidden, layer.W_1.rows());
    }
    return {
        sum.log_ratio,
        fmt::format("{} plays of {} rounds, rewards {:.0f} times as large: Test 1 fires {}, Test 2 {} times. D = {}, "
                    "M = {}, L = {}, D' = {}, norm {:.0e}",
                    kPlays, options.rounds, kLoud, sum.restarts[0], sum.restarts[1], network.size(), heads,
                    network.layers().size(), hidden, norm_of(network.layers()))};
}

// The policy imitation error of D.5 over (e^epsilon - 1) A T, where eta of the network is another one than MASTER's.
// adds_up = false: without A T, as if the errors of rounds did not add up.
Measurement imitation_error(bool adds_up) {
    MasterNetworkOptions options;
    options.wrong_eta = 1.1;
    const Played sum = played(1.0, options);
    return {sum.imitation * (adds_up ? 1 : options.arms * options.rounds),
            fmt::format("{} plays; epsilon = {:.2f}, the network's eta a tenth too large", kPlays, sum.log_ratio)};
}

// The largest distance of the distribution of the network's random numbers from the uniform one.
Measurement distance_from_uniform(double steepness) {
    MasterNetworkOptions options{.noise = 511, .steepness = steepness};
    MasterNetwork network(options);
    Stream stream(kPlaySeed, Purpose::testing, kPlays);
    const std::vector<double> numbers = normal_numbers(stream, options.noise);
    network.begin(numbers);
    std::vector<double> uniforms;
    // Each number of the noise comes once, as the number of some order in some round.
    for (size_t first = 0; first < numbers.size(); first += static_cast<size_t>(network.orders())) {
        std::vector<double> data(static_cast<size_t>(network.orders()));
        for (size_t m = 0; m < data.size(); ++m) data[m] = numbers[smaller(first + m, numbers.size() - 1)];
        network.choose(data);
        for (size_t m = 0; m < data.size() && first + m < numbers.size(); ++m)
            uniforms.push_back(network.random_number(static_cast<int>(m)));
    }
    std::sort(uniforms.begin(), uniforms.end());
    const auto n = static_cast<double>(uniforms.size());
    double largest = 0.0;
    for (size_t i = 0; i < uniforms.size(); ++i)
        largest = larger({largest, std::abs(uniforms[i] - static_cast<double>(i) / n),
                          std::abs(uniforms[i] - static_cast<double>(i + 1) / n)});
    return {largest, fmt::format("{} normal numbers", uniforms.size())};
}

// The largest entry of the memory after a restart, and the largest change without one.
Measurement restart_error(double bound) {
    MasterNetworkOptions options;
    options.bound = bound;
    const MasterNetwork network(options);
    Stream stream(kPlaySeed, Purpose::testing, kPlays + 1);
    double largest = 0.0;
    for (const double signal : {0.0, 1.0}) {
        Mat H(network.size(), 1);
        for (Index i = 0; i < H.size(); ++i) H(i) = 1e3 * stream.normal();
        H(H.size() - 1) = signal;
        const Vec before = H;
        pass_token(network.restart_layer(), 0, H);
        const Index kept = signal == 0.0 ? H.size() : network.memory();
        largest = larger(largest, (H.topRows(kept) - before.head(kept)).cwiseAbs().maxCoeff());
        if (signal == 1.0) largest = larger(largest, H.col(0).segment(kept, H.size() - 1 - kept).cwiseAbs().maxCoeff());
    }
    return {largest, fmt::format("D' = {} for {} entries of the memory, normal with deviation 1,000",
                                 network.restart_layer().W_1.rows(), network.size() - 1 - network.memory())};
}

}  // namespace

std::vector<NamedMeasure> master_measures() {
    MasterNetworkOptions blind, unheld, untested;
    blind.c_0 = 0.0;
    unheld.held = false;
    untested.tests = false;
    return {{"nonstationary-proposition-3-random", [] { return distance_from_uniform(1e6); }},
            {"nonstationary-proposition-3-random-flat", [] { return distance_from_uniform(1.0); }},
            {"nonstationary-proposition-3", [] { return scheduler_error({}); }},
            {"nonstationary-proposition-3-unweighted", [blind] { return scheduler_error(blind); }},
            {"nonstationary-proposition-3-unheld", [unheld] { return scheduler_error(unheld); }},
            {"nonstationary-proposition-4", [] { return restart_error(1e6); }},
            {"nonstationary-proposition-4-bound", [] { return restart_error(100.0); }},
            {"nonstationary-theorem-5", [] { return master_error({}); }},
            {"nonstationary-theorem-5-untested", [untested] { return master_error(untested); }},
            {"nonstationary-theorem-6", [] { return imitation_error(true); }},
            {"nonstationary-theorem-6-once", [] { return imitation_error(false); }}};
}

}  // namespace emergence
