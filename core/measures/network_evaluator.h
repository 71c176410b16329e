#pragma once
// How near the values of a network are to those of batch TD (Appendix D.1.2, Wang et al. 2025), and one prompt layer by
// layer.

#include <memory>
#include <vector>

#include "core/measures/held_out_bank.h"

namespace emergence {

/// VD, or with the true values the MSVE: sum_s d(s) (v1(s) - v2(s))^2. All arguments: m.
double value_difference(const Vec& v1, const Vec& v2, const Vec& stationary);

/// The implicit weight, w = argmin sum_s d(s) (w' phi(s) - v(s))^2, of least norm if it is not unique. features: d x m;
/// v, stationary: m.
Vec implicit_weight(const Mat& features, const Vec& v, const Vec& stationary);

/// The cosine of the angle between two vectors; 0 if one is 0.
double cosine_similarity(const Vec& a, const Vec& b);

/// SS: sum_s d(s) cos(gradient1(s), gradient2(s)). gradients: d x m, one gradient by phi(s) per column.
double sensitivity_similarity(const Mat& gradients1, const Mat& gradients2, const Vec& stationary);

/// Implicit weight similarities, mean cosines with batch TD's weight vector, of decoys: other algorithms that resemble
/// it. They show how much a similarity near 1 proves.
struct DecoySimilarities {
    // TD with as many steps, but without gamma phi' in the prompt.
    double no_bootstrap = 0;
    // A single step, w = alpha (1/n) sum R phi.
    double reward_correlation = 0;
};
/// On the first `count` contexts of a bank's first length, against `layers` steps of batch TD with step size alpha.
DecoySimilarities decoy_similarities(const HeldOutBank& bank, int count, int layers, float alpha);

/// Whether a network's value is linear in the query, so that one weight vector per context determines it.
inline bool is_linear(const NetworkShape& shape) {
    return shape.model != Model::rnn && shape.activation == Activation::identity;
}

/// Networks of one shape on one bank: linear attention by its implicit weights, every other network prompt by prompt,
/// with each state of each task as the query. weights: flat, as in training. Thread-safe.
class NetworkEvaluator {
  public:
    /// Ignores the shape's context length: each measurement names one of the bank's.
    NetworkEvaluator(const NetworkShape& shape, std::shared_ptr<const HeldOutBank> bank);

    const HeldOutBank& bank() const { return *bank_; }

    /// All scores of Appendix D.1.2, Wang et al. 2025, against batch TD with the same number of steps and step size
    /// alpha, at the bank's context length number `index`. IWS regresses the values on the features; SS uses the
    /// gradient by the query.
    BankScores compare(size_t index, const std::vector<float>& weights, float alpha) const;
    /// The step size with which as many steps of batch TD have values nearest to the network's, up to rounding: the
    /// least VD. 1 for tasks without true values, which have no VD.
    float nearest_alpha(size_t index, const std::vector<float>& weights) const;
    /// The value error of each MRP, and the MSVE at each of the bank's context lengths.
    std::vector<double> errors(size_t index, const std::vector<float>& weights) const;
    std::vector<double> msve_by_length(const std::vector<float>& weights) const;

  private:
    // The states of a task; each is a query.
    struct Queries {
        Mat features;  // d x m
        Vec weight;    // m: stationary distribution
        Vec v;         // m: true values; empty if none
        int first_prompt;
    };
    struct Answer {
        std::vector<float> values, by_query;  // prompts; prompts x d
    };
    LinearAttentionView view(const std::vector<float>& weights) const { return view_of(shape_, weights); }
    Answer run(size_t index, const std::vector<float>& weights, bool gradients) const;
    static Vec values_of(const Queries& task, const Answer& answer);
    double squared_distance(const Queries& task, const Vec& a, const Vec& b) const;

    NetworkShape shape_;
    std::shared_ptr<const HeldOutBank> bank_;
    // Empty for linear attention.
    std::vector<Queries> tasks_;
    std::vector<float> contexts_, queries_;
    std::vector<int> context_of_;
};

/// A network to trace: one P and Q for all layers, or one per layer; D x D with D = 2d+1.
struct TracedNetwork {
    std::vector<Mat> P, Q;
    int layers = 1;
    Activation activation = Activation::identity;
    // lambda of the mask of traces, Eq. (14); 0 gives the mask of Eq. (2).
    double mask_lambda = 0;
};

/// The states of the task, for the regression of values on features.
struct TracedStates {
    Mat features;    // d x m
    Vec stationary;  // m
};

/// One prompt of in-context TD through the transformer, layer by layer, beside batch TD's iterates.
struct TdTrace {
    // L+1 matrices Z_l, D x (n+1), after l layers.
    std::vector<Mat> Z;
    // L+1 matrices G_l = Z_l M Z_l', D x D, without the query.
    std::vector<Mat> gram;
    // The attention act(Z_l' Q Z_l) of the next layer, (n+1) x (n+1): L of them, or L+1 if all layers have the same
    // weights, the last for one more layer.
    std::vector<Mat> attention;
    // The network's w_l, (L+1) x d. For linear attention, the first d entries of minus the last row of
    //
    //     T_{l-1} .. T_0,   T_l = I + (1/n) P G_l Q
    //
    // and the value after l layers is w_l' phi(query). For other activations the implicit weight of Appendix D.1.2,
    // Wang et al. 2025: the regression of the states' values on their features.
    Mat network;
    // Batch TD's w_l, (L+1) x d: Eq. (8), from w_0 = 0.
    Mat batch_td;
    // L+1: the network's own output after l layers, -Z_l[D, n+1], and batch TD's w_l' phi(query).
    Vec value, batch_td_value;
    // (L+1) x n: R + gamma w_l' phi' - w_l' phi of each transition, with the network's and with batch TD's w_l.
    Mat network_errors, batch_td_errors;
};
/// query: d; C: batch TD's preconditioner, d x d; alpha I is a step size.
TdTrace td_trace(const Transitions& context, const Vec& query, const TracedNetwork& network, const Mat& C,
                 const TracedStates& states);

}  // namespace emergence
