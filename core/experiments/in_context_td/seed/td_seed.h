#pragma once
// One seed of experiment "td": its weights, its tasks and held-out banks, what it logs and computes, its training.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/matrix.h"
#include "core/experiments/in_context_td/settings/td_settings.h"
#include "core/experiments/in_context_td/settings/worlds.h"
#include "core/experiments/logged_seed.h"
#include "core/measures/emergence.h"
#include "core/measures/held_out_bank.h"
#include "core/measures/network_evaluator.h"
#include "core/measures/star.h"
#include "core/measures/verdict.h"
#include "core/models/network_windows.h"
#include "core/training/multi_task_td.h"

namespace emergence {

struct Snapshot;
class InContextTdSeed;

/// One seed's weights, as value-error plots need them.
struct LearnedWeights {
    std::vector<float> weights;  // flat
    float alpha = 1;
    bool failed = false;
};

using LearnedSeeds = std::vector<LearnedWeights>;

/// A row of `size` numbers of each seed, `of(seed)`; NaN of those that failed.
std::vector<std::vector<double>> rows_of(const LearnedSeeds& seeds, size_t size, const auto& of) {
    std::vector<std::vector<double>> rows;
    for (const LearnedWeights& seed : seeds)
        rows.push_back(seed.failed ? std::vector<double>(size, kMissing) : of(seed));
    return rows;
}

LearnedSeeds weights_of(const std::vector<const InContextTdSeed*>& seeds);

/// "batch TD". If weights come from a file, the step size or its range over seeds follows: "batch TD, alpha = 0.5".
std::string batch_td_name(const InContextTdConfig& config, const LearnedSeeds& seeds);
/// How batch TD came by its step size: "its trained alpha".
std::string batch_td_alpha(const InContextTdConfig& config);

Table matrix_in(const std::vector<float>& weights, const NamedBlock& block);

/// The weights of all seeds as arrays of a file; trained_seeds() reads them back from a snapshot.
ArrayMap weight_arrays(const NetworkShape& shape, const LearnedSeeds& seeds);
LearnedSeeds trained_seeds(const NetworkShape& shape, const Snapshot& snapshot);

// Weights of experiment "td" to start from, in files.

/// The weights from which seed number `seed_index` starts; none without the setting `weights`. The file is an
/// NPZ or safetensors with the network's arrays (P and Q: layers x D x D, with or without a leading size for seeds; a
/// run of the published code gives its last logged ones) and, optionally, alpha, which is NaN without. A file of one
/// network serves all seeds. Throws InputError with the file and the array.
std::optional<LearnedWeights> start_weights(const InContextTdConfig& config, int seed_index);

/// Throws InputError if `weights` cannot be used with the other settings.
void check_start(const InContextTdConfig& config);

// The tasks of experiment "td", and the held-out banks on which its networks are judged.

/// Whether values are the differential values of average-reward TD.
bool averages_rewards(const InContextTdConfig& config);
/// Whether training draws the same tasks again and again.
bool has_pool(const InContextTdConfig& config);

/// The tasks of training and of held-out banks; without the worlds of files.
TaskOptions task_options(const InContextTdConfig& config);
/// The tasks of held-out banks. Throws InputError if worlds of files cannot be read.
TaskOptions held_out_tasks(const InContextTdConfig& config);
/// The worlds of files that training draws; null for other tasks. Throws InputError if they cannot be read.
Worlds training_worlds(const InContextTdConfig& config);
/// The training options of a seed, with those worlds.
MultiTaskTdOptions training_options(const InContextTdConfig& config, Worlds worlds);

/// The number of held-out MRPs at a logged point: all, or a tenth if every state of each is a prompt.
int evaluation_size(const InContextTdConfig& config);
/// These numbers in ascending order, without repetitions.
std::vector<int> ascending(std::vector<int> numbers);
/// The place of eval_context_length among the bank's context lengths.
size_t marked_place(const InContextTdConfig& config, const HeldOutBank& bank);

/// A bank of the held-out world that all seeds share, or of another `world`. `lengths` must ascend.
std::shared_ptr<const HeldOutBank> make_bank(const InContextTdConfig& config, int size, std::vector<int> lengths,
                                             uint64_t world = 0);
/// An evaluator of these networks on such a bank.
std::shared_ptr<const NetworkEvaluator> make_evaluator(const InContextTdConfig& config, int size,
                                                       std::vector<int> lengths, uint64_t world = 0);
/// `error`, or 1e30 if it is larger or not finite, so that no seed drops out.
double bounded_error(double error);
std::vector<double> bounded_errors(std::vector<double> errors);

/// Batch TD's errors by context length, a row of each seed.
std::vector<std::vector<double>> batch_td_errors(const HeldOutBank& bank, int layers, const LearnedSeeds& seeds);

/// The evaluator of the value errors against context length; null without true values.
std::shared_ptr<const NetworkEvaluator> make_length_evaluator(const InContextTdConfig& config);

// What a seed of experiment "td" measures at a logged step, and the metrics that it logs.

struct TdMeasured {
    const InContextTdConfig* config = nullptr;
    double loss = 0, alpha = 0;
    ElementWise elements = {};
    /// For two heads: those of the reward head, then of the memory head.
    std::array<ElementWise, 2> heads = {};
    /// On held-out tasks, and on the tasks trained on if these are a pool.
    BankScores scores = {}, pool = {};
    DecoySimilarities decoys = {};
    /// What the network computes; without a name if it is not linear.
    NetworkVerdict verdict = {};
    double mask_lambda = kMissing;
    /// 1 or 0, NaN if nothing judges that: whether it computes the algorithm of its loss, whether it has done so for
    /// long enough, and whether its weights have had the pattern of theory for long enough.
    double computes_own = kMissing, function = kMissing, pattern = kMissing;

