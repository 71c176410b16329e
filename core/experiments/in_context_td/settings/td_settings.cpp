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
      "How many times the one trained attention layer is applied, or how many layers there are. Batch TD takes as many "
      "steps.")
        .range(1, 12);
    model_fields(f);
    task_fields(f);
    training_fields(f);
    train_for_field(f, num_mrps, "num_mrps", "MRPs",
                    "The run stops when every seed has trained on this many MRPs. Wang et al. 2025 take 4000.")
        .live();
    first_seed_field(f, seed, "Each draws its own weights and its own stream of tasks.");
    num_seeds_field(f, seeds, "How many independent trainings. Wang et al. 2025 average 30.");
    evaluation_fields(f);
    inside.fields(f);
}

void InContextTdConfig::task_fields(Fields& f) {
    f.group("task");
    f.choice(tasks.kind, words_of<TaskKind>({"boyan", "loop", "cart_pole", "files"}), "task", "task",
             "boyan: random Boyan chains (Algorithm 2 of Wang et al. 2025). loop: random graphs around a ring (Figure "
             "1; defined in the authors' code). cart_pole: CartPole under a random policy (Appendix F), which has no "
             "exact values, so no value errors. files: own worlds, see the folder of worlds.")
        .called({{"boyan", "Boyan chains"}, {"cart_pole", "CartPole"}});
    f(pool_size, "pool_size", "pool of tasks K",
      "Train on this many distinct tasks, drawn uniformly again and again with new trajectories. 0, as in Wang et al. 2025: a "
      "fresh task each time. With a pool its value error is shown beside that on fresh tasks (ours).")
        .log_range(0, 65536);
    f(tasks.fixed_transition, "fixed_transition", "same dynamics always",
      "Every task has the same initial distribution and transitions: \"too easy\" "
      "(Section 5 of Wang et al. 2025). CartPole: the same physics and policy. A loop then has m states.")
        .advanced();
    f(tasks.fixed_features, "fixed_features", "same features always",
      "Every task has the same features: \"too easy\" (Section 5 of Wang et al. 2025).")
        .advanced();
    context_length_field(f, context_length, 480);
    features_field(f, tasks.d, "Features of a state. Z, P and Q have 2d+1 rows.");
    states_field(f, tasks.num_states, "States of each random Boyan chain or loop. CartPole has a continuum.", 64);
    gamma_field(f, tasks.gamma, "Discount factor of the values to be predicted.")
        .idle_while("loss", {"average_reward"});
    representable_field(f, tasks.representable,
                        "Make each task's true value exactly linear in its features (Algorithm 3); "
                        "else rewards are uniform and the best linear prediction still errs.");
    true_weights_field(f, tasks.normal_true_weights);
    for (const char* name :
         {"pool_size", "fixed_transition", "fixed_features", "num_states", "representable", "true_weights"})
        f.field(name).idle_while("task", {"files"});
    task_shape_fields(f);
}

