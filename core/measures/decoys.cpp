#include "core/measures/decoys.h"

#include <algorithm>

#include "core/measures/lane_vectors.h"
#include "core/measures/similarity.h"

namespace emergence {
Decoys::Decoys(const HeldOutBank& bank, size_t index, int count)
    : d_(bank.options().tasks.d), size_(std::min(count, bank.options().size)) {
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

GramBank Decoys::bank_of(const std::vector<float>& grams) const {
    return {grams.data(), groups_, d_, context_length_};
}

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
