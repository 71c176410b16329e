#include "app/gui/shell/layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace emergence {
namespace {

// Lengths of the 1600 x 1000 design.
constexpr float kGap = 8.0F;
constexpr float kStatus = 30.0F;
constexpr float kHeadline = 86.0F;
constexpr float kPresentedHeadline = 74.0F;
constexpr float kStripHeight = 38.0F;
constexpr float kLeastLeft = 226.0F;
constexpr float kLeastStage = 420.0F;  // width of the stage
constexpr float kLeastRight = 230.0F;
constexpr float kMostRight = 560.0F;
constexpr float kLeastWing = 170.0F;    // height of a wing
constexpr float kMostFirst = 0.6F;      // share of the column that the first wing may take if it needs it
constexpr float kLeastAcross = 190.0F;  // width of a wing below the stage
// Shares of the room without the controls.
constexpr float kWings = 0.29F;
constexpr float kWingsBelow = 0.24F;
constexpr float kUpright = 1.05F;  // with a room this much wider than high, the wings stand beside the stage

// A chosen width (0: none was chosen) within its limits. If the limits contradict each other, the smallest width wins
// and the neighbour shrinks.
float choose(float chosen, float standard, float smallest, float largest) {
    const float wanted = chosen > 0.0F ? chosen : standard;
    return std::round(std::max(smallest, std::min(wanted, largest)));
}

class Builder {
  public:
    explicit Builder(const LayoutRequest& request)
        : r_(request), gap_(px(kGap)), inside_{{gap_, gap_}, {r_.window.x - 2 * gap_, r_.window.y - 2 * gap_}} {}

    Layout build() {
        if (r_.presenting)
            place_presentation();
        else
            place_everything();
        return std::move(layout_);
    }

  private:
    float px(float length) const { return std::round(length * r_.scale); }
    // The pictures that share the column's height: no picture shrinks when others are unfolded below it.
    int wings() const { return r_.wings > 0 ? r_.wings : r_.unfolded; }

    // Takes a strip of this height from the bottom of `from`.
    Box take_bottom(Box& from, float height) const {
        const Box strip{{from.min.x, from.max().y - height}, {from.size.x, height}};
        from.size.y -= height + gap_;
        return strip;
    }
    Box take_top(Box& from, float height) const {
        const Box strip{from.min, {from.size.x, height}};
        from.min.y += height + gap_;
        from.size.y -= height + gap_;
        return strip;
    }
    Box take_left(Box& from, float width) const {
        const Box strip{from.min, {width, from.size.y}};
        from.min.x += width + gap_;
        from.size.x -= width + gap_;
        return strip;
    }

    void place_time() {
        const Box strip = take_bottom(inside_, std::round(r_.timeline_height) + px(kStatus));
        layout_.timeline = {strip.min, {strip.size.x, strip.size.y - px(kStatus)}};
        layout_.status = {{strip.min.x, layout_.timeline.max().y}, {strip.size.x, px(kStatus)}};
    }

    void place_settings() {
        const float width = r_.window.x;
        const float most = width - px(kLeastRight) - px(kLeastStage) - 4 * gap_;
        const float chosen =
            choose(r_.splits.left * r_.scale, std::clamp(0.185F * width, px(236), px(300)), px(kLeastLeft), most);
        layout_.settings = take_left(inside_, chosen);
        add_splitter(inside_, &Splits::left, layout_.settings.min.x, 1.0F, {px(kLeastLeft), most});
    }

    void place_everything() {
        if (r_.transport_height > 0.0F) layout_.transport = take_top(inside_, std::round(r_.transport_height));
        place_time();
        if (r_.settings) place_settings();
        Box rest = inside_;
        if (rest.size.x > kUpright * rest.size.y)
            place_wings_beside(rest);
        else
            place_wings_below(rest);
        const float more = r_.headline_more ? std::round(r_.headline_more(rest.size.x)) : 0.0F;
        // The headline never takes more than this share, because the stage matters more.
        layout_.headline = take_top(rest, std::min(px(kHeadline) + more, std::round(0.3F * rest.size.y)));
        place_stage(rest);
    }

