#include "app/gui/panels/readouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

constexpr int kMostLines = 2;

// One number and where it stands, relative to the first.
struct Item {
    const Scalar* scalar = nullptr;  // null for the ellipsis
    std::string label, value;
    float x = 0.0F, width = 0.0F;
    int line = 0;
};

struct Arrangement {
    std::vector<Item> items;
    std::string left_out;  // what the ellipsis stands for, a line each
};

float line_height(const Ui& ui) { return ui.fonts.body->FontSize + ui.px(5); }

Item item_of(const Ui& ui, const Scalar& scalar) {
    Item item{&scalar, greek(scalar.label), greek(scalar_text(scalar))};
    item.width = text_size(ui.fonts.body, item.label).x + ui.px(6) + text_size(ui.fonts.body, item.value).x;
    return item;
}

Arrangement arrange(const Ui& ui, const Snapshot& snapshot, float width) {
    const float gap = ui.px(20), dots = text_size(ui.fonts.body, "…").x;
    const float room = width - ui.px(30);
    Arrangement arranged;
    float x = 0.0F;
    int line = 0;
    for (size_t i = 0; i < snapshot.scalars.size(); ++i) {
        Item item = item_of(ui, snapshot.scalars[i]);
        const bool last_line = line + 1 == kMostLines, last = i + 1 == snapshot.scalars.size();
        const float needed = item.width + (last_line && !last ? gap + dots : 0.0F);
        if (x > 0.0F && x + needed > room) {
            if (last_line) {
                for (; i < snapshot.scalars.size(); ++i)
                    arranged.left_out += fmt::format("{}{} {}", arranged.left_out.empty() ? "" : "\n",
                                                     snapshot.scalars[i].label, scalar_text(snapshot.scalars[i]));
                arranged.items.push_back({nullptr, "…", "", x, dots, line});
                break;
            }
            x = 0.0F;
            ++line;
        }
        item.x = x;
        item.line = line;
        x += item.width + gap;
        arranged.items.push_back(std::move(item));
    }
    return arranged;
}

}  // namespace

std::string scalar_text(const Scalar& scalar) {
    if (std::isnan(scalar.value)) return "–";  // not known yet
    return readout(scalar.value) + (scalar.unit.empty() ? "" : " " + scalar.unit);
}

float readouts_height(const Ui& ui, const Snapshot& snapshot, float width) {
    const Arrangement arranged = arrange(ui, snapshot, width);
    if (arranged.items.empty()) return 0.0F;
    return static_cast<float>(arranged.items.back().line + 1) * line_height(ui) + ui.px(5);
}

void draw_readouts(const Ui& ui, const Snapshot& snapshot, const Box& box, const std::string& side, bool beside_one) {
    Arrangement arranged = arrange(ui, snapshot, box.size.x);
    if (beside_one && !arranged.items.empty()) {
        const Item& last = arranged.items.back();
        const std::string whose = "of all seeds";
        const Item of_all{nullptr,  whose, "", last.x + last.width + ui.px(20), text_size(ui.fonts.body, whose).x,
                          last.line};
        if (of_all.x + of_all.width <= box.size.x - ui.px(30)) arranged.items.push_back(of_all);
    }
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (const Item& item : arranged.items) {
        const ImVec2 at(box.min.x + ui.px(16) + item.x, box.min.y + static_cast<float>(item.line) * line_height(ui));
        draw_text(list, ui.fonts.body, at, ui.colors.muted, item.label);
        draw_text(list, ui.fonts.body, {at.x + item.width - text_size(ui.fonts.body, item.value).x, at.y},
                  ui.colors.text, item.value);
        ImGui::SetCursorScreenPos(at);
        const std::string name = item.scalar != nullptr ? item.scalar->name : item.label == "…" ? "others" : "whose";
        ImGui::PushID(name.c_str());
        ImGui::InvisibleButton("readout", {std::max(1.0F, item.width), line_height(ui)});
        log_item(ui, (side + "readout " + name).c_str());
        explain_item(ui, item.scalar != nullptr ? item.scalar->help : name == "others" ? arranged.left_out : "");
        ImGui::PopID();
    }
}

}  // namespace emergence
