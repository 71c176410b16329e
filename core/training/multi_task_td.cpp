#include "core/training/multi_task_td.h"

#include <cmath>

namespace emergence {

// Each compiled instruction set has its own, see lane_losses_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T> WindowValues<T>* make_batch_td_windows(int, int, const PhasedLayout&);
                           template <class T> TdMinibatchKernel<T> *
                           make_td_minibatch_kernel(const NetworkShape&, const PhasedLayout&);)

template <class T>
std::unique_ptr<WindowValues<T>> make_batch_td_windows(int d, int steps, const PhasedLayout& layout,
                                                       InstructionSet set) {
    return made_on_lanes(EMERGENCE_FLOAT_ON_LANES(T, set, make_batch_td_windows<T>(d, steps, layout)));
}
template std::unique_ptr<WindowValues<float>> make_batch_td_windows(int, int, const PhasedLayout&, InstructionSet);
template std::unique_ptr<WindowValues<double>> make_batch_td_windows(int, int, const PhasedLayout&, InstructionSet);

template <class T>
std::unique_ptr<TdMinibatchKernel<T>> make_td_minibatch_kernel(const NetworkShape& shape, const PhasedLayout& layout,
                                                               InstructionSet set) {
    check_network_shape(shape, layout);
    return made_on_lanes(EMERGENCE_FLOAT_ON_LANES(T, set, make_td_minibatch_kernel<T>(shape, layout)));
}
template std::unique_ptr<TdMinibatchKernel<float>> make_td_minibatch_kernel(const NetworkShape&, const PhasedLayout&,
                                                                            InstructionSet);
template std::unique_ptr<TdMinibatchKernel<double>> make_td_minibatch_kernel(const NetworkShape&, const PhasedLayout&,
                                                                             InstructionSet);

namespace {

template <class T>
void write_targets(const LossOptions& options, const LossInput<T>& in, T* targets) {
    const T lambda = options.kind == LossKind::monte_carlo ? T(1) : static_cast<T>(options.lambda);
    targets[in.batch] = in.values[in.batch];
    for (int w = in.batch - 1; w >= 0; --w) {
        const T next = in.values[w + 1];
        const bool looks_ahead = options.kind == LossKind::td_lambda || options.kind == LossKind::monte_carlo;
        if (options.kind == LossKind::average_reward)
            targets[w] = in.rewards[w] - in.mean_rewards[w] + next;
        else
            targets[w] =
                std::fma(in.gamma, looks_ahead ? std::fma(lambda, targets[w + 1] - next, next) : next, in.rewards[w]);
    }
}

template <class T>
T own_loss(const OwnLoss& own, const LossInput<T>& in, T* value_gradient) {
    const auto batch = static_cast<size_t>(in.batch);
    const std::vector<double> rewards(in.rewards, in.rewards + batch), means(in.mean_rewards, in.mean_rewards + batch),
        values(in.values, in.values + batch + 1);
    std::vector<double> targets(batch, 0.0), weights(batch, 1.0), slopes(batch, 0.0);
    own({in.batch, static_cast<double>(in.gamma), rewards.data(), means.data(), values.data()}, targets.data(),
        weights.data(), slopes.data());
    double loss = 0.0;
    std::vector<double> gradient(batch + 1, 0.0);
    for (size_t w = 0; w < batch; ++w) {
        const double delta = targets[w] - values[w], step = 2.0 / in.batch * weights[w] * delta;
        loss += weights[w] * delta * delta;
        gradient[w] -= step;
        gradient[w + 1] += slopes[w] * step;
    }
    for (size_t w = 0; w <= batch; ++w) value_gradient[w] = static_cast<T>(gradient[w]);
    return static_cast<T>(loss / in.batch);
}

PhasedLayout layout_of(const MultiTaskTdOptions& options) {
    PhasedLayout layout = PhasedLayout::of(options.context_length, MultiTaskTd::update_batch(options));
    layout.given_gram = options.exact_contexts;
    return layout;
}

bool average_reward(const MultiTaskTdOptions& options) { return options.loss.kind == LossKind::average_reward; }

}  // namespace

const std::vector<std::string>& loss_names() {
    static const std::vector<std::string> names = {"td", "residual_gradient", "td_lambda", "monte_carlo",
                                                   "average_reward"};
    return names;
}

const char* loss_words(LossKind kind) {
    constexpr const char* kWords[] = {"TD loss", "residual-gradient loss", "TD(\u03bb) loss", "Monte Carlo loss",
                                      "average-reward loss"};
    return kWords[static_cast<size_t>(kind)];
}

template <class T>
T window_loss(const LossOptions& options, const LossInput<T>& in, T* targets, T* value_gradient) {
    if (options.own) return own_loss(*options.own, in, value_gradient);
    write_targets(options, in, targets);
    const T scale = T(2) / static_cast<T>(in.batch);
    T loss = T(0);
    for (int w = 0; w <= in.batch; ++w) value_gradient[w] = T(0);
    for (int w = 0; w < in.batch; ++w) {
        const T delta = targets[w] - in.values[w];
        loss = std::fma(delta, delta, loss);
        value_gradient[w] -= scale * delta;
        if (options.kind == LossKind::residual_gradient) value_gradient[w + 1] += in.gamma * (scale * delta);
    }
    return loss / static_cast<T>(in.batch);
}

