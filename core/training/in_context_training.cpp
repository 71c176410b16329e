#include "core/training/in_context_training.h"

#include <cmath>

#include "core/training/state_arrays.h"

namespace emergence {

InContextTraining::InContextTraining(const InContextTrainingOptions& options, Covariance covariance,
                                     uint64_t seed)
    : options_(options),
      covariance_(std::move(covariance)),
      seed_(seed),
      initial_(random_weights(options.restriction, options.d, options.layers, options.initial_scale, seed)),
      weights_(options.whitened ? initial_.in_coordinates(covariance_.power(-0.5)) : initial_),
      loss_(make_in_context_loss<float>(weights_.shape())),
      lbfgs_(options.lbfgs, weights_.flat),
      adam_(static_cast<size_t>(weights_.flat.size())) {}

double InContextTraining::evaluate(const GramView<float>& sample, const Eigen::VectorXd& weights,
                                   Eigen::VectorXd& gradient) {
    const double loss = loss_of(*loss_, sample, weights, gradient);
    project(options_.restriction, options_.d, options_.layers, gradient);
    return loss;
}

InContextWeights InContextTraining::weights() const {
    return options_.whitened ? weights_.in_coordinates(covariance_.power(0.5)) : weights_;
}

GramSample<float> InContextTraining::draw(int prompts, int64_t first) const {
    return draw_gram_sample<float>(covariance_, options_.prior, options_.n, prompts, seed_,
                                   static_cast<uint32_t>(first), options_.whitened);
}

Objective InContextTraining::objective() {
    if (!sample_) sample_ = draw(options_.prompts, 0);
    return [this](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
        return evaluate(sample_->view(), x, gradient);
    };
}

void InContextTraining::adam_step() {
    const GramSample<float> minibatch = draw(options_.minibatch, steps_ * options_.minibatch);
    Eigen::VectorXd gradient;
    last_.loss = evaluate(minibatch.view(), weights_.flat, gradient);
    last_.gradient_norm = gradient.norm();
    known_ = true;
    if (!std::isfinite(last_.loss) || !gradient.allFinite()) {
        diverged_ = true;
        return;
    }
    adam_.step(weights_.flat.data(), gradient.data(), options_.adam_options);
    ++steps_;
}

void InContextTraining::step() {
    if (diverged_) return;
    if (options_.adam) {
        adam_step();
        return;
    }
    lbfgs_.iterate(objective());
    diverged_ = lbfgs_.diverged();
    if (diverged_) return;
    weights_.flat = lbfgs_.x();
    ++steps_;
}

InContextTraining::Progress InContextTraining::progress() {
    if (!options_.adam) {
        lbfgs_.evaluate(objective());
        return {lbfgs_.loss(), lbfgs_.gradient_norm()};
    }
    if (!known_) {
        const GramSample<float> first = draw(options_.minibatch, 0);
        Eigen::VectorXd gradient;
        const double loss = evaluate(first.view(), weights_.flat, gradient);
        return {loss, gradient.norm()};
    }
    return last_;
}

namespace {
std::vector<double> values_of(const Eigen::VectorXd& vector) {
    return {vector.data(), vector.data() + vector.size()};
}
}  // namespace

ArrayMap InContextTraining::save() const {
    ArrayMap map;
    map["weights"] = array_of(values_of(weights_.flat));
    std::vector<double> memory;
    for (const Lbfgs::Pair& pair : lbfgs_.memory())
        for (const Eigen::VectorXd* vector : {&pair.s, &pair.y})
            memory.insert(memory.end(), vector->data(), vector->data() + vector->size());
    map["memory"] = array_of(memory);
    save_adam("adam", adam_, map);
    map["last"] = array_of(std::vector<double>{last_.loss, last_.gradient_norm});
    // Streams are keyed by the prompt's number, which follows from the steps.
    map["progress"] =
        array_of(std::vector<int64_t>{steps_, diverged_ ? 1 : 0, lbfgs_.converged() ? 1 : 0, known_ ? 1 : 0,
                                      static_cast<int64_t>(lbfgs_.memory().size())});
    return map;
}

void InContextTraining::load(const ArrayMap& state) {
    require_known(state, save());
    const auto size = static_cast<size_t>(weights_.flat.size());
    std::vector<int64_t> progress(5);
    read_array(state, "progress", progress);
    require_array(progress[0] >= 0 && progress[4] >= 0 && progress[4] <= options_.lbfgs.memory, "progress",
                  "is not a number of steps, three flags, a number of remembered pairs");
    std::vector<double> weights(size), last(2), memory(2 * size * static_cast<size_t>(progress[4]));
    Adam<double> adam(size);
    read_array(state, "weights", weights);
    read_array(state, "last", last);
    read_array(state, "memory", memory);
    read_adam(state, "adam", adam);

    weights_.flat = Eigen::Map<const Eigen::VectorXd>(weights.data(), weights_.flat.size());
    std::vector<Lbfgs::Pair> pairs;
    for (size_t k = 0; k < static_cast<size_t>(progress[4]); ++k) {
        const double* s = memory.data() + 2 * k * size;
        pairs.push_back({Eigen::Map<const Eigen::VectorXd>(s, weights_.flat.size()),
                         Eigen::Map<const Eigen::VectorXd>(s + size, weights_.flat.size())});
    }
    lbfgs_.restore(weights_.flat, std::move(pairs), progress[2] != 0);
    adam_ = std::move(adam);
    last_ = {last[0], last[1]};
    known_ = progress[3] != 0;
    steps_ = progress[0];
    diverged_ = progress[1] != 0;
}

}  // namespace emergence