void InContextTdConfig::training_fields(Fields& f) {
    f.group("training");
    f.choice(loss.kind, words_of<LossKind>(loss_names()), "loss", "loss",
             "td: semi-gradient TD(0), as in Wang et al. 2025. residual_gradient: the target's "
             "gradient too (Baird 1995). td_lambda, monte_carlo: lambda-returns and returns that bootstrap "
             "where the minibatch ends. average_reward: R - rbar + v' with the trajectory's mean reward "
             "so far (Tsitsiklis and Van Roy 1999); the discount is not used, "
             "errors are against differential values. Batch TD's \u03b1 is trained on the same loss.")
        .called({{"td", "TD"}, {"td_lambda", "TD(\u03bb)"}, {"monte_carlo", "Monte Carlo"}});
    f(more_losses, "more_losses", "further losses",
      "Losses that seeds take in turn after the first one, separated by commas: residual_gradient, monte_carlo. Shown on "
      "the map of algorithms; means over seeds mix them.")
        .advanced()
        .idle_while("loss", {"average_reward"});
    f(loss.lambda, "lambda", "\u03bb", "Of the TD(\u03bb) loss: 0 is TD(0), 1 Monte Carlo.")
        .range(0, 1)
        .acts_while("loss", {"td_lambda"});
    f.choice(update_each_prompt, {{"minibatch", false}, {"prompt", true}}, "updates", "one update per",
             "minibatch: as in the authors' code. prompt: Algorithm 1 as printed, one trajectory per MRP and an update "
             "after each of its prompts, as many as minibatches times their size.")
        .advanced();
    f.choice(exact_contexts, {{"samples", false}, {"exact", true}}, "prompt", "prompts in training",
             "samples: contexts of n transitions. exact: each context is its expectation under its MRP's stationary "
             "distribution, the limit of long contexts. Evaluation has sampled contexts.")
        .advanced()
        .acts_while("model", {"attention"})
        .acts_while("activation", {"identity"});
    optimizer_field(f).advanced();
    learning_rate_field(f, adam.learning_rate, "Adam's step size, for the network and for batch TD's \u03b1.");
    weight_decay_field(f, adam.weight_decay);
    initial_gain_field(f, initial_gain, "2d+1");
    minibatch_field(f, minibatch_size, 1024);
    minibatches_per_mrp_field(f, minibatches_per_mrp);
}

void InContextTdConfig::evaluation_fields(Fields& f) {
    f.group("evaluation");
    f(eval_context_length, "eval_context_length", "evaluate at n",
      "Context length of the read-out in the value-error plot and of the microscope's prompt. "
      "Does not affect training.")
        .log_range(1, 480)
        .live();
    f(eval_extra_layers, "eval_extra_layers", "extra layers",
      "Layers beyond those trained, in the value-error plot: "
      "the trained layer is applied more often, and batch TD takes more steps.")
        .range(0, 48)
        .live();
    bank_size_field(f, bank_size, "MRPs",
                    "VD, IWS, SS and MSVE are measured on them, on a tenth if the network is not linear in the query: "
                    "each state is a prompt.",
                    16, 20000);
    log_interval_field(f, log_interval, "MRPs");
    f(surgery, "surgery", "surgery",
      "Operations on a copy of the weights; the value error after them is drawn. snap (to theory), zero or scale, of "
      "everything, P, Q, a layer's Q0 or a block by its rows and columns (phi, next, R): zero P[phi,R]; scale Q 0.5. "
      "Does not affect training. A right click on a block offers them.")
        .role(FieldRole::surgery)
        .live()
        .acts_while("model", {"attention"})
        .acts_while("activation", {"identity"})
        .former("line_up", false);
    f.group("files");
    f(weights, "weights", "start from weights",
      "An NPZ file whose P and Q replace the random ones at the start: weights.npz of a run, data.npz of the published "
      "code, or any with arrays of these sizes. Empty: none.")
        .role(FieldRole::start_weights)
        .former("construction")
        .former("replay")
        .path()
        .advanced();
    f(worlds, "worlds", "folder of worlds",
      "A folder with Markov reward processes as TOML or CSV files: the pool that is trained on. Those in its folder "
      "held-out are for evaluation only. Or open or drop the folder.")
        .path({{".toml", ".csv"}, kHeldOutWorlds})
        .advanced()
        .acts_while("task", {"files"});
}

