#include "app/gui/shell/layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace emergence {
namespace {

// Lengths of the 1600 x 1000 design.
constexpr float kGap = 8.0F;
constexpr float kHeading = 22.0F;
constexpr float kStatus = 38.0F;
constexpr float kEmergedWidth = 86.0F;
constexpr float kLeastEmerged = 72.0F;
constexpr float kLeastMatrices = 220.0F;
constexpr float kScene = 390.0F;
constexpr float kLeastScene = 230.0F;
constexpr float kLeastCurves = 180.0F;
constexpr float kLeastLeft = 226.0F;
constexpr float kLeastMiddle = 380.0F;
constexpr float kLeastRight = 340.0F;

// Widths or heights that someone chose (0: nobody did) within what is possible. Where nothing is possible the
// smallest wins, and the neighbour suffers.
float choose(float chosen, float standard, float smallest, float largest) {
    const float wanted = chosen > 0.0F ? chosen : standard;
    return std::round(std::max(smallest, std::min(wanted, largest)));
}

class Builder {
  public:
    explicit Builder(const LayoutRequest& request)
        : r_(request),
          gap_(px(kGap)),
          inside_{{gap_, gap_}, {r_.window.x - 2 * gap_, r_.window.y - 2 * gap_}} {}

    Layout build() {
        if (!r_.presenting) place_status();
        const bool enlarges = r_.enlarged && (r_.matrices || *r_.enlarged != PanelName::matrices);
        if (r_.presenting && !enlarges)
            place_presentation();
        else if (enlarges)
            place_enlarged(*r_.enlarged);
        else
            place_columns();
        return std::move(layout_);
    }

  private:
    float px(float length) const { return std::round(length * r_.scale); }

    // Takes a strip of this height from the bottom of what is left.
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

    float strip_more(const Box& room) const {
        return r_.strip_more ? std::round(r_.strip_more(room.size.x)) : 0.0F;
    }

    void place_status() { layout_.status = take_bottom(inside_, px(kStatus)); }

    void place_banner(Box& from) {
        const float height = r_.banner_height ? std::round(r_.banner_height(from.size.x)) : 0.0F;
        layout_.banner = {from.min, {from.size.x, 0.0F}};
        if (height > 0.0F) layout_.banner = take_top(from, std::min(height, std::round(0.4F * from.size.y)));
    }

    void place_timeline(Box& from) {
        layout_.timeline = {from.min, {from.size.x, 0.0F}};
        if (r_.timeline_height > 0.0F) layout_.timeline = take_bottom(from, r_.timeline_height);
    }

    // A panel with a heading; what is below it becomes `content`.
    void place_frame(PanelName name, const Box& whole, Box& content) {
        const float heading = px(kHeading);
        layout_.frames.push_back({name, whole, {whole.min, {whole.size.x, heading}}});
        content = {{whole.min.x, whole.min.y + heading}, {whole.size.x, whole.size.y - heading}};
    }

    Box& content_of(PanelName name) {
        if (name == PanelName::settings) return layout_.settings;
        if (name == PanelName::scene) return layout_.scene;
        return name == PanelName::matrices ? layout_.matrices : layout_.curves;
    }

    void place_enlarged(PanelName name) {
        place_banner(inside_);
        place_timeline(inside_);
        place_frame(name, inside_, content_of(name));
    }

    void place_columns() {
        const float width = r_.window.x;
        const float least_right = px(kLeastRight);
        const float most_left = width - least_right - px(kLeastMiddle) - 4 * gap_;
        const float left = choose(r_.splits.left * r_.scale, std::clamp(0.185F * width, px(236), px(300)),
                                  px(kLeastLeft), most_left);
        const float most_right = width - left - px(kLeastMiddle) - 4 * gap_;
        const float right = choose(r_.splits.right * r_.scale, std::clamp(0.30F * width, px(345), px(620)),
                                   least_right, most_right);

        Box column = take_left(inside_, left);
        add_splitter(inside_, true, &Splits::left, column.min.x, 1.0F, {px(kLeastLeft), most_left});
        layout_.transport = take_top(column, r_.transport_height);
        place_frame(PanelName::settings, column, layout_.settings);

        Box rest = inside_;
        place_banner(rest);
        place_timeline(rest);
        if (!r_.matrices) {
            layout_.emerged = take_top(rest, px(kEmergedWidth) + strip_more(rest));
            place_curves(rest);
            return;
        }
        Box middle = take_left(rest, rest.size.x - right - gap_);
        add_splitter(rest, true, &Splits::right, rest.max().x, -1.0F, {least_right, most_right});
        place_middle(middle);
        place_curves(rest);
    }

