#include "core/training/multi_task_td.h"

#include <cmath>

#include "core/base/error.h"

namespace emergence {
namespace {

std::vector<float> xavier_normal(uint64_t seed, uint32_t layer, uint32_t matrix, int rows, double gain) {
    Stream stream(seed, Purpose::initial_weights, layer, matrix);
    std::vector<float> values(static_cast<size_t>(rows * rows));
    for (float& x : values)
        x = static_cast<float>(gain / std::sqrt(static_cast<double>(rows)) * stream.normal());
    return values;
}

template <class T>
Array array_of(const std::vector<T>& values) {
    return {{values.size()}, values};
}

template <class T>
void read(const ArrayMap& state, const std::string& name, std::vector<T>& values) {
    const auto found = state.find(name);
    if (found == state.end()) throw InputError("training state: array '" + name + "' is missing");
    const auto* stored = std::get_if<std::vector<T>>(&found->second.values);
    if (!stored || stored->size() != values.size())
        throw InputError("training state: array '" + name + "' has " +
                         std::to_string(element_count(found->second.shape)) +
                         " entries or another type, wanted are " + std::to_string(values.size()) +
                         " of this config's type");
    values = *stored;
}

}  // namespace

MultiTaskTd::MultiTaskTd(const MultiTaskTdOptions& options, uint64_t seed)
    : options_(options),
      seed_(seed),
      layout_(PhasedLayout::of(options.context_length, options.minibatch_size)),
      kernel_(
          make_td_minibatch_kernel<float>({options.tasks.d, options.num_layers, stored_layers(), layout_})) {
    draw_initial_weights();
    const size_t weights = state_.P.size();
    state_.alpha = static_cast<float>(options.initial_alpha);
    state_.P_adam = Adam<float>(weights);
    state_.Q_adam = Adam<float>(weights);
    state_.alpha_adam = Adam<float>(1);
    P_gradient_.resize(weights);
    Q_gradient_.resize(weights);
    for (int t = 0; t < layout_.num_states(); ++t) place_.push_back(layout_.at(t));
    trajectory_.resize(static_cast<size_t>((options.tasks.d + 1) * layout_.row_size()));
}

void MultiTaskTd::draw_initial_weights() {
    // The authors' code gives each of L sequential layers a gain of 0.1 / L.
    const double gain = options_.initial_gain / stored_layers();
    for (int l = 0; l < stored_layers(); ++l) {
        const auto P = xavier_normal(seed_, static_cast<uint32_t>(l), 0, rows(), gain);
        const auto Q = xavier_normal(seed_, static_cast<uint32_t>(l), 1, rows(), gain);
        state_.P.insert(state_.P.end(), P.begin(), P.end());
        state_.Q.insert(state_.Q.end(), Q.begin(), Q.end());
    }
}

void MultiTaskTd::draw_task(int64_t mrp) {
    draw_boyan_chain(options_.tasks, seed_, static_cast<uint32_t>(mrp), mrp_);
    sampler_.reset(mrp_);
    const int d = options_.tasks.d, m = mrp_.num_states();
    state_rows_.resize(static_cast<size_t>(m * (d + 1)));
    for (int s = 0; s < m; ++s) {
        float* row = state_rows_.data() + s * (d + 1);
        for (int i = 0; i < d; ++i) row[i] = static_cast<float>(mrp_.features(i, s));
        row[d] = static_cast<float>(mrp_.reward[s]);
    }
}

void MultiTaskTd::draw_trajectory(int64_t mrp, int minibatch) {
    Stream stream(seed_, Purpose::trajectory, static_cast<uint32_t>(mrp), static_cast<uint32_t>(minibatch));
    const int d = options_.tasks.d, row_size = layout_.row_size();
    int state = sampler_.first(stream.uniform());
    for (const int place : place_) {
        const float* source = state_rows_.data() + state * (d + 1);
        float* target = trajectory_.data() + place;
        for (int i = 0; i <= d; ++i) target[i * row_size] = source[i];
        state = sampler_.next(state, stream.uniform());
    }
}

TdMinibatchResult<float> MultiTaskTd::run_kernel() {
    TdMinibatchResult<float> result{P_gradient_.data(), Q_gradient_.data(), 0, 0, 0};
    kernel_->run({trajectory_.data(), static_cast<float>(options_.tasks.gamma), state_.P.data(),
                  state_.Q.data(), state_.alpha},
                 result);
    return result;
}

/// One Adam step on the drawn trajectory; false where something is no longer finite.
bool MultiTaskTd::step() {
    const TdMinibatchResult<float> result = run_kernel();
    if (!std::isfinite(result.loss) || !std::isfinite(result.batch_td_loss)) return false;
    state_.P_adam.step(state_.P.data(), P_gradient_.data(), options_.adam);
    state_.Q_adam.step(state_.Q.data(), Q_gradient_.data(), options_.adam);
    state_.alpha_adam.step(&state_.alpha, &result.alpha_gradient, options_.adam);
    float sum = state_.alpha;  // a sum is finite only where every term is
    for (size_t i = 0; i < state_.P.size(); ++i) sum += std::abs(state_.P[i]) + std::abs(state_.Q[i]);
    if (!std::isfinite(sum)) return false;
    loss_sum_ += static_cast<double>(result.loss);
    ++loss_count_;
    return true;
}

void MultiTaskTd::train_one_mrp() {
    if (diverged_) return;
    last_good_ = state_;
    draw_task(mrps_);
    for (int minibatch = 0; minibatch < options_.minibatches_per_mrp; ++minibatch) {
        draw_trajectory(mrps_, minibatch);
        if (!step()) {
            state_ = last_good_;
            diverged_ = true;
            return;
        }
    }
    ++mrps_;
}

double MultiTaskTd::take_mean_loss() {
    if (loss_count_ == 0) {
        draw_task(mrps_);
        draw_trajectory(mrps_, 0);
        return static_cast<double>(run_kernel().loss);
    }
    const double mean = loss_sum_ / static_cast<double>(loss_count_);
    loss_sum_ = 0;
    loss_count_ = 0;
    return mean;
}

ArrayMap MultiTaskTd::save() const {
    ArrayMap map;
    map["P"] = array_of(state_.P);
    map["Q"] = array_of(state_.Q);
    map["alpha"] = array_of(std::vector<float>{state_.alpha});
    const auto add = [&map](const std::string& name, const Adam<float>& adam) {
        map[name + ".first_moment"] = array_of(adam.first_moment);
        map[name + ".second_moment"] = array_of(adam.second_moment);
        map[name + ".steps"] = array_of(std::vector<int64_t>{adam.steps});
    };
    add("P_adam", state_.P_adam);
    add("Q_adam", state_.Q_adam);
    add("alpha_adam", state_.alpha_adam);
    // Streams are keyed by the MRP's number, so the position in them is this number.
    map["progress"] = array_of(std::vector<int64_t>{mrps_, diverged_ ? 1 : 0, loss_count_});
    map["loss_sum"] = array_of(std::vector<double>{loss_sum_});
    return map;
}

void MultiTaskTd::load(const ArrayMap& map) {
    State next = state_;
    std::vector<float> alpha(1);
    std::vector<int64_t> progress(3);
    std::vector<double> loss_sum(1);
    read(map, "P", next.P);
    read(map, "Q", next.Q);
    read(map, "alpha", alpha);
    const auto take = [&map](const std::string& name, Adam<float>& adam) {
        std::vector<int64_t> steps(1);
        read(map, name + ".first_moment", adam.first_moment);
        read(map, name + ".second_moment", adam.second_moment);
        read(map, name + ".steps", steps);
        adam.steps = steps[0];
    };
    take("P_adam", next.P_adam);
    take("Q_adam", next.Q_adam);
    take("alpha_adam", next.alpha_adam);
    read(map, "progress", progress);
    read(map, "loss_sum", loss_sum);
    next.alpha = alpha[0];
    state_ = std::move(next);
    mrps_ = progress[0];
    diverged_ = progress[1] != 0;
    loss_count_ = progress[2];
    loss_sum_ = loss_sum[0];
}

}  // namespace emergence
