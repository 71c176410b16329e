#include "core/training/teacher_mimicking.h"

#include <algorithm>
#include <cmath>

#include "core/base/linear_algebra.h"
#include "core/base/statistics.h"

namespace emergence {

std::vector<float> initial_improvement_weights(const ImprovementShape& shape, double gain, uint64_t seed) {
    Stream stream(seed, Purpose::initial_weights);
    const auto draw = [&](int rows, int columns) {
        return normal_matrix(stream, rows, columns, gain * std::sqrt(2.0 / (rows + columns)));
    };
    const Mat P12 = draw(shape.context(), shape.query());
    return weights_of<float>(shape, {P12, draw(shape.outputs(), shape.context())});
}

double TeacherMimicking::learning_rate() const {
    return options_.adam.learning_rate *
           std::pow(options_.rate_decay, static_cast<double>(mdp() / options_.decay_every));
}

void TeacherMimicking::enter_mdp(int64_t index) {
    task_index_ = index;
    task_ = random_improvement_task(options_.shape.sizes, seed_, static_cast<uint32_t>(task_index_));
    agent_.begin(task_);
}

void TeacherMimicking::update() {
    if (diverged_) return;
    const auto frame = static_cast<uint32_t>(updates_ % options_.frames);
    if (task_index_ != mdp()) enter_mdp(mdp());
    // One stream per window, so that the number of updates gives the position in the streams.
    agent_.collect(seed_, static_cast<uint32_t>(task_index_), frame, prompt_);
    const double rate = learning_rate();
    const AdamOptions& adam = options_.adam;
    const auto steps = static_cast<double>(adam_.steps + 1);
    const AdamStep<float> step{adam_.first_moment.data(),
                               adam_.second_moment.data(),
                               static_cast<float>(adam.beta1),
                               static_cast<float>(adam.beta2),
                               static_cast<float>(adam.epsilon),
                               static_cast<float>(rate / (1.0 - std::pow(adam.beta1, steps))),
                               static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(adam.beta2, steps)))};
    const auto loss = static_cast<double>(block_->train(weights_.data(), prompt_.view(), step));
    diverged_ = !std::isfinite(loss);
    if (diverged_) return;
    double zero = 0.0;
    for (int k = 0; k < options_.shape.outputs(); ++k)
        zero += 0.5 * static_cast<double>(prompt_.teacher[k]) * static_cast<double>(prompt_.teacher[k]);
    ++adam_.steps;
    ++updates_;
    rate_sum_ += rate;
    loss_.add(loss);
    zero_.add(zero);
    agent_.improve(prompt_.teacher.data());
}

void TeacherMimicking::state(Archive& archive) {
    archive("weights", weights_);
    archive("adam", adam_);
    archive("sums", rate_sum_, loss_.sum, zero_.sum);
    // The teacher's parameters and state, if an MDP has started.
    std::vector<float> agent(options_.shape.outputs(), 0.0F);
    // A load that fails half-way may have set the MDP before the teacher has parameters.
    const Eigen::VectorXf& parameters = agent_.parameters();
    if (task_index_ >= 0 && parameters.size() == options_.shape.outputs())
        agent.assign(parameters.begin(), parameters.end());
    int agent_state = agent_.state();
    archive("teacher", agent);
    archive("progress", updates_, diverged_, loss_.count, task_index_, agent_state);
    archive.require(updates_ >= 0 && loss_.count >= 0 && task_index_ >= -1 && agent_state >= 0 &&
                        agent_state < options_.shape.sizes.num_states,
                    "progress", "is not updates, a flag, a count, an MDP and a state");
    if (!archive.loads()) return;
    zero_.count = loss_.count;
    if (task_index_ < 0) return;
    enter_mdp(task_index_);
    agent_.set_parameters(Eigen::Map<const Eigen::VectorXf>(agent.data(), options_.shape.outputs()));
    agent_.set_state(agent_state);
}

Vec flat_blocks(const EffectiveBlocks& blocks) {
    Vec flat(blocks.P12.size() + blocks.V21.size());
    std::copy(blocks.V21.begin(), blocks.V21.end(), std::copy(blocks.P12.begin(), blocks.P12.end(), flat.begin()));
    return flat;
}

EffectiveBlocks shaped_blocks(const ImprovementShape& shape, const Vec& flat) {
    const int r = shape.context(), c = shape.query(), o = shape.outputs();
    return {ConstMatView::by_cols(flat.data(), r, c), ConstMatView::by_cols(flat.data() + r * c, o, r)};
}

