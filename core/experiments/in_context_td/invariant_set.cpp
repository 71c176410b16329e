// Experiment "invariant-set": Theorem 2 of Wang et al. 2025. One layer starts on the set that holds in-context TD, or
// off it, and takes expected updates, averaged over all sign flips and permutations of the features; plain Monte Carlo
// runs beside it on the same samples. One step is one update, in double.
#include <fmt/format.h>

#include <cmath>

#include "core/base/rng.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/stacked.h"
#include "core/experiments/study_of.h"
#include "core/lab/views/run_views.h"
#include "core/measures/invariant_set.h"

namespace emergence {
namespace {

// Every setting of experiment "invariant-set".
struct InvariantSetConfig {
    double eta = 1.0, c = -0.5, c_prime = 0.5;
    double distance = 0.0;
    double learning_rate = 0.5;
    InvariantSetOptions updates;
    int64_t num_steps = 400;
    int64_t seed = 0;
    int seeds = 8;

    void fields(Fields& f) {
        f.group("start");
        f(eta, "eta", "\u03b7", "P's corner at the start.").range(-3, 3);
        f(c, "c", "c", "Q's upper-left block is c I at the start: rewards along \u03c6.").range(-3, 3);
        f(c_prime, "c_prime", "c'", "Q's lower-left block is c' I at the start: rewards along \u03b3\u03c6'.")
            .range(-3, 3);
        f(distance, "distance", "distance",
          "Distance from the set at the start, in a random direction, over the point's norm. 0: on the set.")
            .range(0, 2);
        f.group("training");
        f(learning_rate, "learning_rate", "learning rate",
          "The weights move by each update times this, as in Algorithm 1.")
            .log_range(0, 10);
        f(updates.samples, "samples", "MRPs per update",
          "An update is averaged over this many fresh random MRPs, with one pair of prompts each.")
            .log_range(1, 1000);
        features_field(f, updates.tasks.d, "Features of a state. The average runs over 2^d d! maps: 384 for d = 4.", 5);
        context_length_field(f, updates.n, 200);
        states_field(f, updates.tasks.num_states, "States of each random Boyan chain.", 64);
        gamma_field(f, updates.tasks.gamma, "Discount factor.");
        train_for_field(f, num_steps, "num_steps", "updates", "The run stops after this many updates.", 1e5);
        first_seed_field(f, seed, "Each seed draws its own MRPs and, off the set, its own direction.");
        num_seeds_field(f, seeds, "How many independent streams of MRPs.");
    }
};

constexpr StudyNames kInvariantSetStudy = {"invariant-set", "updates", "num_steps"};

// A point of the set, moved by `distance` times its norm in a random direction normal to the set. The
// direction has entries in P's last row and Q's first d columns only: updates never change the others.
WeightUpdate draw_invariant_start(const InvariantSetConfig& c, uint64_t seed) {
    WeightUpdate start = invariant_weights(c.updates.tasks.d, {c.eta, c.c, c.c_prime});
    if (c.distance == 0.0) return start;
    const int rows = 2 * c.updates.tasks.d + 1;
    WeightUpdate direction{Mat::Zero(rows, rows), Mat::Zero(rows, rows)};
    Stream stream(seed, Purpose::initial_weights);
    for (int i = 0; i < rows; ++i) direction.P(rows - 1, i) = stream.normal();
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < c.updates.tasks.d; ++j) direction.Q(i, j) = stream.normal();
    const WeightUpdate along = invariant_weights(c.updates.tasks.d, nearest_invariant_point(direction));
    direction.P -= along.P;
    direction.Q -= along.Q;
    const double size = std::sqrt((start.P.squaredNorm() + start.Q.squaredNorm()) /
                                  (direction.P.squaredNorm() + direction.Q.squaredNorm()));
    start.P += c.distance * size * direction.P;
    start.Q += c.distance * size * direction.Q;
    return start;
}

// The share of the weights outside the set and the nearest point of the set, with averaged updates and with plain ones.
struct InvariantSetMeasured {
    double distance = 0, distance_plain = 0;
    InvariantPoint point, point_plain;

