#include "core/experiments/study_of.h"

#include <fmt/format.h>

namespace emergence {

void check_log_interval(const Settings& settings, const std::string& num_steps) {
    // The start alone is logged at every interval.
    const int64_t steps = settings.integer(num_steps);
    if (!settings.has("log_interval") || settings.integer("log_interval") <= steps || steps == 0) return;
    throw InputError(
        fmt::format("log_interval: {} is more than {} = {}, so the run would log nothing. Lower it.",
                    settings.integer("log_interval"), num_steps, steps));
}

}  // namespace emergence
