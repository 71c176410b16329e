// Pictures of experiment "invariant-set".

#include "core/base/statistics.h"
#include "core/experiments/in_context_td/invariant_set.h"
#include "core/experiments/in_context_td/settings/td_settings.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/measured.h"
#include "core/lab/views/shown_matrix.h"

namespace emergence {
namespace {

using WhichWeights = const WeightUpdate& (InvariantSetSeed::*)() const;

const char* const kStuck = "0, and no gradient ever reaches it";

std::vector<BlockMeaning> set_meanings(char letter) {
    std::vector<BlockMeaning> meanings;
    if (letter == 'P') {
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < 3; ++column) meanings.push_back({row, column, kStuck, true});
        meanings.push_back({2, 0, "0 on the set; can move"});
        meanings.push_back({2, 1, "0 on the set; can move"});
        meanings.push_back({2, 2, "\u03b7: reads the rewards"});
        return meanings;
    }
    for (int row = 0; row < 3; ++row)
        for (int column = 1; column < 3; ++column)
            meanings.push_back({row, column, std::string(kStuck) + ": the query has zeros there", true});
    meanings.push_back({0, 0, "c I on the set: rewards along \u03c6, one TD step from zero (Corollary 1)"});
    meanings.push_back({1, 0, "c' I on the set: rewards along \u03b3\u03c6'"});
    meanings.push_back({2, 0, "0 on the set; can move"});
    return meanings;
}

NamedMatrix set_matrix(const char* name, const char* title, const char* help, const InvariantSetConfig& config,
                       const std::vector<const InvariantSetSeed*>& seeds, WhichWeights weights,
                       Eigen::MatrixXd WeightUpdate::*member) {
    const int d = config.updates.tasks.d;
    ShownMatrix matrix(name, title, help);
    matrix.square(prompt_blocks(d)).meanings(set_meanings(name[0]));
    matrix.note_alignment("as it is");
    for (const InvariantSetSeed* seed : seeds)
        matrix.seed(table_of((seed->*weights)().*member), table_of(seed->start().*member));
    return matrix;
}

Array stack_of(const std::vector<const InvariantSetSeed*>& seeds, WhichWeights weights,
               Eigen::MatrixXd WeightUpdate::*member) {
    const auto rows = static_cast<size_t>(((seeds.front()->*weights)().*member).rows());
    return stacked(seeds, {1, rows, rows},
                   [&](const InvariantSetSeed* seed) { return table_of((seed->*weights)().*member).values; });
}

double largest_share(const std::vector<const InvariantSetSeed*>& seeds, WhichWeights weights) {
    double largest = 0.0;
    for (const InvariantSetSeed* seed : seeds)
        largest = larger(largest, share_outside_invariant_set((seed->*weights)()));
    return largest;
}

}  // namespace

Metrics<InvariantSetMeasured> invariant_set_metrics() {
    using M = InvariantSetMeasured;
    const std::string share = "The part of P and Q that is outside the set, as a share of their norm: ";
    const char* const same = "The same under plain Monte Carlo.";
    return {{"distance", "averaged over maps", share + "updates averaged over all feature maps.", &M::distance},
            {"distance_plain", "plain Monte Carlo", share + "updates as they are.", &M::distance_plain},
            {"eta", "\u03b7", "P's corner.", of(&M::point, &InvariantPoint::eta)},
            {"c", "c", "Mean of the diagonal of Q's upper-left block.", of(&M::point, &InvariantPoint::c)},
            {"c_prime", "c'", "Mean of the diagonal of Q's lower-left block.", of(&M::point, &InvariantPoint::c_prime)},
            {"eta_plain", "\u03b7, plain", same, of(&M::point_plain, &InvariantPoint::eta)},
            {"c_plain", "c, plain", same, of(&M::point_plain, &InvariantPoint::c)},
            {"c_prime_plain", "c', plain", same, of(&M::point_plain, &InvariantPoint::c_prime)}};
}

