#include "core/training/in_context_training.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"

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

Array array_of(const double* values, Eigen::Index size) {
    return {{static_cast<size_t>(size)}, std::vector<double>(values, values + size)};
}

std::vector<double> doubles(const ArrayMap& state, const std::string& name, size_t size) {
    const auto found = state.find(name);
    const auto* stored =
        found == state.end() ? nullptr : std::get_if<std::vector<double>>(&found->second.values);
    if (stored == nullptr || stored->size() != size)
        throw InputError(fmt::format("training state: array '{}' with {} doubles is missing", name, size));
    for (const double x : *stored)
        if (!std::isfinite(x))
            throw InputError(fmt::format("training state: array '{}' has an entry that is not finite", name));
    return *stored;
}

}  // namespace

ArrayMap InContextTraining::save() const {
    ArrayMap map;
    const Eigen::Index size = weights_.flat.size();
    map["weights"] = array_of(weights_.flat.data(), size);
    std::vector<double> memory;
    for (const Lbfgs::Pair& pair : lbfgs_.memory())
        for (const Eigen::VectorXd* vector : {&pair.s, &pair.y})
            memory.insert(memory.end(), vector->data(), vector->data() + size);
    map["memory"] = {{lbfgs_.memory().size(), 2, static_cast<size_t>(size)}, std::move(memory)};
    map["adam.first_moment"] = {{adam_.first_moment.size()}, adam_.first_moment};
    map["adam.second_moment"] = {{adam_.second_moment.size()}, adam_.second_moment};
    map["last"] = {{2}, std::vector<double>{last_.loss, last_.gradient_norm}};
    // Streams are keyed by the prompt's number, so that the position in them follows from the steps.
    map["progress"] = {{5},
                       std::vector<int64_t>{steps_, diverged_ ? 1 : 0, lbfgs_.converged() ? 1 : 0,
                                            known_ ? 1 : 0, adam_.steps}};
    return map;
}

void InContextTraining::load(const ArrayMap& state) {
    const ArrayMap own = save();
    for (const auto& [name, array] : state)
        if (own.count(name) == 0)
            throw InputError("training state: array '" + name + "' belongs to no training");
    const auto size = static_cast<size_t>(weights_.flat.size());
    const auto as_vector = [](const std::vector<double>& values, size_t from, size_t count) {
        return Eigen::VectorXd(
            Eigen::Map<const Eigen::VectorXd>(values.data() + from, static_cast<Eigen::Index>(count)));
    };
    const auto memory_array = state.find("memory");
    const size_t pairs = memory_array == state.end() || memory_array->second.shape.size() != 3
                             ? 0
                             : memory_array->second.shape[0];
    if (pairs > static_cast<size_t>(options_.lbfgs.memory))
        throw InputError("training state: array 'memory' has more pairs than this config remembers");
    const auto weights = doubles(state, "weights", size), memory = doubles(state, "memory", pairs * 2 * size);
    const auto first = doubles(state, "adam.first_moment", size);
    const auto second = doubles(state, "adam.second_moment", size);
    const auto last = doubles(state, "last", 2);
    const auto found = state.find("progress");
    const auto* progress =
        found == state.end() ? nullptr : std::get_if<std::vector<int64_t>>(&found->second.values);
    if (progress == nullptr || progress->size() != 5 || (*progress)[0] < 0 || (*progress)[4] < 0)
        throw InputError("training state: array 'progress' with five whole numbers is missing");

    weights_.flat = as_vector(weights, 0, size);
    std::vector<Lbfgs::Pair> remembered;
    for (size_t k = 0; k < pairs; ++k)
        remembered.push_back(
            {as_vector(memory, 2 * k * size, size), as_vector(memory, (2 * k + 1) * size, size)});
    lbfgs_.restore(weights_.flat, std::move(remembered), (*progress)[2] != 0);
    adam_.first_moment = first;
    adam_.second_moment = second;
    adam_.steps = (*progress)[4];
    last_ = {last[0], last[1]};
    known_ = (*progress)[3] != 0;
    steps_ = (*progress)[0];
    diverged_ = (*progress)[1] != 0;
}

}  // namespace emergence
