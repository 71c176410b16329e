#pragma once
// A construction of the user's own: a file with P and Q that stand where theory's matrices stand, in pictures, in the
// rule of emergence and in the line-up.

#include <memory>
#include <string>
#include <vector>

#include "core/experiments/in_context_td/td.h"

namespace emergence {

struct OwnConstruction {
    /// "own construction NAME".
    std::string name;
    /// As a network's flat weights: all P, then all Q.
    std::vector<float> weights;
    /// Of each stored layer: largest entry 1, and the signs of both turned such that P[-1,-1] is not negative.
    std::vector<Table> P, Q;
};

/// The construction that the settings name; null if none. Throws InputError if it cannot be read or has other sizes, or
/// if the network is not linear attention.
std::shared_ptr<const OwnConstruction> own_construction(const InContextTdConfig& config);

/// The least cosine that counts as emerged.
inline constexpr double kOwnCosine = 0.8;
/// Whether a layer's P and Q are those of the construction: both cosines, of the matrices as vectors, are above
/// kOwnCosine with the same sign of both.
bool agrees(const OwnConstruction& construction, size_t layer, const Table& P, const Table& Q);

}  // namespace emergence