template float window_loss(const LossOptions&, const LossInput<float>&, float*, float*);
template double window_loss(const LossOptions&, const LossInput<double>&, double*, double*);

WindowNetwork attention_network(const NetworkShape& shape, const MultiTaskTdOptions& options, uint64_t seed) {
    WindowNetwork network;
    network.values = make_network_windows<float>(shape, layout_of(options));
    network.blocks = network_blocks(shape);
    network.initial_weights.resize(shape.num_weights());
    const int rows = shape.rows(), stored = shape.stored, matrices = shape.matrices() / stored;
    // The authors' code gives each of L sequential layers a gain of 0.1 / L.
    const double gain = options.initial_gain / stored;
    for (int l = 0; l < stored; ++l)
        for (int matrix = 0; matrix < matrices; ++matrix) {
            Stream stream(seed, Purpose::initial_weights, static_cast<uint32_t>(l), static_cast<uint32_t>(matrix));
            float* values = network.initial_weights.data() + (matrix * stored + l) * rows * rows;
            for (int i = 0; i < rows * rows; ++i)
                values[i] = static_cast<float>(gain / std::sqrt(static_cast<double>(rows)) * stream.normal());
        }
    if (shape.learns_lambda) network.initial_weights.back() = static_cast<float>(shape.mask_lambda);
    if (shape.learns_W) {  // reads rewards from the first head, memory from the second
        float* W = network.initial_weights.data() + network.blocks.back().offset;
        W[(rows - 1) * 2 * rows + rows - 2] = W[2 * rows * rows - 1] = 1.0F;
    }
    return network;
}

uint32_t task_index(int pool_size, uint64_t seed, int64_t mrp) {
    const auto number = static_cast<uint32_t>(mrp);
    if (pool_size == 0) return number;
    return static_cast<uint32_t>(Stream(seed, Purpose::pool, number).uniform() * pool_size);
}

MultiTaskTd::MultiTaskTd(const MultiTaskTdOptions& options, uint64_t seed)
    : MultiTaskTd(options, seed, attention_network(options.shape(), options, seed),
                  options.loss.kind == LossKind::td && !options.loss.own) {}

MultiTaskTd::MultiTaskTd(const MultiTaskTdOptions& options, uint64_t seed, WindowNetwork network, bool one_pass)
    : options_(options), seed_(seed), layout_(layout_of(options)), network_(std::move(network)) {
    const int d = options.tasks.d;
    if (one_pass)
        kernel_ = make_td_minibatch_kernel<float>(options.shape(), layout_);
    else
        batch_td_ = make_batch_td_windows<float>(d, options.num_layers, layout_);
    gradient_.resize(network_.initial_weights.size());
    state_ = {network_.initial_weights, 1.0F, Adam<float>(gradient_.size()), Adam<float>(1)};
    for (int t = 0; t < layout_.num_states(); ++t) place_.push_back(layout_.at(t));
    const int given = layout_.given_gram ? (2 * d + 1) * (2 * d + 1) : 0;
    trajectory_.resize((d + 1) * layout_.row_size() + given);
    if (average_reward(options)) centred_trajectory_ = trajectory_;
    const int slides = options.update_each_prompt ? updates_per_mrp() - 1 : 0;
    mean_.resize(layout_.num_states() + slides);
    rows_.resize(mean_.size() * (d + 1));
    for (auto* by_window : {&rewards_, &mean_rewards_}) by_window->resize(layout_.batch);
    for (auto* by_window : {&values_, &targets_, &value_gradient_}) by_window->resize(layout_.batch + 1);
}

void MultiTaskTd::draw_trajectory(uint32_t number) {
    Stream stream(seed_, Purpose::trajectory, static_cast<uint32_t>(mrps_), number);
    const size_t width = options_.tasks.d + 1;
    task_->start(stream);
    double sum = 0;
    for (size_t t = 0; t < mean_.size(); ++t) {
        const double* row = task_->row();
        for (size_t i = 0; i < width; ++i) rows_[t * width + i] = static_cast<float>(row[i]);
        sum += row[width - 1];
        mean_[t] = static_cast<float>(sum / static_cast<double>(t + 1));
        task_->step(stream);
    }
}

// Writes the windows that start from time `first` on in the kernels' layout.
void MultiTaskTd::place_windows(int first) {
    const int d = options_.tasks.d, row_size = layout_.row_size();
    const float* source = rows_.data() + first * (d + 1);
    for (const int place : place_) {
        for (int i = 0; i <= d; ++i) trajectory_[i * row_size + place] = source[i];
        source += d + 1;
    }
    for (int w = 0; w < layout_.batch; ++w) {
        const int time = first + w + layout_.context_length + 1;
        rewards_[w] = rows_[time * (d + 1) + d];
        mean_rewards_[w] = mean_[time];
    }
    if (!average_reward(options_)) return;
    centred_trajectory_ = trajectory_;
    for (size_t t = 0; t < place_.size(); ++t) centred_trajectory_[d * row_size + place_[t]] -= mean_[first + t];
}

