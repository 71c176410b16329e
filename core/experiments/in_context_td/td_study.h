#pragma once
// Shared by the parts of experiment "td": its seeds, its study, its pictures and its claims.

#include <memory>
#include <vector>

#include "core/experiments/in_context_td/pictures/cart_pole_scene.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/study_of.h"
#include "core/experiments/trained_seed.h"
#include "core/measures/decoys.h"
#include "core/measures/element_wise.h"
#include "core/measures/map_follower.h"
#include "core/measures/network_evaluator.h"
#include "core/models/network_windows.h"
#include "core/training/train_network.h"

namespace emergence {

struct WorldFile;

inline constexpr const char* kTdEmergenceRule =
    "A seed counts as emerged (this laboratory's rule) when P[-1,-1] is P's largest entry and, with Q divided by its "
    "largest entry, the trace of Q's upper-left block is below -d/2 and, for more than one layer, that of its "
    "upper-right block is above d/4. Sequential layers must all do so, the last without the upper-right block.";

/// The theory's P and Q for these sizes, largest entry 1, with C = I: of the algorithm that the loss names. td, and
/// td_lambda and monte_carlo, whose weights are the same: Theorem 1's, Corollary 1's for a single layer.
/// residual_gradient: Corollary 2's. average_reward has no such matrices, see has_target().
struct TheoryMatrices {
    Table P, Q;
    std::string name;
};
TheoryMatrices in_context_td_theory(int d, int num_layers, LossKind loss = LossKind::td);

/// The meaning of theory's matrices block by block (`matrix` is "P0", "Q0", ..), and the update that they
/// carry out. `stored`: the number of layers with separate matrices.
std::vector<BlockMeaning> in_context_td_meanings(const std::string& matrix, int num_layers,
                                                 LossKind loss = LossKind::td);
Formula in_context_td_formula(int num_layers, int stored = 1, LossKind loss = LossKind::td);

class Replay;  // start_weights.h
class LineUp;  // measures/line_up.h
struct OwnConstruction;
struct SeedMeasures;  // td_line_up.h
struct SurgeryBench;  // surgery.h

/// The training options of a seed. Throws InputError if worlds of files cannot be read.
MultiTaskTdOptions training_options(const InContextTdConfig& config);
class InContextTdSeed;

/// One matrix of flat weights.
Table matrix_in(const std::vector<float>& weights, const NamedBlock& block);

/// What a seed measures at a logged step.
struct TdMeasured {
    const InContextTdSeed* seed = nullptr;
    double loss = 0, alpha = 0;
    ElementWise elements;
    /// On held-out tasks, and on the tasks trained on if these are a pool.
    BankScores scores, pool;
    DecoySimilarities decoys;
    /// VD, IWS and SS as the published code logged them; empty without a replay.
    std::vector<double> logged;
    /// On the map of algorithms; unknown for networks that are not linear.
    MapPlace place;
    /// Null without a line-up.
    const LineUp* line_up = nullptr;
};
/// The metrics that these settings log.
Metrics<TdMeasured> in_context_td_metrics(const InContextTdConfig& config);

/// One seed.
class InContextTdSeed : public TrainedSeed<MultiTaskTd, TdMeasured> {
  public:
    InContextTdSeed(const InContextTdConfig& config, int seed_index,
                    std::shared_ptr<const SeedMeasures> measures);
    ~InContextTdSeed() override;

    void advance(int64_t target_step, std::vector<MetricRow>& rows) override;
    int64_t step() const override { return training().mrps(); }
    void state(Archive& archive) override;

    const LineUp* line_up() const { return line_up_.get(); }  // null without a line-up
    /// Null if theory is the paper's.
    const OwnConstruction* construction() const;
    /// The measures of the last logged step since the seed was made or loaded.
    const TdMeasured& latest() const { return latest_; }
    /// One matrix of the present weights.
    Table matrix(const NamedBlock& block) const;
    /// Those at step 0.
    const std::vector<float>& initial_weights() const { return initial_weights_; }

  protected:
    /// For experiments that log more `metrics`.
    InContextTdSeed(const InContextTdConfig& config, int seed_index,
                    std::shared_ptr<const SeedMeasures> measures, Metrics<TdMeasured> metrics);

    void take_step() override { own_training().train_one_mrp(); }
    TdMeasured measure() override;
    std::string why_diverged() const override;

  private:
    void advance_replay(int64_t target_step, std::vector<MetricRow>& rows);
    void set_weights(const std::vector<float>& weights, float alpha, int64_t step);
    /// The entries of P and Q that are logged: means over the stored layers, signs aligned if they may be
    /// flipped. Sets `lacks` to what the first layer that has not emerged lacks; "" if all have.
    ElementWise elements(std::string& lacks) const;

    InContextTdConfig config_;
    NetworkShape shape_;
    std::shared_ptr<const SeedMeasures> measures_;
    /// The run whose weights replace training; may be null.
    const Replay* replay_;
    /// On the tasks trained on; null without a pool.
    std::unique_ptr<const NetworkEvaluator> pool_;
    std::unique_ptr<MapFollower> map_;  // null if the network is not linear
    std::unique_ptr<LineUp> line_up_;
    std::vector<float> initial_weights_;
    TdMeasured latest_;
};

/// All seeds.
class InContextTdStudy final : public StudyOf<InContextTdConfig, InContextTdSeed, SeedMeasures> {
  public:
    explicit InContextTdStudy(const Settings& settings);
    static void check(const InContextTdConfig& config);

    int64_t target_step() const override;
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override;
    Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const override;
    void set_live(const Settings& settings) override;

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override;
    bool evaluates_on_request() const override { return true; }

