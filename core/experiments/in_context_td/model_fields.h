#pragma once
// Settings of experiment "td" that choose the kind of network.

#include <string>

#include "core/models/network_shape.h"
#include "core/settings/field_builder.h"

namespace emergence {

/// The kind of network, without its number of layers.
struct TdModelConfig {
    std::string model = "attention";
    std::string activation = "identity";
    std::string normalisation = "rows";
    bool sequential = false;
    int rnn_width = 4;

    void fields(Fields& f);
};

/// The network's shape for these sizes of task and prompt. Throws InputError if the activation is unknown.
NetworkShape network_shape_of(const TdModelConfig& c, int d, int context_length, int layers);

}  // namespace emergence
