#include "app/gui/widgets/control_walk.h"

#include <imgui_internal.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace emergence {
namespace {

struct Stop {
    std::string name;
    WidgetLog::Place place;
};

ImVec2 middle_of(const WidgetLog::Place& place) {
    return {(place.min.x + place.max.x) / 2, (place.min.y + place.max.y) / 2};
}

bool contains(const WidgetLog::Place& outer, const WidgetLog::Place& inner) {
    const ImVec2 at = middle_of(inner);
    return at.x >= outer.min.x && at.x < outer.max.x && at.y >= outer.min.y && at.y < outer.max.y;
}

// Its value is typed.
bool is_slider(const std::string& name) {
    return name == "smoothing" || name == "menu smoothing weight" || name == "scene moment";
}
// Plus and minus move it.
bool has_own_keys(const std::string& name) { return name == "pace"; }

// The controls that can be pressed now, in the order of drawing; one that is logged twice counts once.
std::vector<Stop> stops_in(const WidgetLog& log, const std::string& top) {
    const bool popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    const auto panel = log.places().find("panel " + top);
    const bool has_top = !top.empty() && panel != log.places().end() && log.drawn(panel->first);
    std::vector<Stop> stops;
    for (const auto& [name, place] : log.places()) {
        if (place.id == 0 || !place.visible || !log.drawn(name) || place.popup != popup) continue;
        if (has_own_keys(name)) continue;
        if (!popup && has_top && (place.order < panel->second.order || !contains(panel->second, place))) continue;
        stops.push_back({name, place});
    }
    std::sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.place.order < b.place.order; });
    const auto twice = [](const Stop& a, const Stop& b) { return a.place.id == b.place.id; };
    stops.erase(std::unique(stops.begin(), stops.end(), twice), stops.end());
    return stops;
}

void draw_ring(const Ui& ui, const WidgetLog::Place& place) {
    const float out = ui.px(3), wide = ui.px(2);
    const ImVec2 min(place.min.x - out, place.min.y - out), max(place.max.x + out, place.max.y + out);
    ImDrawList* list = ImGui::GetForegroundDrawList();
    list->AddRect(min, max, ui.colors.window, ui.px(5), 0, 2 * wide + ui.px(1));
    list->AddRect(min, max, ui.colors.accent, ui.px(5), 0, wide);
}

}  // namespace

void ControlWalk::move(int by) {
    on_ = true;
    steps_ += by;
}

bool ControlWalk::press() {
    if (!on_ || id_ == 0) return false;
    ImGuiContext& context = *ImGui::GetCurrentContext();
    context.NavInputSource = ImGuiInputSource_Keyboard;  // else no text begins to be typed
    context.NavNextActivateId = id_;
    context.NavNextActivateFlags = is_slider(name_) ? ImGuiActivateFlags_PreferInput : ImGuiActivateFlags_None;
    return true;
}

bool ControlWalk::leave() {
    id_ = 0;
    name_.clear();
    return std::exchange(on_, false);
}

void ControlWalk::draw(const Ui& ui, const WidgetLog& log, const std::string& top) {
    if (!on_) return;
    ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        leave();
        return;
    }
    const std::vector<Stop> stops = stops_in(log, top);
    if (stops.empty()) return;
    const auto count = static_cast<int>(stops.size());
    const auto found = std::find_if(stops.begin(), stops.end(), [&](const Stop& stop) { return stop.place.id == id_; });
    const bool known = found != stops.end();
    const int steps = std::exchange(steps_, 0);
    int at = known ? static_cast<int>(found - stops.begin()) : steps >= 0 ? -1 : 0;
    // What had the ring is gone: the first control of what is there now.
    if (!known && steps == 0) at = 0;
    at = ((at + steps) % count + count) % count;
    const Stop& stop = stops[static_cast<size_t>(at)];
    if (stop.place.id != id_) {
        // The pointer goes along: tooltips and Z speak of the same control.
        io.MousePos = middle_of(stop.place);
        io.WantSetMousePos = true;
    }
    id_ = stop.place.id;
    name_ = stop.name;
    draw_ring(ui, stop.place);
}

}  // namespace emergence
