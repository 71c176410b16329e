#include "app/gui/widgets/setting_control.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/widgets/field_words.h"
#include "app/gui/widgets/text.h"
#include "core/base/error.h"
#include "core/base/ranges.h"

namespace emergence {
void FieldEditing::begin_frame() {
    last_order_ = std::exchange(order_, {});
    const auto drawn = [this](ImGuiID id) { return contains(last_order_, id); };
    // A click elsewhere takes the keys away, and so does closing the field's panel.
    if ((clicked_ && !claimed_) || (focused_ != 0 && !drawn(focused_))) leave();
    clicked_ = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    claimed_ = false;
    if (focused_ == 0) wanted_ = {.moved = wanted_.moved};
}

void FieldEditing::move(int by) {
    if (last_order_.empty() && order_.empty()) return;
    const std::vector<ImGuiID>& order = order_.empty() ? last_order_ : order_;
    const auto count = static_cast<int>(order.size());
    const auto found = std::find(order.begin(), order.end(), focused_);
    int index = by > 0 ? 0 : count - 1;
    if (found != order.end()) index = (static_cast<int>(found - order.begin()) + by + count) % count;
    focus(order[static_cast<size_t>(index)]);
    wanted_.moved = true;
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

namespace {

// Beyond this many values a pixel of a slider stands for too many of them, so they are typed.
constexpr double kWidestSlider = 1e5;

bool has_slider(const FieldInfo& info) {
    return is_numeric(info) && (info.logarithmic || info.maximum - info.minimum <= kWidestSlider);
}

bool has_choices(const FieldInfo& info) { return !info.choices.empty(); }

FieldValue as_field(const FieldInfo& info, double number) {
    if (std::holds_alternative<int64_t>(info.default_value)) return static_cast<int64_t>(std::llround(number));
    return number;
}

// One field in one frame.
struct Control {
    const Ui& ui;
    const FieldInfo& info;
    const FieldValue& value;
    ImGuiID id;
    ImVec2 size;
    const FieldRange* range;  // may be null
    FieldEditing& editing() const { return *ui.editing; }
};

float knob_width(const Ui& ui) { return ui.px(8); }

// A track with a knob along the lower edge of the last item, below the number.
void draw_slider_track(const Ui& ui, float share) {
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const float knob = knob_width(ui) / 2;
    const float at = std::round(min.x + knob + (max.x - min.x - 2 * knob) * share);
    const bool held = ImGui::IsItemActive() || ImGui::IsItemHovered();
    const ImU32 color = with_alpha(ui.colors.accent, held ? 1.0F : 0.85F);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled({min.x, max.y - ui.px(3)}, {at, max.y}, color, ui.px(2), ImDrawFlags_RoundCornersBottomLeft);
    list->AddRectFilled({at - knob, max.y - ui.px(6)}, {at + knob, max.y + ui.px(1)}, color, ui.px(2));
}

// A pencil at the right end of the last item, or at the left one if the knob, at `share`, is there. A click on it begins to
// type. True if it was clicked.
bool draw_pencil(const Control& c, float share) {
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const float side = c.ui.px(16), knob = knob_width(c.ui);
    const bool left = min.x + knob + (max.x - min.x - knob) * share > max.x - side;
    const ImVec2 mouse = ImGui::GetMousePos();
    const bool over = left ? mouse.x < min.x + side : mouse.x >= max.x - side;
    const ImU32 color = over ? c.ui.colors.accent : c.ui.colors.muted;
    const ImVec2 tip(left ? min.x + c.ui.px(5) : max.x - c.ui.px(13), (min.y + max.y) / 2 + c.ui.px(3));
    const ImVec2 end(tip.x + c.ui.px(7), tip.y - c.ui.px(7));
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddLine(tip, end, color, 2.5F * c.ui.scale);
    list->AddTriangleFilled({tip.x - c.ui.px(2), tip.y + c.ui.px(2)}, {tip.x - c.ui.px(1), tip.y - c.ui.px(2)},
                            {tip.x + c.ui.px(2), tip.y + c.ui.px(1)}, color);
    return over && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
}

// The shaded range of the slider.
void draw_field_range(const Control& c, ImVec2 min, ImVec2 max) {
    const float knob = knob_width(c.ui) / 2;
    const auto at = [&](double value) {
        return min.x + knob + (max.x - min.x - 2 * knob) * static_cast<float>(share_of(c.info, value));
    };
    const float left = at(c.range->from) - knob, right = at(c.range->to) + knob;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled({left, min.y}, {right, max.y}, with_alpha(c.ui.colors.good, 0.28F),
                        ImGui::GetStyle().FrameRounding);
    for (const float x : {left, right}) list->AddLine({x, min.y}, {x, max.y}, with_alpha(c.ui.colors.good, 0.8F), 1.0F);
}

// The box with the value, an invisible button.
void draw_box(const Control& c, const std::string& text) {
    ImGui::InvisibleButton("##control", c.size);
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const bool held = ImGui::IsItemActive() || ImGui::IsItemHovered();
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(min, max, held ? c.ui.colors.hovered : c.ui.colors.control, ImGui::GetStyle().FrameRounding);
    if (c.range != nullptr && has_slider(c.info)) draw_field_range(c, min, max);
    const std::string shown = elided(c.ui.fonts.body, text, c.size.x - c.ui.px(8));
    draw_text_placed(list, c.ui.fonts.body, {(min.x + max.x) / 2, (min.y + max.y) / 2}, Placed::centre,
                     c.ui.colors.text, shown);
}

// The slider's value under the pointer; near a single marked number, that number.
FieldValue under_pointer(const Control& c) {
    const float knob = knob_width(c.ui) / 2;
    const float left = ImGui::GetItemRectMin().x + knob;
    const float length = std::max(1.0F, ImGui::GetItemRectSize().x - 2 * knob);
    if (c.range != nullptr && c.range->from == c.range->to) {
        const float marked = left + length * static_cast<float>(share_of(c.info, c.range->from));
        if (std::abs(ImGui::GetMousePos().x - marked) <= knob + c.ui.px(3)) return as_field(c.info, c.range->from);
    }
    const double share = static_cast<double>((ImGui::GetMousePos().x - left) / length);
    return as_field(c.info, value_at(c.info, share, static_cast<double>(length)));
}

// A press alone changes nothing, because it may begin a drag.
std::optional<FieldValue> edit_number(const Control& c) {
    const bool slides = has_slider(c.info);
    draw_box(c, shown_value(c.value));
    const bool pressed = ImGui::IsItemActivated();
    const bool active = ImGui::IsItemActive();
    const bool released = ImGui::IsItemDeactivated() && ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    const float share = slides ? static_cast<float>(share_of(c.info, as_number(c.value))) : 0.0F;
    if (slides) draw_slider_track(c.ui, share);
    const bool on_pencil = (ImGui::IsItemHovered() || active) && draw_pencil(c, share);
    if (pressed) c.editing().focus(c.id);
    if (on_pencil || (pressed && (ImGui::GetIO().KeyCtrl || !slides))) {
        c.editing().start_typing(c.id, to_text(c.value));
        return std::nullopt;
    }
    if (!slides || c.editing().typing(c.id)) return std::nullopt;
    const bool dragged = ImGui::IsMouseDragPastThreshold(ImGuiMouseButton_Left, c.ui.px(3));
    if (dragged ? active : released) return under_pointer(c);
    return std::nullopt;
}

std::optional<FieldValue> edit_flag(const Control& c) {
    bool value = std::get<bool>(c.value);
    const bool pressed = ImGui::Checkbox("##control", &value);
    if (ImGui::IsItemActivated()) c.editing().focus(c.id);
    if (pressed) return value;
    return std::nullopt;
}

std::optional<FieldValue> edit_choice(const Control& c) {
    std::optional<FieldValue> chosen;
    const auto& value = std::get<std::string>(c.value);
    ImGui::SetNextItemWidth(c.size.x);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float indent = ImGui::GetStyle().FramePadding.x;
    ImDrawList* list = ImGui::GetWindowDrawList();  // the row's, not the list's
    const bool open = ImGui::BeginCombo("##control", "");
    const std::string shown = greek(value_in_words(c.info, value));
    const bool fits = text_size(c.ui.fonts.body, shown).x <= c.size.x - c.size.y - 2 * indent;
    const ImFont* font = fits ? c.ui.fonts.body : c.ui.fonts.small;
    draw_text_placed(list, font, {at.x + indent, at.y + c.size.y / 2}, Placed::left, ImGui::GetColorU32(ImGuiCol_Text),
                     shown);
    if (ImGui::IsItemActivated()) c.editing().focus(c.id);
    if (!open) return std::nullopt;
    for (const std::string& choice : c.info.choices)
        if (ImGui::Selectable(greek(value_in_words(c.info, choice)).c_str(), choice == value) && choice != value)
            chosen = choice;
    ImGui::EndCombo();
    return chosen;
}

std::optional<FieldValue> edit_text(const Control& c) {
    draw_box(c, std::get<std::string>(c.value));
    if (ImGui::IsItemActivated()) c.editing().start_typing(c.id, to_text(c.value));
    return std::nullopt;
}

// The typed value if it is allowed; otherwise ui.editing keeps the reason.
std::optional<FieldValue> take_typed(const Control& c, bool stay) {
    try {
        FieldValue typed = parse_value(c.info, c.editing().text());
        c.editing().stop_typing();
        return typed;
    } catch (const std::runtime_error& error) {
        if (stay)
            c.editing().start_typing(c.id, c.editing().text());
        else
            c.editing().stop_typing();
        c.editing().refuse(with_labels(error.what(), {c.info}));
        return std::nullopt;
    }
}

std::optional<FieldValue> type_into(const Control& c) {
    FieldEditing& editing = c.editing();
    ImGui::SetNextItemWidth(c.size.x);
    if (editing.take_started()) ImGui::SetKeyboardFocusHere();
    const bool entered = ImGui::InputText("##typed", &editing.text(),
                                          ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_EnterReturnsTrue);
    if (entered) return take_typed(c, true);
    const bool tab = ImGui::IsItemActive() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Tab));
    if (!tab && !ImGui::IsItemDeactivated()) return std::nullopt;
    if (!tab && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) {
        editing.stop_typing();
        return std::nullopt;
    }
    const std::optional<FieldValue> typed = take_typed(c, tab);
    if (tab && typed) {
        editing.move(ImGui::GetIO().KeyShift ? -1 : 1);
        editing.type();
    }
    return typed;
}

std::optional<FieldValue> obey_keys(const Control& c) {
    FieldEditing& editing = c.editing();
    const FieldEditing::Wanted wanted = editing.take_wanted();
    if (wanted.moved) ImGui::SetScrollHereY(0.5F);
    if (wanted.reset) return c.info.default_value;
    if (wanted.type) {
        if (std::holds_alternative<bool>(c.value)) return !std::get<bool>(c.value);
        if (!has_choices(c.info)) editing.start_typing(c.id, to_text(c.value));
    }
    if (wanted.steps == 0) return std::nullopt;
    return stepped(c.info, c.value, wanted.steps);
}

void draw_focus(const Ui& ui) {
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const float out = ui.px(1);
    ImGui::GetWindowDrawList()->AddRect({min.x - out, min.y - out}, {max.x + out, max.y + out}, ui.colors.accent,
                                        ImGui::GetStyle().FrameRounding, 0, 1.5F * ui.scale);
}

}  // namespace