    void say(Row& row) const {
        HistoryPlot& distances = row.plot("distance_to_set", "Distance to the set");
        // The axis begins below the last bit of the largest entry, so that rounding stays visible.
        distances.y("share of the norm outside").logarithmic().from(1e-18);
        distances.note(
            "The part of P and Q outside Theta*, over their norm. Averaged over all sign flips and permutations of the "
            "features, an update leaves the set only by rounding (Theorem 2); plain updates leave it by sampling error.");
        HistoryPlot& points = row.plot("set_coordinates", "\u03b7, c and c'");
        points.y("nearest point of the set");
        points.note(
            "The nearest point of Theta*. Dashed: plain Monte Carlo. -\u03b7c is the step size of one TD step from zero.");
        const std::string share = "The part of P and Q that is outside the set, as a share of their norm: ";
        const char* const same = "The same under plain Monte Carlo.";
        row("distance", "averaged over maps", share + "updates averaged over all feature maps.", distance)
            .line(distances);
        row("distance_plain", "plain Monte Carlo", share + "updates not averaged.", distance_plain).line(distances, 1);
        row("eta", "\u03b7", "P's corner.", point.eta).line(points);
        row("c", "c", "Mean of the diagonal of Q's upper-left block.", point.c).line(points, 1);
        row("c_prime", "c'", "Mean of the diagonal of Q's lower-left block.", point.c_prime).line(points, 2);
        row("eta_plain", "\u03b7, plain", same, point_plain.eta).line(points).dashed();
        row("c_plain", "c, plain", same, point_plain.c).line(points, 1).dashed();
        row("c_prime_plain", "c', plain", same, point_plain.c_prime).line(points, 2).dashed();
    }
};

// One start that takes averaged updates, and the same start that takes plain ones, on the same samples.
class InvariantSetSeed final : public CountedSeed<InvariantSetMeasured> {
  public:
    InvariantSetSeed(const InvariantSetConfig& config, int seed_index, std::shared_ptr<const FeatureAverage> average)
        : CountedSeed(config.seed, seed_index, 1),
          config_(config),
          average_(std::move(average)),
          start_(draw_invariant_start(config, seed())),
          averaged_(start_),
          plain_(start_) {}

    bool failed() const override { return failed_; }
    void state(Archive& archive) override {
        const auto weights = [&archive](const char* name, WeightUpdate& pair) {
            Mat both(pair.P.rows(), 2 * pair.P.cols());
            both.leftCols(pair.P.cols()) = pair.P;
            both.rightCols(pair.Q.cols()) = pair.Q;
            archive(name, both);
            if (archive.loads()) pair = {both.leftCols(pair.P.cols()), both.rightCols(pair.P.cols())};
        };
        weights("averaged", averaged_);
        weights("plain", plain_);
        progress(archive, failed_);
    }

    const WeightUpdate& start() const { return start_; }
    const WeightUpdate& weights(bool plain) const { return plain ? plain_ : averaged_; }

  protected:
    void take_step() override {
        const UpdateMoments moments =
            update_moments(config_.updates, seed(), static_cast<uint32_t>(step_ * config_.updates.samples));
        const auto move = [&](const WeightUpdate& from, const UpdateMoments& by) {
            const WeightUpdate update = expected_update(by, from);
            WeightUpdate moved{from.P + config_.learning_rate * update.P, from.Q + config_.learning_rate * update.Q};
            failed_ = failed_ || !moved.P.allFinite() || !moved.Q.allFinite();
            return moved;
        };
        WeightUpdate averaged = move(averaged_, (*average_)(moments)), plain = move(plain_, moments);
        if (failed_) return;
        averaged_ = std::move(averaged);
        plain_ = std::move(plain);
        ++step_;
    }
    InvariantSetMeasured measure() override {
        return {share_outside_invariant_set(averaged_), share_outside_invariant_set(plain_),
                nearest_invariant_point(averaged_), nearest_invariant_point(plain_)};
    }
    std::string why_failed() const override {
        return fmt::format("diverged at update {}: the learning rate is too large", step_ + 1);
    }

  private:
    InvariantSetConfig config_;
    std::shared_ptr<const FeatureAverage> average_;
    WeightUpdate start_, averaged_, plain_;
    bool failed_ = false;
};

// ---- pictures

const char* const kStuck = "0; no gradient ever reaches it";

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

// P and Q under both ways of averaging, as pictures and as arrays of seeds x 1 x D x D, D = 2d+1.
struct SetMatrix {
    const char *name, *title, *help;
    bool plain;
    Mat WeightUpdate::*member;

