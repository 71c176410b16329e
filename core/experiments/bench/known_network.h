#pragma once
// Networks whose algorithm is known, because they are built to run it, and disguises that do not change what they are.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/eigen.h"
#include "core/measures/algorithm_map.h"

namespace emergence {

/// A linear transformer: P and Q of each of L layers, D x D with D = 2d+1. Judges see nothing else of it.
struct BenchNetwork {
    std::vector<Eigen::MatrixXd> P, Q;

    int layers() const { return static_cast<int>(P.size()); }
    int d() const { return static_cast<int>(P[0].rows() - 1) / 2; }
    /// A judge that reads forward traces: Z_0 .. Z_L of a prompt, each D x (n+1), see td_prompt().
    std::vector<Eigen::MatrixXd> trace(const Eigen::MatrixXd& prompt) const;
};

/// What is built. Steps are alpha I unless said otherwise.
enum class Built {
    td,
    td_steps,           // TD with step sizes of 1/2, 1 and 3/2 alpha, in random order
    td_matrices,        // TD with C_l = alpha diag(1, 1/5, ..)
    residual_gradient,  // Corollary 2 of Wang et al. 2025
    no_bootstrap,
    reward_step,     // one reward step, the other layers do nothing
    half_bootstrap,  // beta = 1/2
    half_residual,   // halfway between TD and residual gradient: c = 1/2
    wrong_sign,      // beta = -1
    feature_map,     // TD whose features are mapped by diagonals in P's upper blocks
    cluttered_P,     // TD and random entries in P, below the corner
    cluttered_Q,     // TD and random lower rows of Q
    random,          // random everywhere
};
inline constexpr int kBuilt = 13;
/// "td_matrices", and "TD(C_l)".
const char* name_of(Built built);
const char* label_of(Built built);
/// The verdict that is right. The map has no place for feature maps, clutter and random entries.
MapVerdict truth_of(Built built);

/// What is done to a network. All but noise, which moves every entry, leave its values alone, or turn TD(C_l) into
/// another one.
enum class Disguise {
    bare,
    gauge,    // P a and Q / a, also with a < 0
    rotated,  // the features are rotated: C_l becomes R C_l R'
    noise,    // on every entry, as a share of the matrix's largest one
    filled,   // the last layer's blocks that the value never reads are random
    planted,  // TD errors beside them, decodable from the last Z, that the value never reads
    all,      // gauge, rotation, noise, and filled blocks
    taught,   // not built: a random network that learned the algorithm's values
};
inline constexpr int kDisguises = 8;
const char* name_of(Disguise disguise);
const char* label_of(Disguise disguise);

/// How a network is made.
struct Recipe {
    Built built = Built::td;
    Disguise disguise = Disguise::bare;
    double alpha = 0.5;
    /// The standard deviation of noise.
    double noise = 0.025;
};

/// Builds network number `number` of the stream `seed`; not Disguise::taught. `prompts`: clutter and feature maps count
/// only if they change the values there, so alpha doubles until they change half of their mean square.
BenchNetwork build_network(const Recipe& recipe, int d, int layers, const LineUpPrompts& prompts, uint64_t seed,
                           uint32_t number);

/// Teaches a random network of one pair P, Q for all layers the values of the algorithm at a place of the map, by
/// L-BFGS, until it leaves less than a thousandth of their mean square. Empty if it does not get there.
BenchNetwork taught_network(const MapPoint& teacher, int d, const LineUpPrompts& prompts, uint64_t seed,
                            uint32_t number);
/// The teacher of a kind that has a place; step sizes are alpha, of one reward step the first alone.
MapPoint teacher_of(Built built, double alpha, int layers);

}  // namespace emergence
