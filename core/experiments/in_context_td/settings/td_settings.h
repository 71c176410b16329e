#pragma once
// The settings of experiment "td", the network that they describe, what theory knows about it, and the blocks of its
// matrices.

#include <string>
#include <vector>

#include "core/models/network_windows.h"
#include "core/pictures/figure_spec.h"
#include "core/settings/fields.h"
#include "core/training/multi_task_td.h"

namespace emergence {

/// Settings for one prompt: the drawing of its world, and the microscope, which shows the prompt layer by layer. All
/// are live; none affects training.
struct TdInsideConfig {
    std::string look_inside = "nothing";
    int watched_task = 0;
    std::string world_file;
    std::string world_edits;
    int world_state = 1;
    int shown_seed = 0;
    int layer = 0;

    void fields(Fields& f);

    bool world() const { return look_inside == "world" || look_inside == "both"; }
    bool microscope() const { return look_inside == "microscope" || look_inside == "both"; }
};

/// Every setting, with the defaults of Appendix D.1.
struct InContextTdConfig : MultiTaskTdOptions {
    /// The kind of network: attention, rnn or two_heads.
    std::string model = "attention";
    std::string activation = "identity";
    std::string normalisation = "rows";
    int rnn_width = 4;
    std::string rnn_activation = "tanh";
    std::string mask = "td";
    double mask_lambda = 0.9;
    bool learn_mask_lambda = false;
    bool learn_W = false;
    bool share_Q = false;
    TdInsideConfig inside;
    int64_t num_mrps = 4000;
    int64_t seed = 0;
    int seeds = 8;
    int eval_context_length = 30;
    int bank_size = 2000;
    int log_interval = 10;
    std::string surgery = "";
    std::string weights = "";
    std::string worlds = "";
    std::string more_losses = "";

    void fields(Fields& f);
    void model_fields(Fields& f);
    void task_fields(Fields& f);
    void task_shape_fields(Fields& f);
    void training_fields(Fields& f);
    void evaluation_fields(Fields& f);
};

// The network that the settings describe, and what theory knows about it.

/// The network of these settings; has_theory() says whether theory knows what its weights should be.
NetworkShape network_shape(const InContextTdConfig& config);
bool has_theory(const InContextTdConfig& config);
/// Whether the network has a mask of traces, Corollary 3, or two heads, Theorem 3.
bool has_masks(const InContextTdConfig& config);
/// Whether theory has weights of such a network for the algorithm that the loss names. Theorem 3, average reward, is
/// about two heads and a row of memory.
bool has_target(const InContextTdConfig& config);
/// "transformer" or "RNN".
std::string network_name(const InContextTdConfig& config);
/// Whether flipping the signs of P and Q together leaves the network unchanged.
bool may_flip_signs(const NetworkShape& shape);
/// Whether training leaves the initial weights unchanged.
bool stands_still(const InContextTdConfig& config);
/// The losses that seeds take in turn: `loss`, then those of `more_losses`. Throws InputError for an unknown one.
std::vector<LossKind> losses_in_turn(const InContextTdConfig& config);

// The blocks of P and Q, as rows and as columns: phi, gamma phi', R, and with average reward the memory.

inline constexpr int kNowBlock = 0, kNextBlock = 1, kRewardBlock = 2, kMemoryBlock = 3;
inline constexpr const char* kBlockLabels[] = {"\u03c6", "\u03b3\u03c6'", "R"};

/// Average reward discounts nothing: gamma is 1.
inline const char* next_label(bool discounted) { return discounted ? kBlockLabels[kNextBlock] : "\u03c6'"; }

/// The first list followed by the second.
template <class T>
std::vector<T> both_of(std::vector<T> first, const std::vector<T>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// The blocks of a prompt without memory, d features per state.
inline std::vector<Block> prompt_blocks(int d, bool discounted = true) {
    return {{kBlockLabels[kNowBlock], d}, {next_label(discounted), d}, {kBlockLabels[kRewardBlock], 1}};
}

}  // namespace emergence