ImprovementPopulation::ImprovementPopulation(const ImprovementShape& shape, const AgentOptions& agent, int windows,
                                             uint64_t seed)
    : shape_(shape),
      target_(constructed_blocks(shape, agent.alpha, agent.beta)),
      queries_(shape.query(), windows),
      teacher_(shape.outputs(), windows) {
    PolicyAgent<double> own(shape, agent);
    ImprovementPrompt<double> prompt(shape);
    for (int i = 0; i < windows; ++i) {
        const auto index = static_cast<uint32_t>(i);
        const ImprovementTask task = random_improvement_task(shape.sizes, seed, index);
        own.begin(task);
        own.collect(seed, index, 0, prompt);
        const Mat X = ConstMatView::by_rows(prompt.X.data(), shape.n, prompt.stride).leftCols(shape.context());
        moments_.emplace_back(X.transpose() * X / shape.n);
        queries_.col(i) = ConstMatView::column(prompt.query.data(), shape.query());
        teacher_.col(i) = ConstMatView::column(prompt.teacher.data(), shape.outputs());
        largest_square_ = larger(largest_square_, X.cwiseProduct(X).rowSums().maxCoeff());
        largest_query_ = larger(largest_query_, queries_.col(i).norm());
    }
    hessian_ = hessian_at_one();
}

double ImprovementPopulation::loss(const Vec& flat, Vec& gradient) const {
    const int r = shape_.context(), c = shape_.query(), o = shape_.outputs();
    const auto P12 = ConstMatView::by_cols(flat.data(), r, c), V21 = ConstMatView::by_cols(flat.data() + r * c, o, r);
    const auto windows = static_cast<double>(moments_.size());
    // update = V21 z,  z = Sigma y,  y = P12 q
    const Mat y = P12 * queries_;
    Mat z(r, y.cols());
    for (Index i = 0; i < y.cols(); ++i) z.col(i) = moments_[i] * y.col(i);
    const Mat error = V21 * z - teacher_;
    // update = V21 z:  dV21 = error z',  dz = V21' error
    // z = Sigma y:  dy = Sigma dz
    // y = P12 q:  dP12 = dy q'
    const Mat dz = V21.transpose() * error;
    Mat dy(r, y.cols());
    for (Index i = 0; i < y.cols(); ++i) dy.col(i) = moments_[i] * dz.col(i);
    gradient.resize(flat.size());
    MatView::by_cols(gradient.data(), r, c) = dy * queries_.transpose() / windows;
    MatView::by_cols(gradient.data() + r * c, o, r) = error * z.transpose() / windows;
    return 0.5 * error.squaredNorm() / windows;
}

// At (P12* + U, V21* + W) the error is, to first order, Eq. (21),
//
//     X = A U q + W b,   A = V21* Sigma,   b = Sigma P12* q
//
// so the Hessian is the mean of J'J. Entry (i, j) of U moves X by q_j A_i, entry (k, l) of W by b_l e_k.
Mat ImprovementPopulation::hessian_at_one() const {
    const int r = shape_.context(), c = shape_.query(), o = shape_.outputs(), of_U = r * c;
    Mat hessian = Mat::Zero(of_U + o * r, of_U + o * r);
    Mat bb = Mat::Zero(r, r);
    for (size_t i = 0; i < moments_.size(); ++i) {
        const Vec q = queries_.col(static_cast<Index>(i));
        const Mat A = target_.V21 * moments_[i], AA = A.transpose() * A;
        const Vec b = moments_[i] * (target_.P12 * q);
        bb += b * b.transpose();
        for (int j = 0; j < c; ++j) {
            for (int k = 0; k < c; ++k) hessian.block(j * r, k * r, r, r) += q(j) * q(k) * AA;
            for (int l = 0; l < r; ++l) hessian.block(j * r, of_U + l * o, r, o) += q(j) * b(l) * A.transpose();
        }
    }
    for (int k = 0; k < r; ++k)
        for (int l = 0; l < r; ++l)
            for (int i = 0; i < o; ++i) hessian(of_U + k * o + i, of_U + l * o + i) += bb(k, l);
    hessian.bottomRows(o * r).leftCols(of_U) = hessian.topRows(of_U).rightCols(o * r).transpose();
    return hessian / static_cast<double>(moments_.size());
}

Vec ImprovementPopulation::curvatures(double c) const {
    // At c, U acts as U / c does at c = 1, and W as c W.
    Vec scale(hessian_.rows());
    const int of_U = shape_.context() * shape_.query();
    scale.head(of_U).setConstant(1.0 / c);
    scale.tail(scale.size() - of_U).setConstant(c);
    return symmetric_eigenvalues(scale.asDiagonal() * hessian_ * scale.asDiagonal());
}

}  // namespace emergence