std::vector<MetricPlot> invariant_set_plots() {
    HistoryPlot distance("distance_to_set", "Distance to the set");
    distance.line("distance");
    distance.line("distance_plain").color(1);
    distance.y("share of the norm outside").logarithmic().from(1e-18);  // below the last bit of the largest entry
    distance.note(
        "The part of P and Q outside Theta*, over their norm, in double. Averaged over all sign flips and "
        "permutations of the features an update leaves the set by rounding alone (Theorem 2); with the same samples "
        "as they are it leaves it by sampling error. Where nothing is outside, to the last bit, there is no point.");
    HistoryPlot point("set_coordinates", "\u03b7, c and c'");
    for (const bool plain : {false, true}) {
        int color = 0;
        for (const char* name : {"eta", "c", "c_prime"})
            point.line(std::string(name) + (plain ? "_plain" : "")).color(color++).dashed(plain);
    }
    point.y("nearest point of the set");
    point.note(
        "The nearest point of Theta*: P's corner and the mean diagonals of Q's left blocks. Dashed: under plain Monte "
        "Carlo. -\u03b7c is the step size of one TD step from zero.");
    return {distance, point};
}

std::vector<NamedMatrix> invariant_set_matrices(const InvariantSetConfig& config,
                                                const std::vector<const InvariantSetSeed*>& seeds) {
    const auto averaged = &InvariantSetSeed::averaged, plain = &InvariantSetSeed::plain;
    return {set_matrix("P", "P, averaged over feature maps", "What the layer writes.", config, seeds, averaged,
                       &WeightUpdate::P),
            set_matrix("Q", "Q, averaged over feature maps", "What the layer compares.", config, seeds, averaged,
                       &WeightUpdate::Q),
            set_matrix("P_plain", "P, plain Monte Carlo", "The same start and samples, not averaged.", config, seeds,
                       plain, &WeightUpdate::P),
            set_matrix("Q_plain", "Q, plain Monte Carlo", "The same start and samples, not averaged.", config, seeds,
                       plain, &WeightUpdate::Q)};
}

std::vector<Formula> invariant_set_formulas() {
    const std::vector<BlockReference> corner = {{"P", 2, 2}, {"P_plain", 2, 2}}, now = {{"Q", 0, 0}, {"Q_plain", 0, 0}},
                                      next = {{"Q", 1, 0}, {"Q_plain", 1, 0}};
    return {{"on the set",
             {{"v(s)", "The value that a member of the set predicts.", {}},
              {"=", "", {}},
              {"-\u03b7/n", "P's corner over the number of transitions.", corner},
              {"sum_j", "Over all transitions of the context.", {}},
              {"R_j", "The reward of transition j.", corner},
              {"(", "", {}},
              {"c phi_j", "Along the features of the state that was left.", now},
              {"+", "", {}},
              {"c' gamma phi'_j", "Along those of the state that was reached.", next},
              {")^T", "", {}},
              {"phi(s)", "The query's features.", {}}},
             "Theorem 2 of Wang et al. 2025: P zero but for its corner, Q's left blocks c I and c' I. With "
             "c' = 0 "
             "it is one step of batch TD (Corollary 1)."},
            {"update",
             {{"\u0394", "What is added to P and Q, times the learning rate.", {}},
              {"=", "", {}},
              {"E", "The expectation: over fresh MRPs, and over all sign flips and permutations of features.", {}},
              {"[ (", "", {}},
              {"R + gamma v(s')", "What the TD error aims at, not differentiated.", {}},
              {"-", "", {}},
              {"v(s)", "The value that is predicted.", {}},
              {")", "", {}},
              {"\u2207v(s)", "Its gradient by P and Q.", {}},
              {"]", "", {}}},
             "Eq. (10) of Wang et al. 2025."}};
}

ArrayMap invariant_set_weights(const std::vector<const InvariantSetSeed*>& seeds) {
    const auto averaged = &InvariantSetSeed::averaged, plain = &InvariantSetSeed::plain;
    return {{"P", stack_of(seeds, averaged, &WeightUpdate::P)},
            {"Q", stack_of(seeds, averaged, &WeightUpdate::Q)},
            {"P_plain", stack_of(seeds, plain, &WeightUpdate::P)},
            {"Q_plain", stack_of(seeds, plain, &WeightUpdate::Q)}};
}

std::vector<Scalar> invariant_set_scalars(const std::vector<const InvariantSetSeed*>& seeds) {
    return {{"distance", "outside the set", largest_share(seeds, &InvariantSetSeed::averaged), "",
             "Share of the norm that is outside the set, updates averaged over feature maps: the largest of "
             "all seeds."},
            {"distance_plain", "plain", largest_share(seeds, &InvariantSetSeed::plain), "",
             "The same under plain Monte Carlo."}};
}

}  // namespace emergence