void InContextTdConfig::model_fields(Fields& f) {
    f.group("model");
    f(model, "model", "model",
      "attention: the transformer of Wang et al. 2025. rnn: the recurrent network of its Appendix G, "
      "which reads the prompt token by token, with a flag that marks the query. two_heads: the linear attention of "
      "Theorem 3 with a row of memory, for average reward; all layers share its weights.")
        .choices({"attention", "rnn", "two_heads"})
        .called({{"rnn", "RNN"}});
    f(activation, "activation", "activation",
      "What attention makes of its scores Z'QZ. identity: linear attention. softmax: Appendix E. "
      "relu, elu, tanh: entry by entry.")
        .choices({"identity", "softmax", "relu", "elu", "tanh"})
        .called({{"relu", "ReLU"}, {"elu", "ELU"}});
    f(normalisation, "normalisation", "softmax over",
      "rows: each row sums to 1 over the columns, the query's included, as in the equation of Wang et al. 2025 and the "
      "authors' code. columns: each column sums to 1 over all rows, before the mask, as in standard attention.")
        .choices({"rows", "columns"})
        .advanced();
    f(mask, "mask", "mask",
      "td: that of Wang et al. 2025, which removes the query. td_lambda: Eq. (14), under which each transition sees a trace of those "
      "before it, so that theory's weights run TD(\u03bb) (Corollary 3).")
        .choices({"td", "td_lambda"})
        .called({{"td", "TD"}, {"td_lambda", "TD(\u03bb)"}});
    f(mask_lambda, "mask_lambda", "mask: \u03bb",
      "How slowly the trace decays: e = \u03bb e + \u03c6, without \u03b3. A textbook's TD(\u03bb) has \u03b3\u03bb here. 0 is the mask td.")
        .range(0, 1);
    f(learn_mask_lambda, "learn_mask_lambda", "learn the mask's \u03bb",
      "Train \u03bb too, by gradient, from the value above on. Nothing keeps it within 0 and 1.");
    f(learn_W, "learn_W", "learn W",
      "Train the matrix that joins the two heads too, from Eq. (16) of Wang et al. 2025 on; else it is that.");
    f(share_Q, "share_Q", "one Q for both heads",
      "Both heads compare with the same Q, as in the construction of Theorem 3, Eq. (15); else each learns its own.")
        .advanced();
    f(sequential, "sequential", "sequential layers",
      "Each layer of attention has its own P and Q, with the initial gain divided by L (Appendix D.3); else one pair "
      "serves all.");
    f(rnn_width, "rnn_width", "RNN width h",
      "Units of each layer of the recurrent network; Wang et al. 2025 have 4. Its weights start uniform in +-1/sqrt(h), "
      "PyTorch's default: Wang et al. name none.")
        .log_range(1, 64);
    f(rnn_activation, "rnn_activation", "RNN activation",
      "Of the recurrent network's units: tanh, as in Wang et al. 2025; relu, of which they speculate; identity, the linear RNN of "
      "Appendix G.1, whose value is a sum over tokens.")
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
      "Each loop draws its number of states from here to m; 0: always m. "
      "Figure 1 has 5 to 15 in the authors' code, 5 to 10 in Wang et al. 2025.")
        .range(0, 64);
    f(tasks.min_threshold, "loop_min_threshold", "loop: least threshold",
      "A connection stays where a uniform number exceeds the loop's threshold, which is drawn from here to the "
      "greatest. The ring itself always stays.")
        .range(0, 1);
    f(tasks.max_threshold, "loop_max_threshold", "loop: greatest threshold",
      "See the least threshold. The authors' code draws from 0.1 to 0.9.")
        .range(0, 1);
    f.choice(tasks.cart_pole.grid, {{"tiles", false}, {"grid", true}}, "cart_features", "CartPole: features",
             "tiles: eight displaced tilings, each tile with a random vector, summed "
             "and scaled to unit variance (ours; Wang et al. ask for tile coding with a random projection). "
             "grid: one grid, the reward that of the cell entered, as in the authors' code.");
    f(tasks.cart_pole.bins, "cart_bins", "CartPole: bins",
      "Bins per dimension of each tiling or of the grid, over +-3, +-2.5, +-15 degrees, +-2.5. "
      "Ours has 6, the authors' grids have 2, 3 and 4.")
        .range(1, 12);
    f.choice(tasks.cart_pole.heavy_pole, {{"code", false}, {"paper", true}}, "cart_pole_mass", "CartPole: pole mass",
             "U(0.05, 0.15) as in the authors' code, or U(0.5, 1.5) as in Wang et al. 2025.");
    for (const char* name : {"loop_min_states", "loop_min_threshold", "loop_max_threshold"})
        f.field(name).advanced().acts_while("task", {"loop"});
    f.field("loop_min_states").acts_while("fixed_transition", {"false"});
    for (const char* name : {"cart_features", "cart_bins", "cart_pole_mass"})
        f.field(name).advanced().acts_while("task", {"cart_pole"});
}

