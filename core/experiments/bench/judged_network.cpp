// Which networks the bench makes, and what it keeps of them.
#include <algorithm>
#include <cmath>

#include "core/base/rng.h"
#include "core/experiments/bench/scores.h"

namespace emergence {
namespace {

constexpr double kStepSizes[] = {0.1, 0.5, 1.5};

const std::vector<Built>& built_as(MapVerdict truth) {
    static const std::array<std::vector<Built>, kMapVerdicts> all = [] {
        std::array<std::vector<Built>, kMapVerdicts> by_truth;
        for (int k = 0; k < kBuilt; ++k)
            by_truth[static_cast<size_t>(truth_of(static_cast<Built>(k)))].push_back(static_cast<Built>(k));
        return by_truth;
    }();
    return all[static_cast<size_t>(truth)];
}

template <class List>
auto one_of(const List& list, Stream& stream) {
    return list[static_cast<size_t>(stream.uniform() * static_cast<double>(std::size(list)))];
}

bool uses_no_error(Built built) { return built == Built::no_bootstrap || built == Built::reward_step; }

Disguise drawn_disguise(Built built, Stream& stream) {
    using D = Disguise;
    std::vector<D> choice;
    for (const D disguise : {D::bare, D::gauge, D::rotated, D::noise, D::filled, D::all})
        choice.insert(choice.end(), {disguise, disguise});
    if (uses_no_error(built)) choice.insert(choice.end(), 4, D::planted);
    // A random network does not learn the others' values within seconds.
    if (uses_no_error(built) || built == Built::td || built == Built::half_bootstrap) choice.push_back(D::taught);
    return one_of(choice, stream);
}

}  // namespace

BenchNetwork bench_network(const BenchPrompts& prompts, int d, int layers, double noise, uint64_t seed, uint32_t number,
                           Recipe& made) {
    Stream stream(seed, Purpose::task_parameters, number);
    made.built = one_of(built_as(static_cast<MapVerdict>(number % kMapVerdicts)), stream);
    made.alpha = one_of(kStepSizes, stream);
    made.disguise = drawn_disguise(made.built, stream);
    made.noise = noise;
    if (made.disguise == Disguise::taught) {
        // Which half of the starts learns nothing is chance.
        for (uint32_t attempt = 0; attempt < 4; ++attempt)
            if (BenchNetwork network = taught_network(teacher_of(made.built, made.alpha, layers), d, *prompts.fit,
                                                      derive_seed(seed, Purpose::pool) + attempt, number);
                !network.P.empty())
                return network;
        made.disguise = Disguise::noise;
    }
    return build_network(made, d, layers, *prompts.fit, seed, number);
}

JudgedNetwork judged_network(const BenchPrompts& prompts, int d, int layers, double noise, uint64_t seed,
                             uint32_t number) {
    Recipe made;
    const BenchNetwork network = bench_network(prompts, d, layers, noise, seed, number, made);
    JudgedNetwork judged{made.built, made.disguise, made.alpha, {}};
    for (const NamedJudge& judge : bench_judges()) judged.opinions.push_back(judge.judge(network, prompts));
    return judged;
}

MapVerdict JudgedNetwork::named_with(const MapRegions& regions) const {
    const MapPosition& at = opinions[kMapJudge].position;
    return at.landmark != MapVerdict::none ? at.landmark : region_of(at.beta, at.c, regions);
}

size_t numbers_in_network() { return 6 + 4 * bench_judges().size(); }

std::vector<double> numbers_of(const JudgedNetwork& network) {
    std::vector<double> numbers = {static_cast<double>(network.built), static_cast<double>(network.disguise),
                                   network.alpha};
    for (const Opinion& opinion : network.opinions)
        numbers.insert(numbers.end(), {static_cast<double>(opinion.name), static_cast<double>(opinion.otherwise),
                                       opinion.sure, opinion.td});
    const MapPosition& at = network.opinions[kMapJudge].position;
    numbers.insert(numbers.end(), {static_cast<double>(at.landmark), at.beta, at.c});
    return numbers;
}

bool are_numbers_of_network(const std::vector<double>& numbers) {
    const auto counts = [&](size_t at, int below) {
        return numbers[at] >= 0 && numbers[at] < below && numbers[at] == std::floor(numbers[at]);
    };
    bool fit = numbers.size() == numbers_in_network() && counts(0, kBuilt) && counts(1, kDisguises);
    for (size_t judge = 0; fit && judge < bench_judges().size(); ++judge)
        fit = counts(3 + 4 * judge, kMapVerdicts) && counts(4 + 4 * judge, kMapVerdicts);
    return fit && counts(numbers.size() - 3, kMapVerdicts);
}

JudgedNetwork network_of_numbers(const std::vector<double>& numbers) {
    JudgedNetwork network{static_cast<Built>(numbers[0]), static_cast<Disguise>(numbers[1]), numbers[2], {}};
    size_t at = 3;
    for (size_t judge = 0; judge < bench_judges().size(); ++judge, at += 4)
        network.opinions.push_back({static_cast<MapVerdict>(numbers[at]), static_cast<MapVerdict>(numbers[at + 1]),
                                    numbers[at + 2], numbers[at + 3]});
    network.opinions[kMapJudge].position = {static_cast<MapVerdict>(numbers[at]), numbers[at + 1], numbers[at + 2]};
    return network;
}

}  // namespace emergence