    void place_wings_beside(Box& rest) {
        if (wings() == 0) {
            layout_.strip = take_bottom(rest, px(kStripHeight));
            return;
        }
        const float most = std::max(px(kLeastRight), std::min(rest.size.x - px(kLeastStage) - gap_, px(kMostRight)));
        const float width = choose(r_.splits.right * r_.scale, kWings * rest.size.x, px(kLeastRight), most);
        const Box stage = take_left(rest, rest.size.x - width - gap_);
        add_splitter(rest, &Splits::right, rest.max().x, -1.0F, {px(kLeastRight), most});
        layout_.strip = take_bottom(rest, px(kStripHeight));
        layout_.column = rest;
        const float least = std::min(px(std::max(kLeastWing, r_.first_wing)), std::round(kMostFirst * rest.size.y));
        const int seen = std::min(wings(), 1 + static_cast<int>((rest.size.y - least) / (px(kLeastWing) + gap_)));
        const float room = rest.size.y - gap_ * static_cast<float>(seen - 1);
        float first = std::floor(room / static_cast<float>(seen)), height = first;
        if (first < least && seen > 1) {
            first = least;
            height = std::floor((room - least) / static_cast<float>(seen - 1));
        }
        for (int i = 0; i < std::max(seen, r_.unfolded); ++i) {
            const float above = i == 0 ? 0.0F : first + gap_ + static_cast<float>(i - 1) * (height + gap_);
            layout_.wings.push_back({{rest.min.x, rest.min.y + above}, {rest.size.x, i == 0 ? first : height}});
        }
        rest = stage;
    }

    // For a window that is higher than wide.
    void place_wings_below(Box& rest) {
        layout_.strip = take_bottom(rest, px(kStripHeight));
        if (wings() == 0) return;
        Box row = take_bottom(rest, std::max(px(kLeastWing), std::round(kWingsBelow * rest.size.y)));
        layout_.column = row;
        const int across = std::max(1, static_cast<int>((row.size.x + gap_) / (px(kLeastAcross) + gap_)));
        const int seen = std::min(wings(), across);
        const float width = std::floor((row.size.x - gap_ * static_cast<float>(seen - 1)) / static_cast<float>(seen));
        for (int i = 0; i < std::max(seen, r_.unfolded); ++i)
            layout_.wings.push_back({{row.min.x + static_cast<float>(i % seen) * (width + gap_),
                                      row.min.y + static_cast<float>(i / seen) * (row.size.y + gap_)},
                                     {width, row.size.y}});
    }

    void place_presentation() {
        layout_.headline = take_top(inside_, px(kPresentedHeadline));
        place_stage(inside_);
    }

    void place_stage(Box room) {
        if (r_.controls_height > 0.0F) layout_.controls = take_bottom(room, r_.controls_height);
        layout_.stage = room;
    }

    // The gap to the left of `after` becomes a splitter.
    void add_splitter(const Box& after, float Splits::*length, float origin, float sign,
                      std::pair<float, float> limits) {
        Splitter splitter;
        splitter.box = Box{{after.min.x - gap_, after.min.y}, {gap_, after.size.y}};
        splitter.length = length;
        splitter.origin = origin;
        splitter.sign = sign;
        splitter.minimum = limits.first;
        splitter.maximum = std::max(limits.first, limits.second);
        layout_.splitters.push_back(splitter);
    }

    const LayoutRequest& r_;
    float gap_;
    Box inside_;  // the room that is still free
    Layout layout_;
};

}  // namespace

std::vector<Box> Layout::all() const {
    std::vector<Box> boxes;
    const Box time{timeline.min, {timeline.size.x, timeline.size.y + status.size.y}};
    for (const Box& box : {transport, settings, headline, stage, controls, strip, time})
        if (box.shown()) boxes.push_back(box);
    const bool scrolled = !wings.empty() && (wings.back().max().y > column.max().y + 1.0F);
    if (scrolled)
        boxes.push_back(column);
    else
        boxes.insert(boxes.end(), wings.begin(), wings.end());
    return boxes;
}

Layout make_layout(const LayoutRequest& request) { return Builder(request).build(); }

std::vector<Box> share_stage(const Box& stage, int count, float gap) {
    constexpr float kGoodAspect = 1.5F;
    int columns = 1;
    float least = std::numeric_limits<float>::infinity();
    ImVec2 cell = stage.size;
    for (int across = 1; across <= count; ++across) {
        const int down = (count + across - 1) / across;
        const ImVec2 one((stage.size.x - gap * static_cast<float>(across - 1)) / static_cast<float>(across),
                         (stage.size.y - gap * static_cast<float>(down - 1)) / static_cast<float>(down));
        const float off =
            std::abs(std::log(one.x / one.y / kGoodAspect)) + 0.2F * static_cast<float>(across * down - count);
        if (off >= least) continue;
        least = off;
        columns = across;
        cell = {std::floor(one.x), std::floor(one.y)};
    }
    std::vector<Box> cells;
    for (int i = 0; i < count; ++i)
        cells.push_back({{stage.min.x + static_cast<float>(i % columns) * (cell.x + gap),
                          stage.min.y + static_cast<float>(i / columns) * (cell.y + gap)},
                         cell});
    return cells;
}

}  // namespace emergence
