#include "core/training/in_context_training.h"

#include <cmath>

namespace emergence {

InContextTraining::InContextTraining(const InContextTrainingOptions& options, Covariance covariance, uint64_t seed)
    : options_(options),
      covariance_(std::move(covariance)),
      seed_(seed),
      initial_(random_weights(options.restriction, options.d, options.layers, options.initial_scale, seed)),
      weights_(options.whitened ? initial_.in_coordinates(covariance_.power(-0.5)) : initial_),
      loss_(make_in_context_loss<float>(weights_.shape())),
      lbfgs_(options.lbfgs, weights_.flat),
      adam_(weights_.flat.size()) {}

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
    return
        [this](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) { return evaluate(sample_->view(), x, gradient); };
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

void InContextTraining::state(Archive& archive) {
    archive("weights", weights_.flat);
    archive("adam", adam_);
    archive("last", last_.loss, last_.gradient_norm);
    // Streams are keyed by the prompt's number, which follows from the steps.
    bool converged = lbfgs_.converged();
    auto pairs = static_cast<int64_t>(lbfgs_.memory().size());
    archive("progress", steps_, diverged_, converged, known_, pairs);
    archive.require(steps_ >= 0 && pairs >= 0 && pairs <= options_.lbfgs.memory, "progress",
                    "is not a number of steps, three flags, a number of remembered pairs");
    std::vector<Lbfgs::Pair> memory = lbfgs_.memory();
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(weights_.flat.size());
    memory.resize(pairs, {zero, zero});
    Eigen::MatrixXd columns(zero.size(), 2 * pairs);
    for (int64_t k = 0; k < pairs; ++k) {
        columns.col(2 * k) = memory[k].s;
        columns.col(2 * k + 1) = memory[k].y;
    }
    archive("memory", columns);
    if (!archive.loads()) return;
    for (int64_t k = 0; k < pairs; ++k) memory[k] = {columns.col(2 * k), columns.col(2 * k + 1)};
    lbfgs_.restore(weights_.flat, std::move(memory), converged);
}

}  // namespace emergence
