#include "app/gui/shell/clock.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace emergence {
std::string clock_text(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0.0) return "–";
    const auto whole = static_cast<int64_t>(std::llround(seconds));
    if (whole >= 360000) return fmt::format("{} days", whole / 86400);
    if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace emergence
