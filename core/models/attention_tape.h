#pragma once
// What the backward pass of the attention network needs from a forward pass.

#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/lanes.h"
#include "core/models/network_shape.h"

namespace emergence::EMERGENCE_LANES {

/// Everything that the backward pass needs from a forward pass of kLanes prompts.
template <class T>
class AttentionTape {
    using L = Lanes<T>;

  public:
    struct Layer {
        // (n+1) x D each, column after column.
        L *Z, *QZ, *Y;
        // (n+1) x (n+1), row-major; the backward pass replaces it by dS.
        L* E;
        // n+1
        L* c;
    };

    explicit AttentionTape(const NetworkShape& shape) {
        const auto vectors = static_cast<size_t>(shape.rows() * shape.columns());
        const auto scores = static_cast<size_t>(shape.columns() * shape.columns());
        const auto layers = static_cast<size_t>(shape.layers);
        store_.resize(layers * (3 * vectors + scores + static_cast<size_t>(shape.columns())));
        L* next = store_.data();
        const auto take = [&next](size_t count) { return std::exchange(next, next + count); };
        for (size_t l = 0; l < layers; ++l)
            layers_.push_back({take(vectors), take(vectors), take(vectors), take(scores),
                               take(static_cast<size_t>(shape.columns()))});
    }

    AttentionTape(AttentionTape&&) = default;  // not copied: layers point into the store

    /// The prompt; fill it before forward(). Entry (k, j) of Z_0 is prompt()[j * D + k].
    L* prompt() { return layers_[0].Z; }
    const Layer& operator[](int layer) const { return layers_[layer]; }

  private:
    std::vector<L> store_;
    std::vector<Layer> layers_;
};

}  // namespace emergence::EMERGENCE_LANES