    void place_middle(Box middle) {
        const float top = middle.min.y;
        const float most = middle.size.y - px(kLeastMatrices) - gap_;
        const float more = strip_more(middle);
        const float least = px(kLeastEmerged) + more;
        layout_.emerged =
            take_top(middle, choose(r_.splits.emerged * r_.scale, px(kEmergedWidth) + more, least, most));
        add_splitter(middle, false, &Splits::emerged, top, 1.0F, {least, most});
        place_frame(PanelName::matrices, middle, layout_.matrices);
    }

    // The curves, below them the drawn world where there is one.
    void place_curves(Box column) {
        if (r_.scene) {
            const float bottom = column.max().y, least = px(kLeastScene);
            const float most = std::max(least, column.size.y - px(kLeastCurves) - gap_);
            // What a scene asks for leaves the curves their part.
            const float asked = std::min(px(r_.scene_height), std::round(0.58F * column.size.y));
            const Box scene = take_bottom(
                column, choose(r_.splits.scene * r_.scale, std::max(px(kScene), asked), least, most));
            add_splitter(scene, false, &Splits::scene, bottom, -1.0F, {least, most});
            place_frame(PanelName::scene, scene, layout_.scene);
        }
        place_frame(PanelName::curves, column, layout_.curves);
    }

    // Matrices to the left, large; curves to the right; nothing that is operated.
    void place_presentation() {
        place_banner(inside_);
        if (!r_.matrices) {
            layout_.emerged = take_top(inside_, px(kEmergedWidth) + strip_more(inside_));
            present_curves();
            return;
        }
        Box left = take_left(inside_, std::round(0.60F * inside_.size.x));
        layout_.emerged = take_top(left, px(kEmergedWidth) + strip_more(left));
        layout_.matrices = left;
        present_curves();
    }

    void present_curves() {
        if (r_.scene) layout_.scene = take_bottom(inside_, std::round(0.48F * inside_.size.y));
        layout_.curves = inside_;
    }

    // The gap before `after`: to its left, or above it.
    void add_splitter(const Box& after, bool upright, float Splits::*length, float origin, float sign,
                      std::pair<float, float> limits) {
        Splitter splitter;
        splitter.box = upright ? Box{{after.min.x - gap_, after.min.y}, {gap_, after.size.y}}
                               : Box{{after.min.x, after.min.y - gap_}, {after.size.x, gap_}};
        splitter.upright = upright;
        splitter.length = length;
        splitter.origin = origin;
        splitter.sign = sign;
        splitter.minimum = limits.first;
        splitter.maximum = std::max(limits.first, limits.second);
        layout_.splitters.push_back(splitter);
    }

    const LayoutRequest& r_;
    float gap_;
    Box inside_;  // what is left to be given away
    Layout layout_;
};

}  // namespace

std::vector<Box> Layout::all() const {
    std::vector<Box> boxes;
    for (const Box& box : {transport, banner, emerged, timeline, status})
        if (box.shown()) boxes.push_back(box);
    const std::array<std::pair<PanelName, Box>, 4> framed = {{{PanelName::settings, settings},
                                                              {PanelName::matrices, matrices},
                                                              {PanelName::scene, scene},
                                                              {PanelName::curves, curves}}};
    for (const auto& [name, box] : framed) {
        if (!box.shown()) continue;
        const auto frame = std::find_if(frames.begin(), frames.end(),
                                        [name = name](const Frame& f) { return f.name == name; });
        boxes.push_back(frame == frames.end() ? box : frame->whole);
    }
    return boxes;
}

Layout make_layout(const LayoutRequest& request) { return Builder(request).build(); }

}  // namespace emergence
