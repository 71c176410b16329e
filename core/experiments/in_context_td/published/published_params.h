#pragma once
// The settings of a run of the published code of Wang et al. 2025, which saves them as JSON beside its data.

#include <cstdint>
#include <string>
#include <string_view>

namespace emergence {

/// params.json: names and order as in the file, defaults of that code.
struct PublishedParams {
    int64_t d = 4;   // features
    int64_t s = 10;  // states
    int64_t n = 30;  // context length
    int64_t l = 3;   // layers
    double gamma = 0.9;
    std::string activation = "identity";
    /// True values that are linear in the features.
    bool sample_weight = false;
    /// "auto": all layers share P and Q; "sequential": each layer has its P and Q.
    std::string mode = "auto";
    int64_t n_mrps = 4000;
    int64_t mini_batch_size = 64;
    int64_t n_batch_per_mrp = 5;
    double lr = 1e-3;
    double weight_decay = 1e-6;
    int64_t log_interval = 10;
    int64_t random_seed = 0;
    std::string mrp_class = "boyan";

    bool operator==(const PublishedParams&) const = default;
    int64_t stored_layers() const { return mode == "auto" ? 1 : l; }
};

/// Reads the file's text. The keys d, s, n and l are required; other missing keys have that code's defaults,
/// and unknown keys are ignored. Throws InputError with `source` and the key if the text is not a JSON
/// object, is too deeply nested or too long, or holds a value of another type or out of range.
PublishedParams parse_published_params(std::string_view text, const std::string& source);

/// The file's text, which parse_published_params() reads back unchanged.
std::string published_params_text(const PublishedParams& params);

}  // namespace emergence
