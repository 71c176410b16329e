#include "core/measures/similarity.h"

#include <algorithm>

#include "core/base/linear_algebra.h"
#include "core/base/statistics.h"
#include "core/measures/lane_vectors.h"

namespace emergence {

double value_difference(const Eigen::VectorXd& v1, const Eigen::VectorXd& v2, const Eigen::VectorXd& stationary) {
    return (v1 - v2).cwiseAbs2().dot(stationary);
}

Eigen::VectorXd implicit_weight(const Eigen::MatrixXd& features, const Eigen::VectorXd& v,
                                const Eigen::VectorXd& stationary) {
    const Eigen::VectorXd root = stationary.cwiseSqrt();
    const Eigen::MatrixXd design = root.asDiagonal() * features.transpose();
    return least_norm_solution(design, root.asDiagonal() * v);
}

double cosine_similarity(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    const double norms = a.norm() * b.norm();
    return norms == 0 ? 0.0 : a.dot(b) / norms;
}

double sensitivity_similarity(const Eigen::MatrixXd& gradients1, const Eigen::MatrixXd& gradients2,
                              const Eigen::VectorXd& stationary) {
    double sum = 0;
    for (Eigen::Index s = 0; s < stationary.size(); ++s)
        sum += stationary[s] * cosine_similarity(gradients1.col(s), gradients2.col(s));
    return sum;
}

double mean_square_value_error(const Eigen::VectorXd& estimate, const Eigen::VectorXd& v,
                               const Eigen::VectorXd& stationary) {
    return value_difference(estimate, v, stationary);
}

Decoys::Decoys(const HeldOutBank& bank, size_t index, int count)
    : d_(bank.options().tasks.d), size_(smaller(count, bank.options().size)) {
    const GramBank all = bank.batch_td_contexts(index);
    groups_ = (size_ + kContextsInGroup - 1) / kContextsInGroup;
    context_length_ = all.context_length;
    grams_.assign(all.grams, all.grams + static_cast<size_t>(groups_) * all.group_size());
    without_bootstrap_ = grams_;
    const int rows = 2 * d_ + 1;
    for (size_t i = 0; i < grams_.size(); ++i) {
        const int entry = static_cast<int>(i / kContextsInGroup) % (rows * rows);
        const auto next = [this](int k) { return k >= d_ && k < 2 * d_; };
        if (next(entry / rows) || next(entry % rows)) without_bootstrap_[i] = 0;
    }
}

GramBank Decoys::bank_of(const std::vector<float>& grams) const { return {grams.data(), groups_, d_, context_length_}; }

std::vector<float> Decoys::weights(const std::vector<float>& grams, int layers, float alpha) const {
    std::vector<float> result(groups_ * d_ * kContextsInGroup);
    batch_td_weights(bank_of(grams), layers, alpha, result.data());
    return result;
}

DecoySimilarities Decoys::similarities(int layers, float alpha) const {
    const std::vector<float> td = weights(grams_, layers, alpha);
    const std::vector<float> regression = weights(without_bootstrap_, layers, alpha);
    const std::vector<float> one_step = weights(grams_, 1, alpha);
    DecoySimilarities mean;
    Eigen::VectorXd w, decoy;
    for (int i = 0; i < size_; ++i) {
        read_lane_vector(td, d_, i, w);
        read_lane_vector(regression, d_, i, decoy);
        mean.no_bootstrap += cosine_similarity(w, decoy) / size_;
        read_lane_vector(one_step, d_, i, decoy);
        mean.reward_correlation += cosine_similarity(w, decoy) / size_;
    }
    return mean;
}

}  // namespace emergence
