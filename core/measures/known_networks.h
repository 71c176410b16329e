#pragma once
// Networks whose algorithm is known, because they are built to run it, disguised.
//
// A layer that runs the algorithm at (beta, c) (families.h) with the matrix C has P = e e', e the last unit vector, and
//
//     Q = [ -C       beta C     0 ]
//         [  c C    -beta c C   0 ]
//         [  0        0         0 ]

#include <cstdint>
#include <vector>

#include "core/base/matrix.h"
#include "core/measures/verdict.h"

namespace emergence {

/// How a known network is disguised. In addition P and Q become a P and Q / a, with a = 1, -0.3 or 7.
enum class Disguise {
    bare,
    filled,   // entries of the last layer that no value reads are random
    planted,  // such entries hold TD errors, which the network does not use
    noise     // every entry has noise, relative to the matrix's largest entry
};
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
    /// The algorithm apart from its sign; it differs from `truth` for wrong_sign only.
    VerdictName of = VerdictName::none;
    Disguise disguise = Disguise::bare;
    double noise = 0;
    /// The weights before noise was added.
    std::vector<float> bare_P = {}, bare_Q = {};

    LinearAttentionView view() const { return {layers, layers, P.data(), Q.data()}; }
    Mat P_at(int layer) const;
    Mat Q_at(int layer) const;
    /// The mean squared change of the values by noise, relative to their mean square. Above kWrecked the label is void.
    double changed_by_noise(const FitPrompts& prompts) const;
};
inline constexpr double kWrecked = 0.1;

struct KnownOptions {
    int d = 4, layers = 3;
    /// Networks have no noise, this much, or twice as much.
    double noise = 0.02;
    uint64_t seed = 0;
};
/// Set number `set` of about 280, in random order: seven places with scalar steps, one reward step, steps of the wrong
/// sign, matrices C = alpha O diag(2 .. 0.2) O' with random axes O, random entries, and TD wrecked by noise.
std::vector<KnownNetwork> known_networks(const KnownOptions& options, uint32_t set);

/// The Boyan chains on which judges compare networks with algorithms; a verdict needs this many.
BankOptions known_bank(int d = 4);

}  // namespace emergence