void MultiTaskTd::prepare(int update) {
    if (update == 0) task_->draw(seed_, task_index(options_.pool_size, seed_, mrps_));
    if (update == 0 && layout_.given_gram) {
        const Mat products = expected_products(*task_->mrp(), options_.tasks.gamma);
        float* gram = trajectory_.data() + (options_.tasks.d + 1) * layout_.row_size();
        for (Index i = 0; i < products.size(); ++i)
            gram[i] = static_cast<float>(options_.context_length * products.data()[i]);
    }
    if (update == 0 || !options_.update_each_prompt) draw_trajectory(static_cast<uint32_t>(update));
    place_windows(options_.update_each_prompt ? update : 0);
}

// The loss of `network` on the placed windows, and its gradient.
float MultiTaskTd::follow(WindowValues<float>& network, const float* trajectory, const float* weights,
                          float* gradient) {
    const auto gamma = static_cast<float>(average_reward(options_) ? 1.0 : options_.tasks.gamma);
    network.forward(trajectory, gamma, weights, values_.data());
    const float loss =
        window_loss<float>(options_.loss, {layout_.batch, gamma, rewards_.data(), mean_rewards_.data(), values_.data()},
                           targets_.data(), value_gradient_.data());
    network.backward(value_gradient_.data(), gradient);
    return loss;
}

TdMinibatchResult<float> MultiTaskTd::run_update() {
    const size_t half_size = gradient_.size() / 2;
    TdMinibatchResult<float> result{gradient_.data(), gradient_.data() + half_size, 0, 0, 0};
    if (kernel_) {
        kernel_->run({trajectory_.data(), static_cast<float>(options_.tasks.gamma), state_.weights.data(),
                      state_.weights.data() + half_size, state_.alpha},
                     result);
        return result;
    }
    result.loss = follow(*network_.values, trajectory_.data(), state_.weights.data(), gradient_.data());
    // Average-reward TD knows the mean reward, so its prompts hold R - rbar instead of R.
    const auto& seen = average_reward(options_) ? centred_trajectory_ : trajectory_;
    result.batch_td_loss = follow(*batch_td_, seen.data(), &state_.alpha, &result.alpha_gradient);
    return result;
}

void MultiTaskTd::descend(float* parameters, size_t count, const float* gradient, Adam<float>& adam) const {
    if (!options_.plain_gradient) return adam.step(parameters, gradient, options_.adam);
    const auto rate = static_cast<float>(options_.adam.learning_rate);
    const auto decay = static_cast<float>(options_.adam.weight_decay);
    for (size_t i = 0; i < count; ++i) parameters[i] -= rate * (0.5F * gradient[i] + decay * parameters[i]);
}

void MultiTaskTd::train_one_mrp() {
    if (diverged_) return;
    last_good_ = state_;
    for (int number = 0; number < updates_per_mrp(); ++number) {
        prepare(number);
        const TdMinibatchResult<float> update = run_update();
        diverged_ = !std::isfinite(update.loss) || !std::isfinite(update.batch_td_loss);
        if (!diverged_) {
            descend(state_.weights.data(), state_.weights.size(), gradient_.data(), state_.adam);
            descend(&state_.alpha, 1, &update.alpha_gradient, state_.alpha_adam);
            diverged_ = !std::isfinite(state_.alpha) || !all_finite(state_.weights);
        }
        if (diverged_) {
            state_ = last_good_;
            return;
        }
        loss_.add(static_cast<double>(update.loss));
    }
    ++mrps_;
}

double MultiTaskTd::take_mean_loss() {
    if (loss_.count > 0) return loss_.take();
    prepare(0);
    return static_cast<double>(run_update().loss);
}

void MultiTaskTd::state(Archive& archive) {
    archive("weights", state_.weights);
    archive("alpha", state_.alpha);
    archive("adam", state_.adam);
    archive("alpha_adam", state_.alpha_adam);
    // Streams are keyed by the MRP's number, so this number gives the position in them.
    archive("progress", mrps_, diverged_, loss_.count);
    archive("loss_sum", loss_.sum);
    archive.require(mrps_ >= 0 && loss_.count >= 0, "progress",
                    "is not a number of MRPs, 0 or 1 for diverged, a number of losses");
}

MultiTaskTd train_network(const NetworkShape& shape, const MultiTaskTdOptions& options, uint64_t seed) {
    if (shape.model == Model::rnn) return {options, seed, make_rnn(shape, layout_of(options), seed)};
    if (shape.activation == Activation::identity && !shape.is_masked()) return {options, seed};
    return {options, seed, attention_network(shape, options, seed)};
}

}  // namespace emergence
