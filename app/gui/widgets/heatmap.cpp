#include "app/gui/widgets/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/text.h"
#include "app/gui/widgets/texture.h"
#include "core/runtime/axis.h"

namespace emergence {
namespace {

constexpr int kBarSteps = 65;  // colour steps of the colour bar

struct HeatmapFrame {
    ImVec2 min, max;              // the whole widget
    ImVec2 cells_min, cells_max;  // the matrix
    float cell = 1.0F;            // pixels
    float note_height = 0.0F;
};

float label_margin(const Ui& ui, const std::vector<Block>& blocks) {
    float widest = 0.0F;
    for (const Block& block : blocks)
        widest = std::max(widest, text_size(ui.fonts.small, greek(block.label)).x);
    return widest + ui.px(8);
}

// What stands right of the matrix: norm strip, colour bar, its numbers. As wide with a norm as without, so
// that what was learned and what theory expects are drawn in the same size.
float bar_width(const Ui& ui, const HeatmapSpec& spec) {
    // Room for four digits below 0.1 always: the picture must not change its size with every number.
    const float number = std::max(text_size(ui.fonts.small, "−0.00000").x,
                                  text_size(ui.fonts.small, fmt::format("−{}", readout(spec.limit))).x);
    return ui.px(10) + ui.px(8) + ui.px(10) + ui.px(12) + ui.px(5) + number;
}

HeatmapFrame lay_out(const Ui& ui, const HeatmapSpec& spec, ImVec2 size) {
    HeatmapFrame frame;
    frame.min = ImGui::GetCursorScreenPos();
    frame.max = {frame.min.x + size.x, frame.min.y + size.y};
    const float line = ui.fonts.small->FontSize;
    frame.note_height = spec.note.empty() ? 0.0F : 2 * line + ui.px(8);
    const float top = ui.fonts.bold->FontSize + ui.px(5) + line + ui.px(4);
    const float left = label_margin(ui, spec.row_blocks);
    const float room_x = size.x - left - bar_width(ui, spec);
    const float room_y = size.y - top - frame.note_height;
    const auto rows = static_cast<float>(std::max(1, spec.values.rows));
    const auto columns = static_cast<float>(std::max(1, spec.values.columns));
    frame.cell = std::max(1.0F, std::min(room_x / columns, room_y / rows));
    // Whole pixels a cell look even, as long as they do not waste the room of a large matrix.
    if (frame.cell > 8.0F) frame.cell = std::floor(frame.cell);
    const float spare = std::max(0.0F, room_x - frame.cell * columns);
    frame.cells_min = {std::round(frame.min.x + left + spare / 2), std::round(frame.min.y + top)};
    frame.cells_max = {std::round(frame.cells_min.x + frame.cell * columns),
                       std::round(frame.cells_min.y + frame.cell * rows)};
    return frame;
}

void draw_blocks(const Ui& ui, ImDrawList* list, const HeatmapSpec& spec, const HeatmapFrame& frame) {
    const ImU32 border = with_alpha(ui.colors.text, 0.75F);
    const auto edge = [&](float start, int index) {
        return std::round(start + frame.cell * static_cast<float>(index));
    };
    int row = 0;
    for (const Block& block : spec.row_blocks) {
        const float y0 = edge(frame.cells_min.y, row);
        const float y1 = edge(frame.cells_min.y, row + block.size);
        if (row > 0) list->AddLine({frame.cells_min.x, y0}, {frame.cells_max.x, y0}, border, ui.px(1));
        draw_text_placed(list, ui.fonts.small, {frame.cells_min.x - ui.px(6), (y0 + y1) / 2}, Placed::end,
                         Placed::middle, ui.colors.text, greek(block.label));
        row += block.size;
    }
    int column = 0;
    for (const Block& block : spec.column_blocks) {
        const float x0 = edge(frame.cells_min.x, column);
        const float x1 = edge(frame.cells_min.x, column + block.size);
        if (column > 0) list->AddLine({x0, frame.cells_min.y}, {x0, frame.cells_max.y}, border, ui.px(1));
        draw_text_placed(list, ui.fonts.small, {(x0 + x1) / 2, frame.cells_min.y - ui.px(3)}, Placed::middle,
                         Placed::end, ui.colors.text, greek(block.label));
        column += block.size;
    }
    list->AddRect(frame.cells_min, frame.cells_max, border);
}

void draw_color_bar(const Ui& ui, ImDrawList* list, const HeatmapSpec& spec, const HeatmapFrame& frame) {
    const float x0 = frame.cells_max.x + ui.px(28);
    const float x1 = x0 + ui.px(12);
    const float y0 = frame.cells_min.y;
    const float height = frame.cells_max.y - y0;
    const auto at = [&](double share) { return std::round(y0 + height * static_cast<float>(share)); };
    for (int i = 0; i < kBarSteps; ++i) {
        const double value = 1.0 - 2.0 * (i + 0.5) / kBarSteps;
        list->AddRectFilled({x0, at(static_cast<double>(i) / kBarSteps)},
                            {x1, at(static_cast<double>(i + 1) / kBarSteps)}, cell_color(ui.theme, value));
    }
    list->AddRect({x0, y0}, {x1, frame.cells_max.y}, with_alpha(ui.colors.axis, 0.8F));
    const float text_x = x1 + ui.px(5);
    draw_text_placed(list, ui.fonts.small, {text_x, y0 - ui.px(2)}, Placed::start, Placed::start,
                     ui.colors.muted, fmt::format("+{}", readout(spec.limit)));
    draw_text_placed(list, ui.fonts.small, {text_x, at(0.5)}, Placed::start, Placed::middle, ui.colors.muted,
                     "0");
    draw_text_placed(list, ui.fonts.small, {text_x, frame.cells_max.y + ui.px(2)}, Placed::start, Placed::end,
                     ui.colors.muted, fmt::format("−{}", readout(spec.limit)));
}

// A thermometer of the matrix' length: a scaled picture shows initial noise in full colour, this tells it
// apart.
void draw_norm_strip(const Ui& ui, ImDrawList* list, const HeatmapSpec& spec, HeatmapState& state,
                     const HeatmapFrame& frame) {
    if (!spec.norm) return;
    const double top = state.norm_top(spec);
    const float x0 = frame.cells_max.x + ui.px(10);
    const float x1 = x0 + ui.px(8);
    const float y1 = frame.cells_max.y;
    const float height = y1 - frame.cells_min.y;
    const auto at = [&](double norm) {
        const double share = top > 0.0 ? std::clamp(norm / top, 0.0, 1.0) : 0.0;
        return std::round(y1 - height * static_cast<float>(share));
    };
    list->AddRectFilled({x0, frame.cells_min.y}, {x1, y1}, ui.colors.control);
    if (std::isfinite(*spec.norm)) list->AddRectFilled({x0, at(*spec.norm)}, {x1, y1}, ui.colors.muted);
    const float mark = at(spec.norm_reference);
    list->AddLine({x0 - ui.px(2), mark}, {x1 + ui.px(2), mark}, ui.colors.text, ui.px(2));
    draw_text_placed(list, ui.fonts.small, {frame.max.x - ui.px(2), frame.min.y + ui.fonts.bold->FontSize},
                     Placed::end, Placed::end, ui.colors.muted,
                     fmt::format("norm {:.3g}, at the start {:.2g}", *spec.norm, spec.norm_reference));
}

void draw_note(const Ui& ui, ImDrawList* list, const HeatmapSpec& spec, const HeatmapFrame& frame) {
    if (spec.note.empty()) return;
    const ImFont* font = ui.fonts.small;
    const std::string text = greek(spec.note);
    const ImVec2 at(frame.min.x, frame.cells_max.y + ui.px(6));
    const float width = frame.max.x - frame.min.x - ui.px(6);
    list->PushClipRect(at, {frame.max.x, at.y + 2 * font->FontSize + ui.px(1)}, true);
    list->AddText(font, font->FontSize, at, ui.colors.muted, text.data(), text.data() + text.size(), width);
    list->PopClipRect();
}

std::optional<CellPosition> cell_at(const HeatmapSpec& spec, const HeatmapFrame& frame, ImVec2 point) {
    const CellPosition cell{static_cast<int>(std::floor((point.y - frame.cells_min.y) / frame.cell)),
                            static_cast<int>(std::floor((point.x - frame.cells_min.x) / frame.cell))};
    if (cell.row < 0 || cell.row >= spec.values.rows || cell.column < 0 || cell.column >= spec.values.columns)
        return std::nullopt;
    return cell;
}

void frame_cell(const Ui& ui, ImDrawList* list, const HeatmapFrame& frame, CellPosition cell) {
    const ImVec2 a(std::round(frame.cells_min.x + frame.cell * static_cast<float>(cell.column)),
                   std::round(frame.cells_min.y + frame.cell * static_cast<float>(cell.row)));
    const ImVec2 b(std::round(a.x + frame.cell), std::round(a.y + frame.cell));
    list->AddRect(a, b, ui.colors.panel, 0.0F, ImDrawFlags_None, ui.px(4));
    list->AddRect(a, b, ui.colors.text, 0.0F, ImDrawFlags_None, ui.px(2));
}

void draw_readout(const Ui& ui, const HeatmapSpec& spec, const HeatmapResponse& response,
                  const HeatmapContext& context) {
    ImGui::BeginTooltip();
    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted(readout(response.value).c_str());
    ImGui::PopFont();
    const CellPosition cell = *response.hovered;
    if (context.companion != nullptr && context.companion->values.rows == spec.values.rows &&
        context.companion->values.columns == spec.values.columns) {
        ImGui::SameLine();
        ImGui::TextDisabled("%s %s", context.companion_name.c_str(),
                            readout(context.companion->values(cell.row, cell.column)).c_str());
    }
    ImGui::TextUnformatted(greek(response.row_text).c_str());
    ImGui::TextUnformatted(greek(response.column_text).c_str());
    ImGui::EndTooltip();
}

void explain_picture(const Ui& ui, const HeatmapSpec& spec, const HeatmapContext& context) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ui.px(380));
    if (!context.help.empty()) ImGui::TextUnformatted(greek(context.help).c_str());
    if (!spec.note.empty()) ImGui::TextDisabled("%s", greek(spec.note).c_str());
    if (spec.norm)
        ImGui::TextDisabled("Frobenius norm before scaling: %s, at the start %s (the mark on the strip).",
                            readout(*spec.norm).c_str(), readout(spec.norm_reference).c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

}  // namespace

ImTextureID HeatmapState::texture(const Ui& ui, const HeatmapSpec& spec) {
    if (uploaded_ && theme_ == ui.theme) return texture_;
    std::vector<ImU32> pixels;
    pixels.reserve(spec.values.values.size());
    for (const double value : spec.values.values)
        pixels.push_back(cell_color(ui.theme, spec.limit > 0.0 ? value / spec.limit : 0.0));
    texture_ = ui.textures->upload(texture_, spec.values.columns, spec.values.rows, pixels);
    uploaded_ = true;
    theme_ = ui.theme;
    return texture_;
}

double HeatmapState::norm_top(const HeatmapSpec& spec) {
    if (spec.norm_reference != norm_reference_) norm_top_ = 0.0;  // another run
    norm_reference_ = spec.norm_reference;
    norm_top_ = std::max(norm_top_, 2.0 * norm_reference_);
    if (spec.norm && std::isfinite(*spec.norm)) norm_top_ = std::max(norm_top_, 1.05 * *spec.norm);
    return norm_top_;
}

std::string block_text(const std::vector<Block>& blocks, int index) {
    for (const Block& block : blocks) {
        if (index < block.size)
            return block.size == 1 ? block.label
                                   : fmt::format("{}, {} of {}", block.label, index + 1, block.size);
        index -= block.size;
    }
    return "";
}

HeatmapResponse draw_heatmap(const Ui& ui, const HeatmapSpec& spec, HeatmapState& state, ImVec2 size,
                             const HeatmapContext& context) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const HeatmapFrame frame = lay_out(ui, spec, size);
    list->PushClipRect(frame.min, frame.max, true);
    draw_text(list, ui.fonts.bold, frame.min, ui.colors.text,
              elided(ui.fonts.bold, greek(spec.title), size.x));
    if (!spec.values.values.empty())
        list->AddImage(state.texture(ui, spec), frame.cells_min, frame.cells_max);
    draw_blocks(ui, list, spec, frame);
    draw_color_bar(ui, list, spec, frame);
    draw_norm_strip(ui, list, spec, state, frame);
    draw_note(ui, list, spec, frame);

    HeatmapResponse response;
    response.cells_min = frame.cells_min;
    response.cells_max = frame.cells_max;
    ImGui::PushID(spec.id.c_str());
    ImGui::InvisibleButton("heatmap", size);
    log_item(ui, ("heatmap " + spec.id).c_str());
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    if (hovered) response.hovered = cell_at(spec, frame, ImGui::GetIO().MousePos);
    if (response.hovered) {
        const CellPosition cell = *response.hovered;
        response.value = spec.values(cell.row, cell.column);
        response.row_text = fmt::format("row {}: {}", cell.row + 1, block_text(spec.row_blocks, cell.row));
        response.column_text =
            fmt::format("column {}: {}", cell.column + 1, block_text(spec.column_blocks, cell.column));
        frame_cell(ui, list, frame, cell);
        draw_readout(ui, spec, response, context);
    } else if (context.highlight) {
        frame_cell(ui, list, frame, *context.highlight);
    }
    if (hovered && ImGui::GetIO().MousePos.y < frame.cells_min.y - ui.fonts.small->FontSize)
        explain_picture(ui, spec, context);
    list->PopClipRect();
    return response;
}

}  // namespace emergence
