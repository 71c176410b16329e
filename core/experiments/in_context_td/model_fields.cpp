#include "core/experiments/in_context_td/model_fields.h"

#include "core/models/activation_names.h"

namespace emergence {

void TdModelConfig::fields(Fields& f) {
    f.group("model");
    f(model, "model", "model",
      "attention: the transformer of the paper. rnn: the recurrent network of its Appendix G, "
      "which reads the prompt token by token, with a flag that marks the query.")
        .choices({"attention", "rnn"});
    f(activation, "activation", "activation",
      "What attention makes of its scores Z'QZ. identity: linear attention. softmax: Appendix E. "
      "relu, elu, tanh: entry by entry. The recurrent network has tanh always.")
        .choices({"identity", "softmax", "relu", "elu", "tanh"})
        .acts_while("model", {"attention"});
    f(normalisation, "normalisation", "softmax over",
      "rows: each row sums to 1 over the columns, the query's included, as in the paper's equation "
      "and the authors' code. columns: each column sums to 1 over all rows, before the mask, "
      "as in standard attention.")
        .choices({"rows", "columns"})
        .advanced()
        .acts_while("model", {"attention"})
        .acts_while("activation", {"softmax"});
    f(sequential, "sequential", "sequential layers",
      "Each layer of attention has a P and a Q of its own, with the initial gain divided "
      "by L (Appendix D.3); else one pair serves all.")
        .acts_while("model", {"attention"});
    f(rnn_width, "rnn_width", "RNN width h",
      "Units of each layer of the recurrent network; the paper has 4. "
      "Its weights start uniform in +-1/sqrt(h), PyTorch's default: the paper does not say.")
        .log_range(1, 64)
        .acts_while("model", {"rnn"});
}

NetworkShape network_shape_of(const TdModelConfig& c, int d, int context_length, int layers) {
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

}  // namespace emergence
