#pragma once
// The two emergence scores of the softmax paper, Appendix F.4, from a layer's P and Q.
//
// The formulas are missing in the text that this was built from; what it says in words is followed, and the
// forms are ours: epsilon is 1e-8, and the standard deviation is that of a population.

namespace emergence {

struct SoftmaxEmergence {
    double reward, bootstrap, current;  // (a, b, c) = P[D, d+1], P[D, d+2], P[D, d+3]
    double others;                      // mean absolute value of P[D, 1..d], which theory has at 0
    double q_mean;                      // of the diagonal of Q's feature block
    double q_others;                    // mean absolute value of that block off its diagonal
    /// 1{a > 0} 1{b > 0} 1{c < 0} min(|a|, |b|, |c|) / (max(|a|, |b|, |c|) + epsilon).
    double v_emergence;
    /// The share of mass on the diagonal of Q's feature block, each column divided by its l1 norm and
    /// absolute, times 1 / (1 + std(q) / (|mean(q)| + epsilon)) over its raw diagonal q. Blind to Q's sign.
    double a_emergence;

    bool reward_lamp() const { return reward > 0; }
    bool bootstrap_lamp() const { return bootstrap > 0; }
    bool current_lamp() const { return current < 0; }
    bool positive_lamp() const { return q_mean > 0; }
    bool all_lamps() const { return reward_lamp() && bootstrap_lamp() && current_lamp() && positive_lamp(); }
};

/// weights: P, then Q, each D x D row-major with D = d+3.
SoftmaxEmergence softmax_emergence(const float* weights, int d);

}  // namespace emergence
