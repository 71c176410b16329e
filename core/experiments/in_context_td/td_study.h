#pragma once
// What the parts of experiment "td" share: its seeds, its study, its pictures and its claims.

#include <memory>
#include <vector>

#include "core/experiments/configured_study.h"
#include "core/experiments/in_context_td/cart_pole_scene.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/trained_seed.h"
#include "core/measures/element_wise.h"
#include "core/measures/network_evaluator.h"
#include "core/models/network_windows.h"
#include "core/training/train_network.h"

namespace emergence {

struct WorldFile;

/// The theory's P and Q for these sizes, largest entry 1: Theorem 1's with C = I, Corollary 1's for a single
/// layer.
struct TheoryMatrices {
    Table P, Q;
    std::string name;
};
TheoryMatrices in_context_td_theory(int d, int num_layers);

/// What theory's matrices do, block by block ("P0" or "Q0" and so on), and the update that they carry out;
/// `stored` layers have matrices of their own.
std::vector<BlockMeaning> in_context_td_meanings(const std::string& matrix, int num_layers);
Formula in_context_td_formula(int num_layers, int stored = 1);

class Replay;         // start_weights.h
class LineUp;         // metrics/line_up.h
struct SeedMeasures;  // td_line_up.h
struct SurgeryBench;  // surgery.h

/// What a seed is trained with.
MultiTaskTdOptions training_options(const InContextTdConfig& config);
/// Throws InputError where settings do not go together, naming the first field, what was found and what is
/// allowed.
void check_in_context_td(const Settings& settings);

/// One seed.
class InContextTdSeed final : public TrainedSeed<MultiTaskTd> {
  public:
    InContextTdSeed(const InContextTdConfig& config, uint64_t seed, int seed_index,
                    std::shared_ptr<const SeedMeasures> measures);
    ~InContextTdSeed() override;

    void advance(int64_t target_step, std::vector<MetricRow>& rows) override;
    int64_t step() const override { return training().mrps(); }

    const LineUp* line_up() const { return line_up_.get(); }  // null where none is asked for
    /// One matrix of the weights as they are; its Frobenius norm at step 0.
    Table matrix(const NamedBlock& block) const;
    double initial_norm(const NamedBlock& block) const;

  protected:
    void train_one_step() override { own_training().train_one_mrp(); }
    std::vector<double> measure() override;
    std::string why_diverged() const override;

  private:
    void advance_replay(int64_t target_step, std::vector<MetricRow>& rows);
    void set_weights(const std::vector<float>& weights, float alpha, int64_t step);
    /// Attention's, the mean over layers of their own, signs aligned where they may be flipped; whether all
    /// of them have emerged.
    ElementWise elements(bool& emerged) const;

    InContextTdConfig config_;
    NetworkShape shape_;
    std::shared_ptr<const SeedMeasures> measures_;
    const Replay* replay_;                          // whose weights stand in for training; may be null
    std::unique_ptr<const NetworkEvaluator> pool_;  // on the tasks trained on; null without a pool
    std::unique_ptr<LineUp> line_up_;
    std::vector<float> initial_weights_;
};

class InContextTdStudy final : public ConfiguredStudy<InContextTdConfig> {
  public:
    explicit InContextTdStudy(const Settings& settings);

    std::unique_ptr<Experiment> make_seed(int seed_index) const override;
    int64_t target_step() const override;
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override;
    Snapshot outline(const std::vector<const Experiment*>& seeds) const override;
    Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const override;
    void set_live(const Settings& settings) override;

  private:
    std::shared_ptr<const SeedMeasures> measures_;
    std::shared_ptr<const NetworkEvaluator> by_length_;  // at many context lengths; null without true values
    std::shared_ptr<const NetworkEvaluator> by_depth_;   // with extra layers; null without them
    std::shared_ptr<const CartPoleScene> cart_pole_;     // what is drawn; null for other tasks
    std::shared_ptr<const WorldFile> own_world_;         // looked inside of; null for held-out tasks
    std::shared_ptr<const SurgeryBench> surgery_;        // null where nothing is operated on
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
/// MSVE against context length for the networks and batch TD, with the best linear predictor and
/// predict-zero.
PlotSpec value_error_plot(const InContextTdConfig& config, const NetworkEvaluator& evaluator,
                          const std::vector<LearnedWeights>& seeds);
/// Its read-outs at the marked context length.
std::vector<Scalar> value_error_scalars(const InContextTdConfig& config, const HeldOutBank& bank,
                                        const PlotSpec& plot);

/// Whether values are differential ones, of average-reward TD.
bool averages_rewards(const InContextTdConfig& config);

/// The tasks that are trained on, and of which held-out banks are made.
TaskOptions task_options(const InContextTdConfig& config);

/// The network of these settings; whether theory says what its weights should be.
NetworkShape network_shape(const InContextTdConfig& config);
bool has_theory(const InContextTdConfig& config);
/// "transformer" or "RNN".
std::string network_name(const InContextTdConfig& config);

/// Whether P and Q can change their signs together and leave the network as it is.
bool may_flip_signs(const NetworkShape& shape);

/// The matrices of a network over seeds, with their blocks, theory and symmetries.
std::vector<NamedMatrix> network_matrices(const NetworkShape& shape,
                                          const std::vector<const InContextTdSeed*>& seeds);
/// One of the arrays that a file has of a network: its shape, and where it is in the flat weights.
struct StoredArray {
    std::string name;
    std::vector<size_t> shape;
    size_t offset, size;
};
std::vector<StoredArray> stored_arrays(const NetworkShape& shape);
/// The weights of all seeds as a file holds them, and back from a snapshot.
ArrayMap weight_arrays(const NetworkShape& shape, const std::vector<LearnedWeights>& seeds);
std::vector<LearnedWeights> trained_seeds(const NetworkShape& shape, const Snapshot& snapshot);

/// Whether there are true values, and so value errors.
bool has_values(const InContextTdConfig& config);

/// On a seed's own pool, with trajectories of their own; null without a pool or true values.
std::unique_ptr<const NetworkEvaluator> make_pool_evaluator(const InContextTdConfig& config, uint64_t seed);

/// How many held-out MRPs a logged point takes: all, or a tenth where every state of each is a prompt.
int evaluation_size(const InContextTdConfig& config);
/// For the value errors against context length; null without true values.
std::shared_ptr<const NetworkEvaluator> make_length_evaluator(const InContextTdConfig& config);

/// The held-out world that all seeds share, or another one; `lengths`: ascending.
std::shared_ptr<const HeldOutBank> make_bank(const InContextTdConfig& config, int size,
                                             std::vector<int> lengths, uint64_t world = 0);
/// 1 .. 40, and beyond it, as far as the marked and the trained length ask for, a grid that thins; holds
/// `marked`.
std::vector<int> context_length_grid(int marked, int trained);

/// What is logged with these settings: what does not exist has no column.
MetricTable in_context_td_metrics(const InContextTdConfig& config);
std::vector<MetricPlot> in_context_td_plots(const InContextTdConfig& config, const HeldOutBank& bank);
FigureSpec figure_wang_2(const Snapshot& snapshot, const MetricHistory& history);
/// The table of claims: constructions, identities, fast paths.
std::vector<Claim> in_context_td_claims();

}  // namespace emergence
