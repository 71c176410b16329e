#include "core/pictures/line_style.h"

#include <iterator>
#include <vector>

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
    // Further ones: so many long dashes, then so many dots. No two look alike.
    static const std::vector<std::vector<double>> further = [] {
        std::vector<std::vector<double>> patterns;
        for (int i = 0; i < kDashPatterns - static_cast<int>(std::size(kAll)); ++i) {
            std::vector<double>& pattern = patterns.emplace_back();
            for (int dash = 0; dash < 1 + i / 4; ++dash) pattern.insert(pattern.end(), {1.8, 0.5});
            for (int dot = 0; dot < 3 + i % 4; ++dot) pattern.insert(pattern.end(), {0.35, 0.5});
        }
        return patterns;
    }();
    const auto index = static_cast<size_t>(((dashes % kDashPatterns) + kDashPatterns) % kDashPatterns);
    return index < std::size(kAll) ? kAll[index] : std::span<const double>(further[index - std::size(kAll)]);
}

}  // namespace emergence
