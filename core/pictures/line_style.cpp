#include "core/pictures/line_style.h"

#include <iterator>

namespace emergence {

int in_dashes(int color, int dashes) { return color % kDashedColors + dashes * kDashedColors; }

int dashes_of(int color) { return color < 0 ? 0 : color / kDashedColors; }

std::span<const double> dash_pattern(int dashes) {
    static constexpr double kUsual[] = {1.0, 1.0};
    static constexpr double kDots[] = {0.35, 0.65};
    static constexpr double kDashDot[] = {1.8, 0.6, 0.35, 0.6};
    static constexpr double kDashDotDot[] = {1.2, 0.5, 0.35, 0.5, 0.35, 0.5};
    static constexpr double kLong[] = {2.4, 0.8};
    static constexpr std::span<const double> kAll[] = {kUsual, kDots, kDashDot, kDashDotDot, kLong};
    constexpr int kCount = static_cast<int>(std::size(kAll));
    return kAll[static_cast<size_t>(((dashes % kCount) + kCount) % kCount)];
}

}  // namespace emergence
