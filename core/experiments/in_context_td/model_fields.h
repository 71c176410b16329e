#pragma once
// Settings of experiment "td" that choose the kind of network.

#include <string>

#include "core/models/activation_names.h"
#include "core/models/network_shape.h"
#include "core/settings/fields.h"

namespace emergence {

/// The kind of network, without its number of layers.
struct TdModelConfig {
    std::string model = "attention";
    std::string activation = "identity";
    std::string normalisation = "rows";
    bool sequential = false;
    int rnn_width = 4;
};

/// The network's shape for these sizes of task and prompt.
inline NetworkShape network_shape_of(const TdModelConfig& c, int d, int context_length, int layers) {
    NetworkShape shape;
    shape.model = c.model == "rnn" ? Model::rnn : Model::attention;
    shape.d = d;
    shape.context_length = context_length;
    shape.layers = layers;
    shape.stored = c.sequential ? layers : 1;
    shape.activation = activation_named(c.activation, "activation");
    if (shape.activation == Activation::softmax && c.normalisation == "columns")
        shape.activation = Activation::softmax_columns;
    shape.width = c.rnn_width;
    return shape;
}

/// Visits these settings.
template <class Config, class Visitor>
void visit_model_fields(Config& c, Visitor&& visit) {
    visit(FieldInfo{.name = "model",
                    .label = "model",
                    .help =
                        "attention: the transformer of the paper. rnn: the recurrent network of its Appendix "
                        "G, which reads the prompt token by token, with a flag that marks the query.",
                    .group = "model",
                    .choices = {"attention", "rnn"}},
          c.model);
    visit(FieldInfo{.name = "activation",
                    .label = "activation",
                    .help =
                        "What attention makes of its scores Z'QZ. identity: linear attention. softmax: "
                        "Appendix E. relu, elu, tanh: entry by entry. The recurrent network has tanh always.",
                    .group = "model",
                    .choices = {"identity", "softmax", "relu", "elu", "tanh"},
                    .acts_while = {{"model", {"attention"}}}},
          c.activation);
    visit(
        FieldInfo{.name = "normalisation",
                  .label = "softmax over",
                  .help =
                      "rows: each row sums to 1 over the columns, the query's included, as in the paper's "
                      "equation and the authors' code. columns: each column sums to 1 over all rows, before "
                      "the mask, as in standard attention.",
                  .group = "model",
                  .advanced = true,
                  .choices = {"rows", "columns"},
                  .acts_while = {{"model", {"attention"}}, {"activation", {"softmax"}}}},
        c.normalisation);
    visit(
        FieldInfo{.name = "sequential",
                  .label = "sequential layers",
                  .help =
                      "Each layer of attention has a P and a Q of its own, with the initial gain divided by "
                      "L (Appendix D.3); else one pair serves all.",
                  .group = "model",
                  .acts_while = {{"model", {"attention"}}}},
        c.sequential);
    visit(
        FieldInfo{.name = "rnn_width",
                  .label = "RNN width h",
                  .help = "Units of each layer of the recurrent network; the paper has 4. Its weights start "
                          "uniform in +-1/sqrt(h), PyTorch's default: the paper does not say.",
                  .group = "model",
                  .minimum = 1,
                  .maximum = 64,
                  .logarithmic = true,
                  .acts_while = {{"model", {"rnn"}}}},
        c.rnn_width);
}

}  // namespace emergence
