#pragma once
// The weights of experiment "td" over seeds: flat, as matrices, and as arrays of files.

#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/linear_algebra.h"
#include "core/models/network_windows.h"

namespace emergence {

struct Snapshot;
class InContextTdSeed;

/// One seed's weights, as value-error plots need them.
struct LearnedWeights {
    std::vector<float> weights;  // flat
    float alpha = 1;
    bool failed = false;
};

/// The weights of these seeds.
std::vector<LearnedWeights> weights_of(const std::vector<const InContextTdSeed*>& seeds);

/// P and Q of each stored layer of attention.
struct LayerWeights {
    std::vector<Eigen::MatrixXd> P, Q;
};
LayerWeights layers_in(const std::vector<float>& weights, const NetworkShape& shape);
/// One matrix of flat weights.
Table matrix_in(const std::vector<float>& weights, const NamedBlock& block);

/// An array of a network in a file: its name and shape, and its place in the flat weights.
struct StoredArray {
    std::string name;
    std::vector<size_t> shape;
    size_t offset, size;
};

/// The arrays of such a network: P and Q, or the blocks of the RNN or of two heads.
std::vector<StoredArray> stored_arrays(const NetworkShape& shape);
/// The weights of all seeds as arrays of a file; trained_seeds() reads them back from a snapshot.
ArrayMap weight_arrays(const NetworkShape& shape, const std::vector<LearnedWeights>& seeds);
std::vector<LearnedWeights> trained_seeds(const NetworkShape& shape, const Snapshot& snapshot);

}  // namespace emergence
