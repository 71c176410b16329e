#pragma once
// The two emergence scores of the softmax paper, Appendix F.4, from a layer's P and Q.
//
// The available text lacks the formulas. Ours follow its words, with epsilon = 1e-8 and the standard deviation of a
// population.

namespace emergence {

/// The scores, and the entries that they are made of.
struct SoftmaxEmergence {
    // (a, b, c) = P[D, d+1], P[D, d+2], P[D, d+3].
    double reward, bootstrap, current;
    // Mean absolute value of P[D, 1..d], 0 in theory.
    double others;
    // Mean of the diagonal of Q's feature block.
    double q_mean;
    // Mean absolute value of that block off its diagonal.
    double q_others;
    // 1{a > 0} 1{b > 0} 1{c < 0} min(|a|, |b|, |c|) / (max(|a|, |b|, |c|) + epsilon)
    double v_emergence;
    // With q the diagonal of Q's feature block, independent of Q's sign:
    //
    //     (share of absolute mass on the diagonal, each column divided by its l1 norm)
    //         / (1 + std(q) / (|mean(q)| + epsilon))
    double a_emergence;

    /// Whether each entry has the sign of the theory.
    bool reward_lamp() const { return reward > 0; }
    bool bootstrap_lamp() const { return bootstrap > 0; }
    bool current_lamp() const { return current < 0; }
    bool positive_lamp() const { return q_mean > 0; }
    bool all_lamps() const { return reward_lamp() && bootstrap_lamp() && current_lamp() && positive_lamp(); }
};

/// The scores of a network. weights: P, then Q, each D x D row-major with D = d+3.
SoftmaxEmergence softmax_emergence(const float* weights, int d);

}  // namespace emergence