bool is_numeric(const FieldValue& value) {
    return std::holds_alternative<int64_t>(value) || std::holds_alternative<double>(value);
}

bool is_numeric(const FieldInfo& info) { return is_numeric(info.default_value); }

double as_number(const FieldValue& value) {
    if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
    return std::get<double>(value);
}

std::optional<FieldValue> edit_field(const Ui& ui, const FieldInfo& info, const FieldValue& value, ImVec2 size,
                                     const FieldRange* range) {
    const Control c{ui, info, value, ImGui::GetID("field"), size, range};
    const bool has_keys = c.editing().enlist(c.id);
    std::optional<FieldValue> by_key;
    if (has_keys) by_key = obey_keys(c);
    std::optional<FieldValue> chosen;
    if (c.editing().typing(c.id))
        chosen = type_into(c);
    else if (is_numeric(c.info))
        chosen = edit_number(c);
    else if (std::holds_alternative<bool>(c.value))
        chosen = edit_flag(c);
    else
        chosen = has_choices(c.info) ? edit_choice(c) : edit_text(c);
    if (has_keys && !c.editing().typing(c.id)) draw_focus(c.ui);
    if (by_key) chosen = by_key;
    if (chosen && *chosen == c.value) chosen.reset();
    if (chosen && !c.editing().typing(c.id)) c.editing().stop_typing();
    return chosen;
}

}  // namespace emergence
