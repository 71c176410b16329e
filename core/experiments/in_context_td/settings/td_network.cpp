#include "core/experiments/in_context_td/settings/td_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/base/error.h"
#include "core/measures/network_evaluator.h"
#include "core/models/network_windows.h"

namespace emergence {

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