    /// The metrics that these settings log; td_pictures.h has their plots.
    void say(Row& row) const;
};

// Experiment "td": what each network computes (measures/verdict.h), at every logged step.

/// Shared by all seeds of a study for their measurements; immutable.
struct SeedMeasures {
    /// training_worlds()
    Worlds worlds;
    /// At the training's context length.
    std::shared_ptr<const NetworkEvaluator> evaluator;
    /// Null if the network is not linear.
    std::shared_ptr<const VerdictPrompts> prompts;
};
SeedMeasures seed_measures(const InContextTdConfig& config);

/// The second coordinate of a network's place: lambda of traces for a mask of traces, the mean reward for two heads.
PlaceAxis place_axis(const InContextTdConfig& config);
/// What the networks of each loss are called and their colours, the same on the map and in the plot of losses.
std::vector<MetricPlane::Group> loss_groups(const InContextTdConfig& config);
/// The prompts on which networks of these settings are judged, the same in the window, in files and in Python.
std::shared_ptr<const VerdictPrompts> verdict_prompts(const InContextTdConfig& config);
/// The named algorithms. weights: flat; they hold lambda if the mask is learned.
std::vector<Landmark> landmarks_of(const InContextTdConfig& config, const std::vector<float>& weights);
/// The discount in prompts.
double prompt_gamma(const InContextTdConfig& config);

/// The verdict that is right for the loss; nullopt if its algorithm has no place in the family.
std::optional<VerdictName> own_verdict(const InContextTdConfig& config);

/// A network must compute an algorithm at so many logged steps in a row before the first of them counts as its date.
inline constexpr int64_t kLastingSteps = 10;

/// Says the place, its intervals, what the landmarks leave, the verdict, and both kinds of emergence; of a linear
/// network.
void say_verdict(const TdMeasured& measured, Row& row);
/// Adds the map of algorithms and what each of them leaves unexplained; nothing if the network is not linear.
void add_verdict_plots(const InContextTdConfig& config, std::vector<MetricPlot>& plots);

// The algorithm that a loss itself prefers (measures/star.h).

/// What the star of this loss is computed from. There is none for networks that are not linear or have masks, for
/// CartPole, average reward and own losses, and for more than kMostStarLayers layers. A pool is replaced by the
/// distribution of its tasks. Throws InputError if worlds of files cannot be read.
std::optional<StarOptions> star_options(const InContextTdConfig& config, LossKind loss);
/// "Star: the TD loss itself prefers β 0.70, c -0.08.", and what keeps networks from it. The star is found.
std::string sentence_of(const Star& star, LossKind loss, const InContextTdConfig& config);

// One seed of experiment "td": its training, what it logs, its saved state.

class InContextTdSeed final : public TrainedSeed<MultiTaskTd, TdMeasured> {
  public:
    InContextTdSeed(const InContextTdConfig& config, int seed_index, std::shared_ptr<const SeedMeasures> measures);

    int64_t step() const override { return training().mrps(); }
    SeedStatus status() const override;
    void state(Archive& archive) override;

    /// One matrix of the present weights.
    Table matrix(const NamedBlock& block) const;
    /// Those at step 0.
    const std::vector<float>& initial_weights() const { return initial_weights_; }

  protected:
    void take_step() override { own_training().train_one_mrp(); }
    int64_t lasting_steps() const override;
    TdMeasured measure() override;

  private:
    /// The entries of P and Q that are logged: means over the stored layers, signs aligned if they may be
    /// flipped. Adds what the first layer without the pattern lacks, if nothing is lacking yet.
    ElementWise elements(std::vector<Lack>& lacks) const;
    void measure_elements(TdMeasured& measured);
    void measure_verdict(TdMeasured& measured);
    NetworkVerdict present_verdict() const;

    InContextTdConfig config_;
    NetworkShape shape_;
    std::shared_ptr<const SeedMeasures> measures_;
    /// Measures on the pool that is trained on; null without a pool.
    std::unique_ptr<const NetworkEvaluator> pool_;
    /// The number of logged steps in a row at which it has computed the algorithm of its loss.
    int64_t held_ = 0;
    /// The first of the logged steps at which it did so for long enough; -1: not yet.
    int64_t computed_since_ = -1;
    std::vector<float> initial_weights_;
    /// Of the last logged step since the seed was made or loaded.
    TdMeasured latest_;
};

}  // namespace emergence
