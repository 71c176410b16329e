#pragma once
// Algorithms that are not batch TD and are similar to it all the same: what a similarity near 1 is worth.

#include <vector>

#include "core/measures/held_out_bank.h"

namespace emergence {

/// Mean cosines with batch TD's weight vector: implicit weight similarities.
struct DecoySimilarities {
    double no_bootstrap = 0;        // as many steps of TD with gamma phi' deleted from the prompt
    double reward_correlation = 0;  // one step from 0: w = alpha (1/n) sum R phi
};

/// On the first contexts of a bank, at most `count`, at its context length number `index`.
class Decoys {
  public:
    Decoys(const HeldOutBank& bank, size_t index, int count);

    /// Against `layers` steps of batch TD with step size alpha.
    DecoySimilarities similarities(int layers, float alpha) const;

  private:
    GramBank bank_of(const std::vector<float>& grams) const;
    std::vector<float> weights(const std::vector<float>& grams, int layers, float alpha) const;

    int d_, size_, groups_, context_length_;
    std::vector<float> grams_, without_bootstrap_;
};

}  // namespace emergence
