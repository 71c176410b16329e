#pragma once
// The settings of a run of the published code of Wang et al. 2025, which it keeps as JSON beside its data.

#include <cstdint>
#include <string>
#include <string_view>

namespace emergence {

/// params.json, names and order as in the file. Defaults: that code's.
struct AuthorsParams {
    int64_t d = 4;   // features
    int64_t s = 10;  // states
    int64_t n = 30;  // context length
    int64_t l = 3;   // layers
    double gamma = 0.9;
    std::string activation = "identity";
    bool sample_weight = false;  // true values that are linear in the features
    std::string mode = "auto";   // or "sequential": layers of their own
    int64_t n_mrps = 4000;
    int64_t mini_batch_size = 64;
    int64_t n_batch_per_mrp = 5;
    double lr = 1e-3;
    double weight_decay = 1e-6;
    int64_t log_interval = 10;
    int64_t random_seed = 0;
    std::string mrp_class = "boyan";

    bool operator==(const AuthorsParams&) const = default;
    int64_t stored_layers() const { return mode == "auto" ? 1 : l; }
};

/// Reads the file's text. d, s, n and l have to be there; other keys have that code's defaults, and keys that
/// it does not have are ignored. Throws InputError, naming `source` and the key, for what is no JSON object,
/// nests deeper or is longer than any such file, or holds a value of another type or beyond what numbers
/// hold.
AuthorsParams parse_authors_params(std::string_view text, const std::string& source);

/// The file's text. Reads back to the same.
std::string authors_params_text(const AuthorsParams& params);

}  // namespace emergence
