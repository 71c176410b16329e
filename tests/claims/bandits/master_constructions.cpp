#include "tests/claims/bandits/master_constructions.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "core/base/error.h"
#include "core/base/linear_algebra.h"
#include "core/base/statistics.h"

namespace emergence {
namespace {

double operator_norm(const Mat& matrix) {
    if (matrix.size() == 0) return 0.0;
    // The square root of the largest eigenvalue of the smaller Gram matrix.
    const Mat gram = matrix.rows() < matrix.cols() ? Mat(matrix * matrix.transpose()) : matrix.transpose() * matrix;
    return std::sqrt(symmetric_eigenvalues(gram).maxCoeff());
}

Mat relu(const Mat& sums) {
    return sums.unaryExpr([](double x) { return larger(x, 0.0); });
}

}  // namespace

void pass_token(const ReluLayer& layer, Index i, Mat& H) {
    const auto seen = H.leftCols(i + 1);
    Vec h = H.col(i);
    Vec sum = Vec::Zero(h.size());
    for (const ReluHead& head : layer.heads) {
        const Vec query = head.K.transpose() * (head.Q * h);
        const Vec weights = relu(seen.transpose() * query);
        sum += head.V * (seen * weights);
    }
    h += sum / static_cast<double>(i + 1);
    if (layer.W_1.rows() > 0) h += layer.W_2 * relu(layer.W_1 * h);
    H.col(i) = h;
}

double norm_of(const std::vector<ReluLayer>& layers) {
    double norm = 0.0;
    for (const ReluLayer& layer : layers) {
        double keys = 0.0, values = 0.0;
        for (const ReluHead& head : layer.heads) {
            keys = larger({keys, operator_norm(head.Q), operator_norm(head.K)});
            values += operator_norm(head.V);
        }
        norm = larger(norm, keys + values + operator_norm(layer.W_1) + operator_norm(layer.W_2));
    }
    return norm;
}

namespace {

// A linear form of a token: (entry, factor).
using Form = std::vector<std::pair<Index, double>>;

Form operator*(double factor, Form form) {
    for (auto& [entry, weight] : form) weight *= factor;
    return form;
}
Form operator+(Form a, const Form& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

void add_row(Mat& matrix, Index row, const Form& form) {
    for (const auto& [entry, weight] : form) matrix(row, entry) += weight;
}

// One product of a query and a key.
struct Term {
    Form query, key;
};

// Writes into a layer whose tokens have `size` entries.
class LayerBuilder {
  public:
    LayerBuilder(ReluLayer& layer, Index size) : layer_(layer), size_(size) {}

    // Adds ReLU(sum of terms) times forms of the key's token to entries: (entry, form).
    void head(const std::vector<Term>& terms, const std::vector<std::pair<Index, Form>>& values) {
        ReluHead head{Mat::Zero(std::ssize(terms), size_), Mat::Zero(std::ssize(terms), size_),
                      Mat::Zero(size_, size_)};
        for (size_t r = 0; r < terms.size(); ++r) {
            add_row(head.Q, static_cast<Index>(r), terms[r].query);
            add_row(head.K, static_cast<Index>(r), terms[r].key);
        }
        for (const auto& [to, value] : values) add_row(head.V, to, value);
        layer_.heads.push_back(std::move(head));
    }
    // 1[x > 0] by two heads, for arguments x that are at least 1/k or at most 0, with i and 1 entries of the query:
    // ReLU(k x) - ReLU(k x - 1).
    void step_heads(double k, const std::vector<Term>& terms, const Term& unit,
                    const std::vector<std::pair<Index, Form>>& values) {
        std::vector<Term> steep;
        for (const Term& term : terms) steep.push_back({k * term.query, term.key});
        head(steep, values);
        steep.push_back({-1.0 * unit.query, unit.key});
        head(steep, values);
        layer_.heads.back().V *= -1.0;
    }
    // Adds factor ReLU(in) to the entry `to`.
    void unit(const Form& in, Index to, double factor) { units_.push_back({in, {{to, factor}}}); }
    // Adds `in` itself, as ReLU(in) - ReLU(-in).
    void copy(const Form& in, Index to, double factor = 1.0) {
        unit(in, to, factor);
        unit(-1.0 * in, to, -factor);
    }
    // Adds ReLU(in) - ReLU(in - 1).
    void step(const Form& in, Index one, Index to) {
        unit(in, to, 1.0);
        unit(in + Form{{one, -1.0}}, to, -1.0);
    }
    // A binary entry without its rounding.
    void clean(const Form& in, Index one, Index to) { step(2.0 * in + Form{{one, -0.5}}, one, to); }
    void finish() {
        layer_.W_1 = Mat::Zero(std::ssize(units_), size_);
        layer_.W_2 = Mat::Zero(size_, std::ssize(units_));
        for (Index u = 0; u < std::ssize(units_); ++u) {
            const auto& [in, out] = units_[static_cast<size_t>(u)];
            add_row(layer_.W_1, u, in);
            for (const auto& [entry, weight] : out) layer_.W_2(entry, u) += weight;
        }
    }

  private:
    ReluLayer& layer_;
    Index size_;
    std::vector<std::pair<Form, Form>> units_;
};

constexpr double kMany = 4096.0;    // more than tokens
constexpr double kHuge = 1e10;      // more than any sum of rewards
constexpr double kNoLeast = 1e7;    // U before a block's first round
constexpr double kMaskSteep = 1e6;  // of Bernoulli masks
constexpr double kTestSteep = 1e3;  // of tests

double exp_2(int order) { return std::exp2(static_cast<double>(order)); }

// rho_hat(t) of Algorithm 2 with rho(t) = 1 / sqrt(t).
double rho_hat(double horizon, double t) { return 6.0 * (std::log2(horizon) + 1.0) * std::log(horizon) / std::sqrt(t); }

}  // namespace

MasterNetwork::MasterNetwork(const MasterNetworkOptions& options)
    : options_(options), orders_(static_cast<int>(std::log2(options.rounds)) + 1) {
    check(options.rounds + options.noise < kMany && options.rounds >= 2, "a play of a size that the constants allow");
    lay_out();
    layers_.resize(8);
    build_scheduler();
    build_base();
    build_tests();
    build_restart();
}

void MasterNetwork::lay_out() {
    Entry next = 0;
    const auto place = [&next](Entry& entry, int count = 1) {
        entry = next;
        next += count;
    };
    // Positions and data, which are given.
    for (Entry* entry : {&one_, &i_, &t_, &it_, &is_noise_, &rho_, &threshold_, &ends_block_, &no_least_})
        place(*entry);
    for (Entry* entry : {&is_, &ends_, &data_, &i_data_}) place(*entry, orders_);
    memory_ = next;
    for (Entry* entry : {&rand_, &drawn_, &raw_, &live_, &i_live_, &acts_, &i_acts_, &sum_, &fails_})
        place(*entry, orders_);
    for (Entry* entry : {&arm_, &rewards_, &score_}) place(*entry, options_.arms);
    for (Entry* entry :
         {&reward_, &optimistic_, &excess_, &least_before_, &least_, &excess_sum_, &fails_2_, &failed_, &restarts_})
        place(*entry);
    H_.resize(next, options_.noise + options_.rounds);
}

// Layers 1 to 3: random numbers and Bernoulli masks, block masks (sigma_1), the lowest live order (sigma_2).
void MasterNetwork::build_scheduler() {
    LayerBuilder masks(layers_[0], size()), blocks(layers_[1], size()), selects(layers_[2], size());
    const Term unit{{{i_, 1.0}}, {{one_, 1.0}}};
    for (int m = 0; m < orders_; ++m) {
        // 1[x_i > x_j] over the noise: ReLU(k (x_i - x_j)) - ReLU(k (x_i - x_j) - 1).
        const Form outside = kHuge * Form{{is_noise_, 1.0}, {one_, -1.0}};
        masks.step_heads(1.0,
                         {{{{i_data_ + m, options_.steepness}}, {{one_, 1.0}}},
                          {{{i_, 1.0}}, Form{{data_ + m, -options_.steepness}} + outside}},
                         unit, {{rand_ + m, {{one_, 1.0 / (options_.noise + 1.0)}}}});
        masks.step(kMaskSteep * Form{{rho_, 1.0}, {rand_ + m, -std::sqrt(1.0 / exp_2(m))}}, one_, drawn_ + m);
        // 1[t_j = s] as ReLU(t_j - s + 1) - 2 ReLU(t_j - s) + ReLU(t_j - s - 1); s: the block's first round.
        const Form query = options_.held ? Form{{is_ + m, -1.0}} : Form{{it_, -1.0}};
        for (int shift = -1; shift <= 1; ++shift)
            blocks.head({{{{i_, 1.0}}, {{t_, 1.0}}}, {query + Form{{i_, -1.0 * shift}}, {{one_, 1.0}}}},
                        {{raw_ + m, {{drawn_ + m, shift == 0 ? -2.0 : 1.0}}}});
        blocks.clean({{raw_ + m, 1.0}}, one_, live_ + m);
        blocks.unit({{i_, 1.0}, {one_, -kMany}, {raw_ + m, kMany}}, i_live_ + m, 1.0);
        // 1[-t + k - c_0 sum_{p < m} f_p + 1/2 > 0] (E.3.3).
        Form lower = {{it_, -1.0}, {i_, 0.5}};
        for (int p = 0; p < m; ++p) lower.emplace_back(i_live_ + p, -options_.c_0);
        selects.step_heads(2.0, {{{{i_, 1.0}}, {{t_, 1.0}}}, {lower, {{one_, 1.0}}}}, unit,
                           {{acts_ + m, {{live_ + m, 1.0}}}});
        selects.unit({{i_, 1.0}, {one_, -kMany}, {acts_ + m, kMany}}, i_acts_ + m, 1.0);
    }
    masks.finish();
    blocks.finish();
    selects.finish();
}

// Layer 4: S_k over the rounds of the acting instance in which it acted.
void MasterNetwork::build_base() {
    LayerBuilder base(layers_[3], size());
    std::vector<std::pair<Index, Form>> scores;
    for (int k = 0; k < options_.arms; ++k) scores.push_back({score_ + k, {{rewards_ + k, 1.0}}});
    for (int m = 0; m < orders_; ++m) {
        const std::vector<Term> terms = {
            {{{i_, 1.0}}, {{t_, 1.0}}},
            {{{is_ + m, -1.0}, {i_, 1.0 - kMany}, {i_acts_ + m, kMany}}, {{one_, 1.0}}},
            {{{i_, kMany}}, {{acts_ + m, 1.0}, {one_, -1.0}}},
        };
        base.step_heads(1.0, terms, {{{i_, 1.0}}, {{one_, 1.0}}}, scores);
    }
    base.finish();
}

// Layers 5 to 8, after the environment's answer: sums, r~; U; Tests 1 and 2; whether one fails.
void MasterNetwork::build_tests() {
    LayerBuilder sums(layers_[4], size()), least(layers_[5], size()), tests(layers_[6], size()),
        verdict(layers_[7], size());
    const Term unit{{{i_, 1.0}}, {{one_, 1.0}}};
    for (int m = 0; m < orders_; ++m)
        sums.step_heads(1.0, {{{{i_, 1.0}}, {{t_, 1.0}}}, {{{is_ + m, -1.0}, {i_, 1.0}}, {{one_, 1.0}}}}, unit,
                        {{sum_ + m, {{reward_, 1.0}}}});
    // 1[t_j = t - 1] U_j, and the sum of r~ - R.
    sums.head({{{{i_, 1.0}}, {{t_, 1.0}}}, {{{it_, -1.0}, {i_, 2.0}}, {{one_, 1.0}}}},
              {{least_before_, {{least_, 1.0}}}});
    sums.head({{{{i_, 1.0}}, {{t_, 1.0}}}, {{{it_, -1.0}, {i_, 1.0}}, {{one_, 1.0}}}},
              {{least_before_, {{least_, -2.0}}}});
    sums.head({unit}, {{excess_sum_, {{excess_, 1.0}}}});
    for (int k = 0; k < options_.arms; ++k) {
        // S_a: the score whose arm was played, by the ReLUs of Proposition 4.
        const Form other = kHuge * Form{{arm_ + k, 1.0}, {one_, -1.0}};
        sums.unit(Form{{score_ + k, 1.0}} + other, optimistic_, kScoreShare);
        sums.unit(Form{{score_ + k, -1.0}} + other, optimistic_, -kScoreShare);
    }
    sums.copy({{one_, options_.optimism}}, optimistic_);
    sums.finish();
    // U = min(U, r~) = U - ReLU(U - r~).
    const Form before = {{least_before_, 1.0}, {no_least_, 1.0}};
    least.copy(before, least_);
    least.unit(before + Form{{optimistic_, -1.0}}, least_, -1.0);
    const Form excess = {{optimistic_, 1.0}, {reward_, -1.0}};
    least.copy(excess, excess_);
    least.copy(excess, excess_sum_);
    least.finish();
    for (int m = 0; m < orders_; ++m) {
        const double length = exp_2(m);
        tests.step(kTestSteep * Form{{sum_ + m, 1.0},
                                     {least_, -length},
                                     {one_, -length * 9.0 * rho_hat(options_.rounds, length) - 2.0 * kHuge},
                                     {live_ + m, kHuge},
                                     {ends_ + m, kHuge}},
                   one_, fails_ + m);
    }
    tests.step(kTestSteep * Form{{excess_sum_, 1.0}, {threshold_, -1.0}}, one_, fails_2_);
    tests.finish();
    Form any = {{fails_2_, 1.0}};
    for (int m = 0; m < orders_; ++m) any.emplace_back(fails_ + m, 1.0);
    if (!options_.tests) any.clear();
    verdict.clean(any, one_, failed_);
    verdict.clean(any + Form{{ends_block_, 1.0}}, one_, restarts_);
    verdict.finish();
}

// Proposition 4: each entry a of the memory becomes ReLU(a - B C) - ReLU(-a - B C); the residual is taken away.
void MasterNetwork::build_restart() {
    LayerBuilder restart(restart_, size());
    for (Entry entry = memory_; entry < restarts_; ++entry) {
        restart.unit({{entry, 1.0}, {restarts_, -options_.bound}}, entry, 1.0);
        restart.unit({{entry, -1.0}, {restarts_, -options_.bound}}, entry, -1.0);
        restart.copy({{entry, 1.0}}, entry, -1.0);
    }
    restart.finish();
}

void MasterNetwork::begin(const std::vector<double>& numbers) {
    check(std::ssize(numbers) == options_.noise, "a number for each token of noise");
    H_.setZero();
    for (length_ = 0; length_ < options_.noise; ++length_) {
        H_(one_, length_) = H_(is_noise_, length_) = 1.0;
        for (int m = 0; m < orders_; ++m) H_(data_ + m, length_) = numbers[static_cast<size_t>(length_)];
    }
    order_ = round_ = 0;
}

void MasterNetwork::pass(size_t from, size_t to) {
    for (size_t l = from; l < to; ++l) pass_token(layers_[l], last(), H_);
}

void MasterNetwork::choose(const std::vector<double>& data) {
    check(length_ < H_.cols() && std::ssize(data) == orders_, "a round of the play, and a number for each order");
    auto token = H_.col(length_++);
    const auto i = static_cast<double>(length_), t = static_cast<double>(++round_);
    token(one_) = 1.0;
    token(i_) = i;
    token(t_) = t;
    token(it_) = i * t;
    token(rho_) = std::sqrt(1.0 / exp_2(order_));
    token(threshold_) = 3.0 * t * rho_hat(options_.rounds, t);
    token(ends_block_) = round_ == 1 << order_ ? 1.0 : 0.0;
    token(no_least_) = round_ == 1 ? kNoLeast : 0.0;
    for (int m = 0; m < orders_; ++m) {
        const int into = (round_ - 1) % (1 << m);
        token(is_ + m) = i * (t - into);
        token(ends_ + m) = into + 1 == 1 << m ? 1.0 : 0.0;
        token(data_ + m) = data[static_cast<size_t>(m)];
        token(i_data_ + m) = i * token(data_ + m);
    }
    pass(0, 4);
    const Vec logits = options_.eta * options_.wrong_eta * token.segment(score_, options_.arms);
    const Vec below = logits.cwisePlus(-logits.maxCoeff());
    log_probabilities_ = below.cwisePlus(-std::log(below.cwiseExp().sum()));
}

int MasterNetwork::acting() const {
    const Vec acts = H_.col(last()).segment(acts_, orders_);
    const double* most = std::max_element(acts.begin(), acts.end());
    return *most == 1.0 && acts.sum() == 1.0 ? static_cast<int>(most - acts.begin()) : -1;
}

bool MasterNetwork::observe(int arm, double reward) {
    auto token = H_.col(last());
    token(arm_ + arm) = 1.0;
    token(rewards_ + arm) = reward;
    token(reward_) = reward;
    pass(4, 8);
    const bool failed = token(failed_) > 0.5;
    if (token(restarts_) > 0.5) restart(failed);
    return failed;
}

// The restart matrix T_T of Eq. (20), by the layer of Proposition 4, on all tokens.
void MasterNetwork::restart(bool failed) {
    auto tokens = H_.leftCols(length_);
    tokens.row(restarts_).setConstant(1.0);
    tokens += restart_.W_2 * relu(restart_.W_1 * tokens);
    tokens.row(restarts_).setZero();
    order_ = failed ? 0 : order_ + 1;
    round_ = 0;
}

}  // namespace emergence
