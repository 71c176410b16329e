#pragma once
// The noncontinuous transformer that runs MASTER (Theorem 5, Appendix E, Chen et al. 2025), as matrices: random numbers
// and the window scheduler (Proposition 3), the base algorithm, both tests, the restart (Proposition 4).
//
// The base algorithm is one that ReLU attention realises exactly, with r~ its auxiliary value in Assumption 1:
//
//     alg_B(k | D) = softmax_k(eta S_k),   S_k = sum of the rewards of arm k in D,   r~ = optimism + S_a / 100
//
// Where the paper's proof is silent:
// - Section 2.2 divides by i and keeps the residual, Appendix E.3 does neither. Queries here are i times as large, with
//   i, i t and the like among a token's entries (M_t h_t in E.2), and results go to entries that are 0.
// - Arguments of most indicators are integers or halves, where two ReLUs are exact; Bernoulli masks need no product,
//   since rho(2^m) is constant for each order.
// - All random numbers come from the ranks among `noise` tokens that stand before the play: those of the play itself
//   would not be uniform at its beginning, since attention is masked.

#include <vector>

#include "core/base/matrix.h"

namespace emergence {

/// One head. Rows of Q and K that would be 0 are left out, so that both have r rows.
struct ReluHead {
    Mat Q, K, V;  // r x D, r x D, D x D
};

/// The heads and the feed-forward part, either of which may be empty.
struct ReluLayer {
    std::vector<ReluHead> heads;
    Mat W_1, W_2;  // D' x D, D x D'
};

/// Replaces token `i` of H (D x T, counted from 0) by the layer's output for it, which sees the tokens up to it:
///
///     h  <-  h + 1/(i + 1) sum_m sum_{j <= i} ReLU(<Q_m h, K_m h_j>) V_m h_j
///     h  <-  h + W_2 ReLU(W_1 h)
///
/// The noncontinuous transformer (Definition 7) passes one token after another through all layers.
void pass_token(const ReluLayer& layer, Index i, Mat& H);

/// The norm of a transformer, Eq. (4).
double norm_of(const std::vector<ReluLayer>& layers);

/// The share of S_a in r~.
constexpr double kScoreShare = 0.01;

/// What the network is built for, and what can be taken away from it as a control.
struct MasterNetworkOptions {
    int arms = 3;
    int rounds = 127;  // T: the most rounds of a play
    // Tokens of noise before the play.
    int noise = 62;
    double eta = 0.03;
    double wrong_eta = 1.0;  // the network's eta over that
    double optimism = 0.0;   // added to r~
    double steepness = 1e4;  // steepness of the steps that make random numbers (E.3.1)
    double c_0 = 1.0;        // c_0 of E.3.3: an order counts against higher ones
    bool held = true;        // whether an instance's random number is that of its first round (E.3.2, step 2)
    bool tests = true;       // whether the tests can fail
    double bound = 1e10;     // B of Proposition 4: more than any entry of the memory
};

/// A play of the network, token by token. Rounds of a block count from 1.
class MasterNetwork {
  public:
    explicit MasterNetwork(const MasterNetworkOptions& options);

    /// Empties the sequence but for its noise. numbers: `noise` numbers of the data, any.
    void begin(const std::vector<double>& numbers);
    /// Processes the next round's token; data: one number per order. Afterwards the three below are the round's.
    void choose(const std::vector<double>& data);
    /// log alg_theta(k | D), Eq. (5).
    const Vec& log_probabilities() const { return log_probabilities_; }
    /// The random number of an order, and the acting order: the one whose entry is 1; -1 if not exactly one is.
    double random_number(int order) const { return H_(rand_ + order, last()); }
    int acting() const;
    /// Adds what the environment answers, tests, and restarts if a test fails. Returns whether one did.
    bool observe(int arm, double reward);

    int orders() const { return orders_; }
    /// The layers before and after the environment's answer, and that of Proposition 4.
    const std::vector<ReluLayer>& layers() const { return layers_; }
    const ReluLayer& restart_layer() const { return restart_; }
    /// D, and the first entry that a restart empties; all but the last one behind it are emptied.
    Index size() const { return H_.rows(); }
    Index memory() const { return memory_; }

  private:
    using Entry = Index;
    void lay_out();
    void build_scheduler();
    void build_base();
    void build_tests();
    void build_restart();
    Index last() const { return length_ - 1; }
    void pass(size_t from, size_t to);
    void restart(bool failed);

    MasterNetworkOptions options_;
    int orders_;
    // The entries of a token: its positions, then by order, then by arm, then of the block. See lay_out().
    Entry one_ = 0, i_ = 0, t_ = 0, it_ = 0, is_noise_ = 0, rho_ = 0, threshold_ = 0, ends_block_ = 0, no_least_ = 0;
    Entry is_ = 0, ends_ = 0, data_ = 0, i_data_ = 0;
    Entry memory_ = 0, rand_ = 0, drawn_ = 0, raw_ = 0, live_ = 0, i_live_ = 0, acts_ = 0, i_acts_ = 0, sum_ = 0;
    Entry fails_ = 0, arm_ = 0, rewards_ = 0, score_ = 0;
    Entry reward_ = 0, optimistic_ = 0, excess_ = 0, least_before_ = 0, least_ = 0, excess_sum_ = 0, fails_2_ = 0;
    Entry failed_ = 0, restarts_ = 0;

    std::vector<ReluLayer> layers_;
    ReluLayer restart_;
    Mat H_;
    Index length_ = 0;
    int order_ = 0;  // n
    int round_ = 0;  // t
    Vec log_probabilities_;
};

}  // namespace emergence