  private:
    /// At many context lengths; null without true values.
    std::shared_ptr<const NetworkEvaluator> by_length_;
    /// With extra layers; null without them.
    std::shared_ptr<const NetworkEvaluator> by_depth_;
    /// The drawn task; null for other tasks.
    std::shared_ptr<const CartPoleScene> cart_pole_;
    /// The own MRP of the world view; null for held-out tasks.
    std::shared_ptr<const WorldFile> own_world_;
    /// Null without operations.
    std::shared_ptr<const SurgeryBench> surgery_;
    // Never replaced, so that inspections may read them on any thread.
    const Settings first_settings_;
    const std::shared_ptr<const NetworkEvaluator> first_by_length_;
    const std::shared_ptr<const CartPoleScene> first_cart_pole_;
};

/// One seed's weights, as value-error plots need them.
struct LearnedWeights {
    std::vector<float> weights;  // flat
    float alpha = 1;
    bool failed = false;
};
/// "batch TD"; beside weights of a file with its step size, "batch TD, alpha = 0.5", or with the range over seeds.
std::string batch_td_name(const InContextTdConfig& config, const std::vector<LearnedWeights>& seeds);
/// The step size that it has: "its trained alpha", or how the one in the name came to be.
std::string batch_td_alpha(const InContextTdConfig& config);
/// Whether training leaves the weights of a file or of the start as they are.
bool stands_still(const InContextTdConfig& config);
/// MSVE against context length for the networks and batch TD, with the best linear predictor and
/// predict-zero.
PlotSpec value_error_plot(const InContextTdConfig& config, const NetworkEvaluator& evaluator,
                          const std::vector<LearnedWeights>& seeds);
/// The read-outs of that plot at the marked context length.
std::vector<Scalar> value_error_scalars(const InContextTdConfig& config, const HeldOutBank& bank,
                                        const PlotSpec& plot);

/// Whether values are the differential values of average-reward TD.
bool averages_rewards(const InContextTdConfig& config);

/// The tasks of training and of held-out banks; without the worlds of files.
TaskOptions task_options(const InContextTdConfig& config);
/// The tasks of held-out banks. Throws InputError if worlds of files cannot be read.
TaskOptions held_out_tasks(const InContextTdConfig& config);
/// Whether training draws the same tasks again and again.
bool has_pool(const InContextTdConfig& config);

/// The network of these settings; has_theory() says whether theory knows what its weights should be.
NetworkShape network_shape(const InContextTdConfig& config);
bool has_theory(const InContextTdConfig& config);
/// Whether theory has weights of such a network for the algorithm that the loss names. Theorem 3, average reward, is
/// about two heads and a row of memory.
bool has_target(const InContextTdConfig& config);
/// "transformer" or "RNN".
std::string network_name(const InContextTdConfig& config);

/// Whether P and Q can change their signs together and leave the network as it is.
bool may_flip_signs(const NetworkShape& shape);

/// The weights of these seeds.
std::vector<LearnedWeights> weights_of(const std::vector<const InContextTdSeed*>& seeds);

/// The matrices of a network over seeds, with their blocks, theory and symmetries.
std::vector<NamedMatrix> network_matrices(const NetworkShape& shape,
                                          const std::vector<const InContextTdSeed*>& seeds,
                                          LossKind loss = LossKind::td);
/// Shows the networks of these seeds: matrices, the theory's update, and the weights as arrays.
void show_network(const InContextTdConfig& config, const std::vector<const InContextTdSeed*>& seeds,
                  Snapshot& snapshot);
/// An array of a network in a file: its name and shape, and its place in the flat weights.
struct StoredArray {
    std::string name;
    std::vector<size_t> shape;
    size_t offset, size;
};

/// The arrays of such a network: P and Q, or the blocks of the RNN.
std::vector<StoredArray> stored_arrays(const NetworkShape& shape);
/// The weights of all seeds as arrays of a file; trained_seeds() reads them back from a snapshot.
ArrayMap weight_arrays(const NetworkShape& shape, const std::vector<LearnedWeights>& seeds);
std::vector<LearnedWeights> trained_seeds(const NetworkShape& shape, const Snapshot& snapshot);

/// Whether the tasks have true values, and so value errors.
bool has_values(const InContextTdConfig& config);

/// An evaluator on a seed's pool, with new trajectories; null without a pool or true values.
std::unique_ptr<const NetworkEvaluator> make_pool_evaluator(const InContextTdConfig& config, uint64_t seed);

/// The number of held-out MRPs at a logged point: all, or a tenth if every state of each is a prompt.
int evaluation_size(const InContextTdConfig& config);
/// The evaluator of the value errors against context length; null without true values.
std::shared_ptr<const NetworkEvaluator> make_length_evaluator(const InContextTdConfig& config);

/// A bank of the held-out world that all seeds share, or of another `world`. `lengths` must ascend.
std::shared_ptr<const HeldOutBank> make_bank(const InContextTdConfig& config, int size,
                                             std::vector<int> lengths, uint64_t world = 0);
/// Context lengths 1 .. 40, or a thinning grid if 5/4 of the larger of both lengths is more than 40. Contains
/// `marked`.
std::vector<int> context_length_grid(int marked, int trained);

/// The training curves of these settings; `bank` gives the reference errors.
std::vector<MetricPlot> in_context_td_plots(const InContextTdConfig& config, const HeldOutBank& bank);

/// What `verify` measures of constructions, identities and fast paths.
std::vector<NamedMeasure> in_context_td_measures();

}  // namespace emergence
