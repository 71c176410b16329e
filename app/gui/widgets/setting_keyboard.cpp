#include "app/gui/widgets/setting_keyboard.h"

#include <algorithm>
#include <utility>

namespace emergence {

void FieldEditing::begin_frame() {
    last_order_ = std::exchange(order_, {});
    const auto drawn = [this](ImGuiID id) {
        return std::find(last_order_.begin(), last_order_.end(), id) != last_order_.end();
    };
    // A click elsewhere takes the keys away; so does the field's panel being gone.
    if ((clicked_ && !claimed_) || (focused_ != 0 && !drawn(focused_))) leave();
    if (held_ != 0 && !drawn(held_)) forget_click();
    clicked_ = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    claimed_ = false;
    if (focused_ == 0) {
        steps_ = 0;
        type_wanted_ = reset_wanted_ = false;
    }
}

void FieldEditing::move(int by) {
    if (last_order_.empty() && order_.empty()) return;
    const std::vector<ImGuiID>& order = order_.empty() ? last_order_ : order_;
    const auto count = static_cast<int>(order.size());
    const auto found = std::find(order.begin(), order.end(), focused_);
    int index = by > 0 ? 0 : count - 1;
    if (found != order.end()) index = (static_cast<int>(found - order.begin()) + by + count) % count;
    focus(order[static_cast<size_t>(index)]);
    moved_ = true;
}

bool FieldEditing::leave() {
    const bool had = focused_ != 0 || typing_ != 0 || refused_ != 0;
    focused_ = typing_ = refused_ = 0;
    return had;
}

bool FieldEditing::enlist(ImGuiID id) {
    order_.push_back(id);
    return id == focused_;
}

void FieldEditing::focus(ImGuiID id) {
    if (id != typing_) typing_ = 0;
    if (id != refused_) refused_ = 0;
    focused_ = id;
    claimed_ = true;
}

void FieldEditing::start_typing(ImGuiID id, const std::string& text) {
    focus(id);
    forget_click();
    typing_ = id;
    refused_ = 0;
    text_ = text;
    started_ = true;
}

void FieldEditing::stop_typing() { typing_ = refused_ = 0; }

void FieldEditing::refuse(const std::string& sentence) {
    refused_ = focused_;
    refusal_ = sentence;
}

void FieldEditing::hold_click(ImGuiID id, const FieldValue& value) {
    const ImGuiIO& io = ImGui::GetIO();
    held_ = id;
    held_value_ = value;
    // A double click is counted from press to press.
    held_until_ = io.MouseClickedTime[ImGuiMouseButton_Left] + static_cast<double>(io.MouseDoubleClickTime);
}

std::optional<FieldValue> FieldEditing::take_click(ImGuiID id) {
    if (held_ == 0 || held_ != id) return std::nullopt;
    // A press elsewhere cannot be the second of a double click.
    const bool pressed = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    const bool second = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    if (second || (!pressed && ImGui::GetTime() <= held_until_)) return std::nullopt;
    held_ = 0;
    return held_value_;
}

std::optional<FieldValue> FieldEditing::held_click(ImGuiID id) const {
    if (held_ == 0 || held_ != id) return std::nullopt;
    return held_value_;
}

int FieldEditing::take_steps() { return std::exchange(steps_, 0); }

}  // namespace emergence
