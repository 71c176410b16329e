#pragma once
// Decoys: algorithms other than batch TD that resemble it. They show how much a similarity near 1 proves.

#include <vector>

#include "core/measures/held_out_bank.h"

namespace emergence {

/// Implicit weight similarities: mean cosines with batch TD's weight vector.
struct DecoySimilarities {
    // The same number of steps of TD without gamma phi' in the prompt.
    double no_bootstrap = 0;
    // One step from 0: w = alpha (1/n) sum R phi.
    double reward_correlation = 0;
};

/// The decoys on the first `count` contexts of a bank.
class Decoys {
  public:
    /// index: of the bank's context length.
    Decoys(const HeldOutBank& bank, size_t index, int count);

    /// The similarities to `layers` steps of batch TD with step size alpha.
    DecoySimilarities similarities(int layers, float alpha) const;

  private:
    GramBank bank_of(const std::vector<float>& grams) const;
    std::vector<float> weights(const std::vector<float>& grams, int layers, float alpha) const;

    int d_, size_, groups_, context_length_;
    std::vector<float> grams_, without_bootstrap_;
};

}  // namespace emergence
