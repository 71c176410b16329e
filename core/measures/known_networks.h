#pragma once
// Networks whose algorithm is known, because they are built to run it, disguised.
//
// A layer that runs the algorithm at (beta, c) (families.h) with the matrix C has P = e e', e the last unit vector, and
//
//     Q = [ -C       beta C     0 ]
//         [  c C    -beta c C   0 ]
//         [  0        0         0 ]

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/linear_algebra.h"
#include "core/measures/verdict.h"

namespace emergence {

/// What is done to a known network. P and Q also become a P and Q / a, a one of 1, -0.3 and 7.
enum class Disguise {
    bare,
    filled,   // entries of the last layer that no value reads are random
    planted,  // such entries hold TD errors, which the network does not use
    noise     // every entry has noise, relative to the matrix's largest entry
};
/// "filled".
const char* name_of(Disguise disguise);

/// A linear transformer with P and Q of its own in each layer, D x D, D = 2d+1, and its label. Judges see only the
/// weights.
struct KnownNetwork {
    int d, layers;
    std::vector<float> P, Q;  // layers x D x D
    /// How it was built: "td", "half_bootstrap", "random"; the place, and C = alpha I unless it has matrices.
    const char* built;
    double beta, c, alpha;
    bool matrices = false;
    /// The right verdict.
    VerdictName truth = VerdictName::none;
    /// Of wrong_sign: the name without the sign; else the truth.
    VerdictName of = VerdictName::none;
    Disguise disguise = Disguise::bare;
    double noise = 0;
    /// Before noise.
    std::vector<float> bare_P = {}, bare_Q = {};

    LinearAttentionView view() const { return {layers, layers, P.data(), Q.data()}; }
    Eigen::MatrixXd P_at(int layer) const;
    Eigen::MatrixXd Q_at(int layer) const;
    /// The share of the mean squared value that noise changed. Above kWrecked the label no longer holds.
    double changed_by_noise(const FitPrompts& prompts) const;
};
inline constexpr double kWrecked = 0.1;

struct KnownOptions {
    int d = 4, layers = 3;
    /// Networks are without, with this, and with twice as much.
    double noise = 0.02;
    uint64_t seed = 0;
};
/// Set number `set` of about 280, in random order: seven places with scalar steps, one reward step, steps of the wrong
/// sign, matrices C = alpha O diag(2 .. 0.2) O' with random axes O, random entries, and TD wrecked by noise.
std::vector<KnownNetwork> known_networks(const KnownOptions& options, uint32_t set);

/// Boyan chains on which judges compare networks with algorithms, as many as a verdict needs.
BankOptions known_bank(int d = 4);

}  // namespace emergence
