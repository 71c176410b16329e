#include "core/measures/line_up.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/measures/algorithm_map.h"
#include "core/measures/family_runs.h"
#include "core/measures/lane_vectors.h"
#include "core/measures/map_follower.h"

namespace emergence {
namespace {

// Fits with fewer steps follow a network in training and must be quick; fits with more search further.
constexpr int kManySteps = 10;
// A fit that settles takes some dozens; none may take for ever.
constexpr int kMostSteps = 400;
// td_features takes long, so its quick fits use fewer prompts: groups of sixteen.
constexpr int kFewGroups = 3;

constexpr Family kAll[] = {Family::reward_correlation, Family::no_bootstrap,      Family::td,         Family::td_steps,
                           Family::td_matrices,        Family::residual_gradient, Family::td_features};

// Equal step sizes have equal derivatives, so a fit could never separate them: it starts with different ones.
double spread(int layer, int layers) { return 1.0 + 0.2 * (layer - (layers - 1) / 2.0) / layers; }

// The parameters `inner` of the family `within` as parameters of `family`; empty if `family` does not contain it.
Eigen::VectorXd embedded(Family within, const Eigen::VectorXd& inner, Family family, int d, int layers) {
    Eigen::VectorXd outer = Eigen::VectorXd::Zero(num_parameters(family, d, layers));
    if (within == Family::td && family == Family::td_steps) {
        for (int l = 0; l < layers; ++l) outer[l] = inner[0] * spread(l, layers);
    } else if (within == Family::reward_correlation && (family == Family::td_steps || family == Family::no_bootstrap)) {
        for (int l = 0; l < layers; ++l) outer[l] = inner[0] * (l == 0 ? 1.0 : 0.05 * l);
    } else if (within == Family::td_steps && family == Family::td_matrices) {
        for (int l = 0; l < layers; ++l)
            for (int i = 0; i < d; ++i) outer[(l * d + i) * d + i] = inner[l];
    } else if (within == Family::td_steps && family == Family::td_features) {
        for (int l = 0; l < layers; ++l) outer[3 * l] = inner[l];
    } else {
        return {};
    }
    return outer;
}

// The start of a first fit: small steps of TD.
Eigen::VectorXd beginning(Family family, int d, int layers) {
    constexpr double kSmall = 0.1;
    Eigen::VectorXd start = Eigen::VectorXd::Zero(num_parameters(family, d, layers));
    if (start.size() == 1) return Eigen::VectorXd::Constant(1, kSmall);
    for (int l = 0; l < layers; ++l) {
        const double alpha = kSmall * spread(l, layers);
        if (family == Family::td_matrices)
            for (int i = 0; i < d; ++i) start[(l * d + i) * d + i] = alpha;
        else
            start[family == Family::td_features ? 3 * l : l] = alpha;
    }
    return start;
}

double weighted(const Eigen::VectorXd& w, const Eigen::MatrixXd& moments) { return w.dot(moments * w); }

}  // namespace

const std::vector<FamilyText>& family_texts() {
    static const std::vector<FamilyText> texts = {
        {"reward_correlation", "reward correlation",
         "w = \u03b1 r, r the mean of R\u03c6: one step that does not bootstrap."},
        {"no_bootstrap", "TD, no bootstrap", "TD(\u03b1_l) with \u03b3\u03c6' deleted: it regresses rewards."},
        {"td", "TD(\u03b1)", "Batch TD with one step size."},
        {"td_steps", "TD(\u03b1_l)", "Batch TD with a step size a layer."},
        {"td_matrices", "TD(C_l)", "Batch TD with a matrix of its own a layer: all that Theorem 1 allows."},
        {"residual_gradient", "residual gradient", "Residual gradient with a step size a layer (Corollary 2)."},
        {"td_features", "TD(\u03b1_l) + feature map",
         "TD(\u03b1_l) whose features are mapped in each layer: \u03c6 loses \u03ba_l S e and \u03b3\u03c6' "
         "\u03ba'_l K e, e = \u03c6 - \u03b3\u03c6', S and K the context's mean \u03c6\u03c6' and "
         "\u03b3\u03c6'\u03c6' (ours: what diagonals in P's upper blocks do)."}};
    return texts;
}

int num_parameters(Family family, int d, int layers) {
    switch (family) {
        case Family::reward_correlation:
        case Family::td:
            return 1;
        case Family::td_matrices:
            return layers * d * d;
        case Family::td_features:
            return 3 * layers;
        case Family::no_bootstrap:
        case Family::td_steps:
        case Family::residual_gradient:
            break;
    }
    return layers;
}

// ---- prompts

LineUpPrompts::LineUpPrompts(const HeldOutBank& bank, size_t index, int first, int count)
    : d_(bank.options().tasks.d), first_(first % kContextsInGroup) {
    check(first >= 0 && count > 0 && first + count <= bank.options().size, "the bank's own contexts");
    const GramBank all = bank.contexts(index);
    context_length_ = all.context_length;
    const int first_group = first / kContextsInGroup, groups = (first + count - 1) / kContextsInGroup - first_group + 1;
    const float* start = all.grams + static_cast<size_t>(first_group) * all.group_size();
    grams_.assign(start, start + static_cast<size_t>(groups) * all.group_size());
    times_ = all.times;
    gamma_ = bank.prompt_gamma();
    if (all.states != nullptr) {
        const float* states = all.states + static_cast<size_t>(first_group) * all.group_states();
        states_.assign(states, states + static_cast<size_t>(groups) * all.group_states());
    }
    const int rows = 2 * d_ + 1;
    for (int i = first; i < first + count; ++i) {
        const float* group = all.grams + static_cast<size_t>(i / kContextsInGroup) * all.group_size();
        Eigen::MatrixXd context(rows, rows);
        for (int a = 0; a < rows; ++a)
            for (int b = 0; b < rows; ++b)
                context(a, b) = static_cast<double>(group[(a * rows + b) * kContextsInGroup + i % kContextsInGroup]) /
                                all.context_length;
        contexts_.push_back(std::move(context));
        moments_.push_back(bank.has_values() ? bank.feature_moments(i) : Eigen::MatrixXd::Identity(d_, d_));
    }
}

double LineUpPrompts::state(int i, int t, int k) const {
    check(!states_.empty(), "a bank that keeps its states");
    const int lane = first_ + i;
    const auto row = static_cast<size_t>((lane / kContextsInGroup * times_ + t) * (d_ + 1) + k);
    return static_cast<double>(states_[row * kContextsInGroup + static_cast<size_t>(lane % kContextsInGroup)]);
}

std::vector<float> LineUpPrompts::network_lanes(const LinearAttentionView& network) const {
    const GramBank bank{
        grams_.data(),
        static_cast<int>(grams_.size() / static_cast<size_t>(kContextsInGroup * (2 * d_ + 1) * (2 * d_ + 1))),
        d_,
        context_length_,
        states_.empty() ? nullptr : states_.data(),
        times_,
        static_cast<float>(gamma_)};
    std::vector<float> lanes(static_cast<size_t>(bank.groups * d_ * kContextsInGroup));
    network_implicit_weights(bank, network, lanes.data());
    return lanes;
}

std::vector<Eigen::VectorXd> LineUpPrompts::network_weights(const LinearAttentionView& network) const {
    const std::vector<float> lanes = network_lanes(network);
    std::vector<Eigen::VectorXd> weights;
    for (int i = first_; i < first_ + size(); ++i) weights.push_back(lane_vector(lanes, d_, i));
    return weights;
}

// ---- fits

LineUp::LineUp(std::shared_ptr<const MapBench> prompts, int layers)
    : prompts_(std::move(prompts)), layers_(layers), unexplained_(kFamilies, std::numeric_limits<double>::quiet_NaN()) {
    for (const Family family : kAll) fits_.emplace_back(beginning(family, prompts_->fit_prompts->d(), layers));
}

namespace {

MapKind kind_of(Family family) {
    return family == Family::td_matrices   ? MapKind::matrices
           : family == Family::td_features ? MapKind::features
                                           : MapKind::map;
}

// The weight vector of one context.
Eigen::VectorXd weights_of(MapKind kind, const Eigen::MatrixXd& context, int layers, const Eigen::VectorXd& x) {
    if (kind == MapKind::map) return map_weights(context, {x[0], x[1], x.tail(x.size() - 2)});
    const std::vector<double> moments = map_moments(context);
    const int d = static_cast<int>(context.rows() - 1) / 2;
    const auto weights = [&](auto run) -> Eigen::VectorXd {
        run.template run<false>(moments.data(), x.data());
        return Eigen::Map<const Eigen::VectorXd>(run.weights(), d);
    };
    return kind == MapKind::matrices ? weights(MatricesRun<double>(d, layers, 1))
                                     : weights(FeaturesRun<double>(d, layers, 1));
}

}  // namespace

// A family's parameters as those of map_sums(): a family that is a point of the map has its beta and c before them.
Eigen::VectorXd LineUp::in_sums(Family family, const Eigen::VectorXd& parameters) const {
    if (kind_of(family) != MapKind::map) return parameters;
    const Eigen::Index steps = family == Family::td ? layers_ : parameters.size();
    const bool bootstraps = family != Family::reward_correlation && family != Family::no_bootstrap;
    Eigen::VectorXd x(2 + steps);
    x.head(2) << (bootstraps ? 1 : 0), (family == Family::residual_gradient ? 1 : 0);
    if (family == Family::td)
        x.tail(steps).setConstant(parameters[0]);
    else
        x.tail(steps) = parameters;
    return x;
}

double LineUp::loss(const MapTarget& target, Family family, const Eigen::VectorXd& parameters) const {
    return target.loss(in_sums(family, parameters), kind_of(family));
}

NormalEquations LineUp::linearise(const MapTarget& target, Family family, const Eigen::VectorXd& parameters) const {
    const Eigen::VectorXd x = in_sums(family, parameters);
    NormalEquations at = target.linearise(x, nullptr, kind_of(family));
    if (kind_of(family) != MapKind::map) return at;
    const Eigen::Index steps = x.size() - 2;
    at.curvature = at.curvature.bottomRightCorner(steps, steps).eval();
    at.gradient = at.gradient.tail(steps).eval();
    if (family != Family::td) return at;
    return {at.loss, Eigen::MatrixXd::Constant(1, 1, at.curvature.sum()),
            Eigen::VectorXd::Constant(1, at.gradient.sum())};
}

std::vector<double> LineUp::unexplained_by_prompt(const LinearAttentionView& network, Family family) const {
    const LineUpPrompts& prompts = *prompts_->judge_prompts;
    const std::vector<Eigen::VectorXd> wanted = prompts.network_weights(network);
    const Eigen::VectorXd x = in_sums(family, parameters(family));
    std::vector<double> shares;
    for (int i = 0; i < prompts.size(); ++i) {
        const Eigen::VectorXd& w = wanted[static_cast<size_t>(i)];
        const double whole = weighted(w, prompts.moments(i));
        const Eigen::VectorXd own = weights_of(kind_of(family), prompts.context(i), layers_, x);
        if (whole > 0) shares.push_back(weighted(own - w, prompts.moments(i)) / whole);
    }
    return shares;
}

void LineUp::begin_where_better(Family family, const MapTarget& target) {
    LeastSquares& fit = fits_[static_cast<size_t>(family)];
    double least = loss(target, family, fit.x());
    for (const Family within : kAll) {
        const Eigen::VectorXd start = embedded(within, parameters(within), family, prompts_->fit_prompts->d(), layers_);
        if (start.size() == 0) continue;
        const double there = loss(target, family, start);
        if (std::isfinite(least) && !(there < least)) continue;
        least = there;
        fit.restore(start, LeastSquares::kFirstDamping);
    }
}

// The same step sizes in another order of layers give almost the same values, so a fit of td_features may end in the
// wrong order: exchanges neighbouring layers if that lowers the loss.
void LineUp::try_other_orders(const MapTarget& target, int steps) {
    LeastSquares& fit = fits_[static_cast<size_t>(Family::td_features)];
    const auto linearised = [&](const Eigen::VectorXd& x) { return linearise(target, Family::td_features, x); };
    const auto lost = [&](const Eigen::VectorXd& x) { return loss(target, Family::td_features, x); };
    for (int l = 0; l + 1 < layers_; ++l) {
        Eigen::VectorXd exchanged = fit.x();
        std::swap_ranges(exchanged.begin() + 3 * l, exchanged.begin() + 3 * l + 3, exchanged.begin() + 3 * l + 3);
        LeastSquares other(exchanged);
        for (int step = 0; step < steps && other.step(linearised, lost); ++step) {
        }
        if (lost(other.x()) < lost(fit.x())) fit = other;
    }
}

void LineUp::follow(const LinearAttentionView& network, int steps) { make_fits(network, steps, false); }

void LineUp::settle(const LinearAttentionView& network) { make_fits(network, kMostSteps, true); }

void LineUp::make_fits(const LinearAttentionView& network, int steps, bool settles) {
    const MapTarget all(prompts_->fit, prompts_->fit.network_weights(network));
    const MapTarget few = all.first_groups(kFewGroups);
    const MapTarget judge(prompts_->judge, prompts_->judge.network_weights(network));
    const auto share = [](double left, double whole) {
        return whole > 0 ? left / whole : std::numeric_limits<double>::quiet_NaN();
    };
    // The other orders were tried when it settled for the first time.
    const bool tries_orders = steps >= kManySteps && settled_.empty();
    if (settles) settled_.resize(kFamilies);
    for (const Family family : kAll) {  // contained families come first
        const MapTarget& target = family == Family::td_features && steps < kManySteps ? few : all;
        begin_where_better(family, target);
        LeastSquares& fit = fits_[static_cast<size_t>(family)];
        const auto linearised = [&](const Eigen::VectorXd& x) { return linearise(target, family, x); };
        const auto lost = [&](const Eigen::VectorXd& x) { return loss(target, family, x); };
        int made = 0;
        while (made < steps && fit.step(linearised, lost)) ++made;
        if (family == Family::td_features && tries_orders) try_other_orders(target, steps);
        unexplained_[static_cast<size_t>(family)] = share(loss(judge, family, fit.x()), judge.mean_square());
        if (!settles) continue;
        Settled& settled = settled_[static_cast<size_t>(family)];
        settled = {settled.steps + made, 2 * linearised(fit.x()).gradient.norm() / all.mean_square()};
    }
}

Array LineUp::save() const {
    std::vector<double> values = unexplained_;
    for (const LeastSquares& fit : fits_) {
        values.push_back(fit.damping());
        values.insert(values.end(), fit.x().data(), fit.x().data() + fit.x().size());
    }
    for (const Settled& settled : settled_) values.insert(values.end(), {settled.steps, settled.gradient});
    return {{values.size()}, std::move(values)};
}

void LineUp::load(const Array& state) {
    const auto* values = std::get_if<std::vector<double>>(&state.values);
    const size_t fitted = save().shape[0] - 2 * settled_.size();
    const size_t more = values == nullptr || values->size() < fitted ? 0 : values->size() - fitted;
    if (values == nullptr || state.shape != std::vector<size_t>{fitted + more} ||
        (more != 0 && more != size_t{2 * kFamilies}))
        throw InputError("training state: array 'line_up' is of another size or type");
    size_t at = 0;
    for (double& share : unexplained_) share = (*values)[at++];
    for (LeastSquares& fit : fits_) {
        const double damping = (*values)[at++];
        Eigen::VectorXd x = fit.x();
        for (double& parameter : x) parameter = (*values)[at++];
        fit.restore(std::move(x), damping);
    }
    settled_.resize(more / 2);
    for (Settled& settled : settled_) {
        settled.steps = (*values)[at++];
        settled.gradient = (*values)[at++];
    }
}

}  // namespace emergence