Field InContextTdConfig::optimizer_field(Fields& f) {
    return f
        .choice(
            plain_gradient, {{"adam", false}, {"sgd", true}}, "optimizer", "optimizer",
            "adam: as in the experiments of Wang et al. 2025. sgd: Algorithm 1's own step, theta += learning rate * TD error * "
            "grad v. It needs a learning rate some hundred times Adam's.")
        .called({{"adam", "Adam"}, {"sgd", "plain gradient"}})
        .group("training");
}

void TdInsideConfig::fields(Fields& f) {
    f.group("look inside");
    f(look_inside, "look_inside", "look inside",
      "world: one MRP, drawn, with every state's value beside the true one; drag a probability, reward or feature and "
      "the values respond, weights frozen. microscope: its prompt, layer by layer. Training notices none of it.")
        .choices({"nothing", "world", "microscope", "both"})
        .acts_while("task", {"boyan", "loop"})
        .idle_while("loss", {"average_reward"});
    f(watched_task, "watched_task", "task drawn",
      "Which task of the held-out world is looked at; of CartPole the one that is drawn: "
      "others have other physics, policies and features.")
        .range(0, 999);
    f(world_file, "world_file", "own MRP",
      "Path of a TOML or CSV file with an MRP of your own, or the name of one in assets/worlds; empty: a held-out "
      "task. Its features are as many as the network's. A file can also be dropped on the window.")
        .path();
    f(world_edits, "world_edits", "edits",
      "What was changed in the world, states counted from 1: p2,3=0.7 "
      "(probability from 2 to 3; what remains is shared by the row's others in their proportion), "
      "r1=0.5 (reward), phi1,2=-1 (feature 2 of state 1). Handles in the drawing write here.");
    f(world_state, "world_state", "state",
      "Whose transitions and features can be dragged, and the microscope's query. A click on a state chooses it.")
        .range(1, 64);
    f(shown_seed, "shown_seed", "seed drawn",
      "Whose values the world's bars show, counted from 0; marks beside them are the other seeds'.")
        .range(0, 255)
        .acts_while("look_inside", {"world", "both"});
    f(layer, "layer", "microscope: layer",
      "After how many layers the microscope looks: 0 is the prompt itself. "
      "The up and down keys change it if no setting is focused.")
        .range(0, 60);
    f(microscope_of, "microscope_of", "microscope: of",
      "learned: the network as it is trained. constructed: Theorem 1's weights with the step size "
      "that batch TD is trained to, whose implicit weights are batch TD's iterates.")
        .choices({"learned", "constructed"});
    for (const char* name : {"world_file", "world_edits", "world_state"})
        f.field(name).idle_while("look_inside", {"nothing"});
    for (const char* name : {"layer", "microscope_of"})
        f.field(name).acts_while("look_inside", {"microscope", "both"}).acts_while("model", {"attention"});
    for (const char* name : {"look_inside", "watched_task", "world_file", "world_edits", "world_state", "shown_seed",
                             "layer", "microscope_of"})
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
        // Also as the window writes them, "monte carlo".
        std::istringstream words(part);
        std::string word, more;
        for (words >> word; words >> more;) word += "_" + more;
        if (word.empty()) continue;
        const std::vector<std::string>& names = loss_names();
        const auto found = std::find(names.begin(), names.end(), word);
        if (found == names.end())
            throw InputError(fmt::format("more_losses: '{}' is no loss. Use {}, separated by commas.", word,
                                         fmt::join(names, ", ")));
        losses.push_back(static_cast<LossKind>(found - names.begin()));
    }
    return losses;
}

}  // namespace emergence