    Table of(const InvariantSetSeed& seed) const { return table_of(seed.weights(plain).*member); }
};
const SetMatrix kSetMatrices[] = {
    {"P", "P, averaged over feature maps", "What the layer writes.", false, &WeightUpdate::P},
    {"Q", "Q, averaged over feature maps", "What the layer compares.", false, &WeightUpdate::Q},
    {"P_plain", "P, plain Monte Carlo", "The same start and samples, not averaged.", true, &WeightUpdate::P},
    {"Q_plain", "Q, plain Monte Carlo", "The same start and samples, not averaged.", true, &WeightUpdate::Q}};

void add_set_matrices(int d, const std::vector<const InvariantSetSeed*>& seeds, Snapshot& snapshot) {
    const auto rows = static_cast<size_t>(2 * d + 1);
    for (const SetMatrix& one : kSetMatrices) {
        ShownMatrix matrix(one.name, one.title, one.help);
        matrix.square(prompt_blocks(d)).meanings(set_meanings(one.name[0])).note_alignment("as it is");
        for (const InvariantSetSeed* seed : seeds) matrix.seed(one.of(*seed), table_of(seed->start().*one.member));
        snapshot.matrices.push_back(matrix);
        snapshot.weights[one.name] =
            stacked(seeds, {1, rows, rows}, [&one](const InvariantSetSeed* seed) { return one.of(*seed).values; });
    }
}

double largest_share(const std::vector<const InvariantSetSeed*>& seeds, bool plain) {
    double largest = 0.0;
    for (const InvariantSetSeed* seed : seeds)
        largest = larger(largest, share_outside_invariant_set(seed->weights(plain)));
    return largest;
}

// The value on the set, and the update of Eq. (10), Wang et al. 2025.
std::vector<Formula> invariant_set_formulas() {
    const std::vector<BlockReference> corner = {{"P", 2, 2}, {"P_plain", 2, 2}}, now = {{"Q", 0, 0}, {"Q_plain", 0, 0}},
                                      next = {{"Q", 1, 0}, {"Q_plain", 1, 0}};
    return {
        {"on the set",
         written("v(s) = -\u03b7/n sum_j R_j ( c phi_j + c' gamma phi'_j )^T phi(s)",
                 {{"v(s)", "The value that any weights in the set predict.", {}},
                  {"-\u03b7/n", "P's bottom-right entry over the number of transitions.", corner},
                  {"sum_j", "Over all transitions of the context.", {}},
                  {"R_j", "The reward of transition j.", corner},
                  {"c phi_j", "Along the features of the state that transition j leaves.", now},
                  {"c' gamma phi'_j", "Along the features of the state that it reaches.", next},
                  {"phi(s)", "The query's features.", {}}}),
         "Theorem 2 of Wang et al. 2025: P is zero except its bottom-right entry; Q's left blocks are c I and c' I. "
         "With c' = 0 this is one step of batch TD (Corollary 1)."},
        {"update",
         written("\u0394 = E [ ( R + gamma v(s') - v(s) ) \u2207v(s) ]",
                 {{"\u0394", "Training adds this to P and Q, times the learning rate.", {}},
                  {"E", "The mean over fresh MRPs and over all sign flips and permutations of features.", {}},
                  {"[ (", "", {}},
                  {"R + gamma v(s')", "The target of the TD error; it is not differentiated.", {}},
                  {"v(s)", "The value that is predicted.", {}},
                  {"\u2207v(s)", "Its gradient with respect to P and Q.", {}}}),
         "Eq. (10) of Wang et al. 2025."}};
}

class InvariantSetStudy final : public StudyOf<InvariantSetConfig, InvariantSetSeed, FeatureAverage> {
  public:
    explicit InvariantSetStudy(const Settings& settings) : StudyOf(kInvariantSetStudy, settings) {
        shared_ = std::make_shared<const FeatureAverage>(config_.updates.tasks.d);
        declare(InvariantSetMeasured());
    }
    static void check(const InvariantSetConfig& c) {
        if (c.eta == 0.0 && c.c == 0.0 && c.c_prime == 0.0)
            throw InputError("eta: with eta = c = c_prime = 0 no weight ever moves. Change one of them.");
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        const double averaged = largest_share(seeds, false), plain = largest_share(seeds, true);
        add_set_matrices(config_.updates.tasks.d, seeds, snapshot);
        snapshot.formulas = invariant_set_formulas();
        snapshot.scalars = {
            {"distance", "outside the set", averaged, "",
             "The largest share of any seed's norm outside the set, with updates averaged over feature maps."},
            {"distance_plain", "plain", plain, "", "The same under plain Monte Carlo."}};
        snapshot.headline = fmt::format(
            "share of the weights outside Theorem 2's set: {:.1e} with averaged updates, {:.1e} with plain ones",
            averaged, plain);
    }
};

}  // namespace

ExperimentInfo invariant_set() {
    return experiment_of<InvariantSetStudy>(
        kInvariantSetStudy, "Theorem 2: a set that training does not leave",
        "A set of weights contains in-context TD, and the expected updates of multi-task TD never leave it (Wang et "
        "al. 2025, Theorem 2). One layer of linear attention starts on the set or off it; averaged over all sign "
        "flips and permutations of the features, it stays to rounding. Plain Monte Carlo leaves.");
}

}  // namespace emergence
