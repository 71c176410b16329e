#include "app/gui/layout.h"

#include <algorithm>
#include <cmath>

namespace emergence {

Layout make_layout(ImVec2 window, float scale, int banners, float transport_height) {
    const auto px = [scale](float length) { return std::round(length * scale); };
    const float gap = px(8);
    const float left = std::round(std::clamp(0.185F * window.x, px(236), px(300)));
    const float right = std::round(std::clamp(0.30F * window.x, px(360), px(620)));
    const float status = px(38);
    const float middle = window.x - left - right - 4 * gap;
    const float bottom = window.y - status - 2 * gap;  // where the columns end

    Layout layout;
    layout.status = {{gap, window.y - status - gap}, {window.x - 2 * gap, status}};
    layout.transport = {{gap, gap}, {left, transport_height}};
    const float settings_top = gap + transport_height + gap;
    layout.settings = {{gap, settings_top}, {left, bottom - settings_top}};

    const float x = left + 2 * gap;
    float top = gap;
    layout.banner = {{x, top}, {middle + gap + right, 0.0F}};
    if (banners > 0) {
        layout.banner.size.y = px(34) * static_cast<float>(banners) + px(8);
        top += layout.banner.size.y + gap;
    }
    layout.emerged = {{x, top}, {middle, px(86)}};
    const float matrices_top = top + layout.emerged.size.y + gap;
    layout.matrices = {{x, matrices_top}, {middle, bottom - matrices_top}};
    layout.curves = {{x + middle + gap, top}, {right, bottom - top}};
    return layout;
}

}  // namespace emergence
