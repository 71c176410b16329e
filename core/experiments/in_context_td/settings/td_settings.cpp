#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <sstream>

#include "core/base/error.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/in_context_td/settings/td_settings.h"
#include "core/experiments/in_context_td/settings/worlds.h"
#include "core/measures/network_evaluator.h"
#include "core/models/network_windows.h"

namespace emergence {

void InContextTdConfig::fields(Fields& f) {
    f.group("model");
    f(num_layers, "num_layers", "layers L",
      "By default one trained layer is applied this often. Batch TD takes as many steps.")
        .range(1, 12);
    model_fields(f);
    task_fields(f);
    training_fields(f);
    train_for_field(f, num_mrps, "num_mrps", "MRPs", "The run stops after this many MRPs. Wang et al. 2025 use 4000.");
    first_seed_field(f, seed, "Each network draws its own weights and its own stream of tasks.");
    num_seeds_field(f, seeds, "How many networks are trained. Wang et al. 2025 average 30.");
    evaluation_fields(f);
    inside.fields(f);
}

void InContextTdConfig::task_fields(Fields& f) {
    f.group("task");
    f.choice(tasks.kind, words_of<TaskKind>({"boyan", "loop", "cart_pole", "files"}), "task", "task",
             "boyan: random Boyan chains (Algorithm 2). loop: random graphs around a ring (Figure 1). cart_pole: "
             "CartPole (Appendix F), without exact values. files: your own worlds.")
        .called({{"boyan", "Boyan chains"}, {"cart_pole", "CartPole"}});
    f(pool_size, "pool_size", "pool of tasks K",
      "Trains on this many tasks, again and again, with new trajectories (ours). 0: a fresh task each time.")
        .log_range(0, 65536);
    advanced(f, tasks.fixed_transition, "fixed_transition", "same dynamics always",
             "All tasks share one initial distribution and one transition matrix (CartPole: physics and policy): "
             "\"too easy\" (Section 5 of Wang et al. 2025).");
    advanced(f, tasks.fixed_features, "fixed_features", "same features always",
             "All tasks share the same features: \"too easy\" (Section 5 of Wang et al. 2025).");
    context_length_field(f, context_length, 480);
    features_field(f, tasks.d, "Features of a state. Z, P and Q have 2d+1 rows.");
    states_field(f, tasks.num_states, "States of each random Boyan chain or loop. Does not apply to CartPole.", 64);
    gamma_field(f, tasks.gamma, "Discount factor of the values to be predicted.")
        .idle_while("loss", {"average_reward"});
    representable_field(f, tasks.representable,
                        "On: each task's true value is exactly linear in its features (Algorithm 3). Off: rewards are "
                        "uniform, so even the best linear prediction errs.");
    true_weights_field(f, tasks.normal_true_weights);
    for (const char* name :
         {"pool_size", "fixed_transition", "fixed_features", "num_states", "representable", "true_weights"})
        f.field(name).idle_while("task", {"files"});
    task_shape_fields(f);
}

void InContextTdConfig::training_fields(Fields& f) {
    f.group("training");
    f.choice(loss.kind, words_of<LossKind>(loss_names()), "loss", "loss",
             "td: TD(0), as in Wang et al. 2025. residual_gradient: also the target's gradient (Baird 1995). "
             "td_lambda, monte_carlo: longer returns. average_reward: differential values, without discount.")
        .called({{"td", "TD"}, {"td_lambda", "TD(\u03bb)"}, {"monte_carlo", "Monte Carlo"}});
    f(more_losses, "more_losses", "further losses",
      "Further losses, separated by commas, such as monte_carlo. Networks take them in turn; means mix them.")
        .advanced()
        .idle_while("loss", {"average_reward"});
    f(loss.lambda, "lambda", "\u03bb", "\u03bb of the TD(\u03bb) loss: 0 is TD(0), 1 Monte Carlo.")
        .range(0, 1)
        .acts_while("loss", {"td_lambda"});
    f.choice(update_each_prompt, {{"minibatch", false}, {"prompt", true}}, "updates", "one update per",
             "minibatch: as in the authors' code. prompt: Algorithm 1 as printed, an update after each prompt.")
        .advanced();
    f.choice(exact_contexts, {{"samples", false}, {"exact", true}}, "prompt", "prompts in training",
             "samples: contexts of n transitions. exact: each context is its expectation under its MRP's stationary "
             "distribution, the limit of long contexts. Evaluation has sampled contexts.")
        .advanced()
        .acts_while("model", {"attention"})
        .acts_while("activation", {"identity"});
    f.choice(
         plain_gradient, {{"adam", false}, {"sgd", true}}, "optimizer", "optimizer",
         "adam: as in the experiments of Wang et al. 2025. sgd: the step of Algorithm 1, theta += learning rate * TD "
         "error * grad v; it needs about a hundred times Adam's learning rate.")
        .called({{"adam", "Adam"}, {"sgd", "plain gradient"}})
        .advanced();
    learning_rate_field(f, adam.learning_rate, "Adam's step size, for the network and for batch TD's \u03b1.");
    weight_decay_field(f, adam.weight_decay);
    initial_gain_field(f, initial_gain, "2d+1");
    minibatch_field(f, minibatch_size, 1024);
    minibatches_per_mrp_field(f, minibatches_per_mrp);
}

void InContextTdConfig::evaluation_fields(Fields& f) {
    f.group("evaluation");
    f(eval_context_length, "eval_context_length", "evaluate at n",
      "Context length of the microscope's prompt and of the marked value error. Does not affect training.")
        .log_range(1, 480)
        .live()
        .former("eval_extra_layers", std::nullopt);
    bank_size_field(f, bank_size, "MRPs",
                    "They measure VD, IWS, SS and MSVE; a tenth of them if the network is not linear in the query.", 16,
                    20000);
    log_interval_field(f, log_interval, "MRPs");
    f(surgery, "surgery", "surgery",
      "Edits a copy of the weights and draws its value error. snap (to theory), zero or scale; everything, P, Q, a "
      "layer's Q0 or a block (phi, next, R): zero P[phi,R]; scale Q 0.5. Or right-click a block. Does not affect "
      "training.")
        .role(FieldRole::surgery)
        .live()
        .acts_while("model", {"attention"})
        .acts_while("activation", {"identity"})
        .former("line_up", false);
    f.group("files");
    f(weights, "weights", "start from weights",
      "An NPZ file whose P and Q replace the random start: a run's weights.npz, or data.npz of the published code. "
      "Empty: none.")
        .role(FieldRole::start_weights)
        .former("construction")
        .former("replay")
        .path()
        .advanced();
    f(worlds, "worlds", "folder of worlds",
      "A folder of Markov reward processes (TOML or CSV) to train on. Those in its subfolder held-out serve only for "
      "evaluation. You can also drop it.")
        .path({{".toml", ".csv"}, kHeldOutWorlds})
        .advanced()
        .acts_while("task", {"files"});
}

void InContextTdConfig::model_fields(Fields& f) {
    f.group("model");
    f(model, "model", "model",
      "attention: the transformer of Wang et al. 2025. rnn: the recurrent network of Appendix G. two_heads: Theorem "
      "3's linear attention for average reward; layers share its weights.")
        .choices({"attention", "rnn", "two_heads"})
        .called({{"rnn", "RNN"}});
    f(activation, "activation", "activation",
      "On the scores Z'QZ. identity: linear attention. softmax: Appendix E. relu, elu, tanh: entry by entry.")
        .choices({"identity", "softmax", "relu", "elu", "tanh"})
        .called({{"relu", "ReLU"}, {"elu", "ELU"}});
    f(normalisation, "normalisation", "softmax over",
      "rows: each row sums to 1, as in Wang et al. 2025. columns: each column sums to 1, before the mask, as in "
      "standard attention.")
        .choices({"rows", "columns"})
        .advanced();
    f(mask, "mask", "mask",
      "td: the mask of Wang et al. 2025. td_lambda: Eq. (14), where each transition sees a trace of earlier ones, so "
      "theory's weights run TD(\u03bb).")
        .choices({"td", "td_lambda"})
        .called({{"td", "TD"}, {"td_lambda", "TD(\u03bb)"}});
    f(mask_lambda, "mask_lambda", "mask: \u03bb",
      "How slowly the trace decays: e = \u03bb e + \u03c6, without \u03b3. The textbook's TD(\u03bb) has "
      "\u03b3\u03bb here. 0 is the mask td.")
        .range(0, 1);
    f(learn_mask_lambda, "learn_mask_lambda", "learn the mask's \u03bb",
      "Also trains \u03bb by gradient, starting from the value above. Nothing keeps it within 0 and 1.");
    f(learn_W, "learn_W", "learn W",
      "Also trains the matrix that joins the two heads, from Eq. (16) of Wang et al. 2025 on.");
    advanced(f, share_Q, "share_Q", "one Q for both heads",
             "Both heads share one Q, as in Theorem 3, Eq. (15). Off: each learns its own.");
    f(sequential, "sequential", "sequential layers",
      "On: each layer has its own P and Q, with the initial gain divided by L (Appendix D.3). Off: all layers share "
      "one pair.");
    f(rnn_width, "rnn_width", "RNN width h",
      "Units in each layer of the recurrent network; Wang et al. 2025 use 4. Weights start uniform in +-1/sqrt(h), "
      "PyTorch's default.")
        .log_range(1, 64);
    f(rnn_activation, "rnn_activation", "RNN activation",
      "tanh: as in Wang et al. 2025. relu: which they suggest. identity: the linear RNN of Appendix G.1, whose value "
      "is a sum over tokens.")
        .choices({"tanh", "relu", "identity"})
        .called({{"relu", "ReLU"}})
        .advanced();
    const auto act_while = [&f](const char* field, const char* value, std::initializer_list<const char*> names) {
        for (const char* name : names) f.field(name).acts_while(field, {value});
    };
    act_while("model", "attention",
              {"activation", "normalisation", "mask", "mask_lambda", "learn_mask_lambda", "sequential"});
    act_while("activation", "softmax", {"normalisation"});
    act_while("activation", "identity", {"mask", "mask_lambda", "learn_mask_lambda"});
    act_while("mask", "td_lambda", {"mask_lambda", "learn_mask_lambda"});
    act_while("model", "two_heads", {"learn_W", "share_Q"});
    act_while("model", "rnn", {"rnn_width", "rnn_activation"});
}

void InContextTdConfig::task_shape_fields(Fields& f) {
    f.group("task");
    f(tasks.min_states, "loop_min_states", "loop: fewest states",
      "Each loop draws its number of states from this to m; 0: always m. Figure 1 draws from 5.")
        .range(0, 64);
    f(tasks.min_threshold, "loop_min_threshold", "loop: least threshold",
      "Each loop draws a threshold between the least and the greatest. A connection stays where a uniform number "
      "exceeds it. The ring itself always stays.")
        .range(0, 1);
    f(tasks.max_threshold, "loop_max_threshold", "loop: greatest threshold",
      "See the least threshold. The authors' code draws from 0.1 to 0.9.")
        .range(0, 1);
    f.choice(tasks.cart_pole.grid, {{"tiles", false}, {"grid", true}}, "cart_features", "CartPole: features",
             "tiles (ours): eight shifted tilings, summed, with a random vector for each tile. grid: one grid, with "
             "the reward of the cell entered, as in the authors' code.");
    f(tasks.cart_pole.bins, "cart_bins", "CartPole: bins",
      "Bins per dimension of each tiling or the grid, over +-3, +-2.5, +-15 degrees, +-2.5. Ours: 6; the authors' "
      "grids: 2, 3 and 4.")
        .range(1, 12);
    f.choice(tasks.cart_pole.heavy_pole, {{"code", false}, {"paper", true}}, "cart_pole_mass", "CartPole: pole mass",
             "U(0.05, 0.15) as in the authors' code, or U(0.5, 1.5) as in Wang et al. 2025.");
    for (const char* name : {"loop_min_states", "loop_min_threshold", "loop_max_threshold"})
        f.field(name).advanced().acts_while("task", {"loop"});
    f.field("loop_min_states").acts_while("fixed_transition", {"false"});
    for (const char* name : {"cart_features", "cart_bins", "cart_pole_mass"})
        f.field(name).advanced().acts_while("task", {"cart_pole"});
}

void TdInsideConfig::fields(Fields& f) {
    f.group("look inside");
    f(look_inside, "look_inside", "look inside",
      "world: draws one MRP, whose probabilities, rewards and features you can drag, with frozen weights. "
      "microscope: its prompt, layer by layer. Does not affect training.")
        .choices({"nothing", "world", "microscope", "both"})
        .acts_while("task", {"boyan", "loop"})
        .idle_while("loss", {"average_reward"});
    f(watched_task, "watched_task", "task drawn", "Which held-out task is shown.").range(0, 999);
    f(world_file, "world_file", "own MRP",
      "A TOML or CSV file with your own MRP, with as many features as the network, or a name in assets/worlds. "
      "Empty: a held-out task.")
        .path();
    f(world_edits, "world_edits", "edits",
      "Changes to the world, states counted from 1: p2,3=0.7 (a probability), r1=0.5 (a reward), phi1,2=-1 (feature "
      "2 of state 1). Dragging writes here.");
    f(world_state, "world_state", "state",
      "The state whose transitions and features you can drag; also the microscope's query. Click a state to choose it.")
        .range(1, 64);
    f(shown_seed, "shown_seed", "seed drawn",
      "The network whose values the bars show, counted from 0. Marks beside the bars are the other networks.")
        .range(0, 255)
        .acts_while("look_inside", {"world", "both"});
    f(layer, "layer", "microscope: layer",
      "The microscope shows the state after this many layers; 0 is the prompt. Keys: up and down.")
        .range(0, 60)
        .acts_while("look_inside", {"microscope", "both"})
        .acts_while("model", {"attention"})
        .former("microscope_of", std::nullopt);
    for (const char* name : {"watched_task", "world_file", "world_edits", "world_state"})
        f.field(name).idle_while("look_inside", {"nothing"});
    for (const char* name :
         {"look_inside", "watched_task", "world_file", "world_edits", "world_state", "shown_seed", "layer"})
        f.field(name).live();
}

NetworkShape network_shape(const InContextTdConfig& c) {
    NetworkShape shape = c.shape();
    if (c.model == "rnn") shape.model = Model::rnn;
    if (c.model == "two_heads") {
        shape.model = Model::two_heads;
        shape.stored = 1;
        shape.learns_W = c.learn_W;
        shape.shares_Q = c.share_Q;
        return shape;
    }
    shape.activation = activation_named(c.activation, "activation");
    if (c.model == "attention" && shape.activation == Activation::identity && c.mask == "td_lambda") {
        shape.mask = Mask::td_lambda;
        shape.mask_lambda = c.mask_lambda;
        shape.learns_lambda = c.learn_mask_lambda;
    }
    if (shape.activation == Activation::softmax && c.normalisation == "columns")
        shape.activation = Activation::softmax_columns;
    shape.width = c.rnn_width;
    shape.recurrent = activation_named(c.rnn_activation, "rnn_activation");
    return shape;
}

bool has_theory(const InContextTdConfig& config) { return is_linear(network_shape(config)); }

bool has_masks(const InContextTdConfig& config) { return network_shape(config).is_masked(); }

bool has_target(const InContextTdConfig& config) {
    if (!has_theory(config)) return false;
    const bool average = config.loss.kind == LossKind::average_reward;
    return config.model == "two_heads" ? average : !average;
}

std::string network_name(const InContextTdConfig& config) { return config.model == "rnn" ? "RNN" : "transformer"; }

bool may_flip_signs(const NetworkShape& shape) {
    return shape.model != Model::rnn &&
           (shape.activation == Activation::identity || shape.activation == Activation::tanh);
}

bool stands_still(const InContextTdConfig& config) { return config.num_mrps == 0 || config.adam.learning_rate == 0.0; }

std::vector<LossKind> losses_in_turn(const InContextTdConfig& config) {
    std::vector<LossKind> losses = {config.loss.kind};
    std::istringstream parts(config.more_losses);
    for (std::string part; std::getline(parts, part, ',');) {
        // The window writes "monte carlo" with a space.
        std::istringstream words(part);
        std::string word, more;
        for (words >> word; words >> more;) word += "_" + more;
        if (word.empty()) continue;
        const std::vector<std::string>& names = loss_names();
        const auto found = std::find(names.begin(), names.end(), word);
        if (found == names.end())
            throw InputError("more_losses: '{}' is not a loss. Use {}, separated by commas.", word,
                             fmt::join(names, ", "));
        losses.push_back(static_cast<LossKind>(found - names.begin()));
    }
    return losses;
}

}  // namespace emergence
