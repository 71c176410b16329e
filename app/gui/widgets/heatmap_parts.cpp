#include "app/gui/widgets/heatmap_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/gui/widgets/strokes.h"
#include "app/gui/widgets/text.h"
#include "core/pictures/axis.h"
#include "core/pictures/color_limits.h"
#include "core/pictures/hatching.h"
#include "core/pictures/label_placement.h"

namespace emergence {
namespace {

constexpr int kBarSteps = 65;  // colour steps of the colour bar

// What a number beside the cells takes of their side.
float step_between(const Ui& ui, bool upright) {
    return upright ? 1.2F * ui.fonts.small->FontSize : ui.px(75);
}

// A block's label beside what is seen of it. Centres and lengths are in pixels from the edge of the cells.
struct BlockLabels {
    std::vector<std::string> texts;
    std::vector<double> centers, extents;

    void add(const Ui& ui, const std::string& label, float begin, float end, float length, bool upright) {
        begin = std::max(begin, 0.0F);
        end = std::min(end, length);
        if (end <= begin) return;
        texts.push_back(greek(label));
        const ImVec2 size = text_size(ui.fonts.small, texts.back());
        centers.push_back((begin + end) / 2);
        extents.push_back(upright ? size.y : size.x);
    }
};

void draw_row_labels(const Ui& ui, const BlockLabels& labels, const Bounds& cells) {
    const std::vector<double> starts =
        place_side_by_side(labels.centers, labels.extents, cells.max.y - cells.min.y, 0.0);
    for (size_t i = 0; i < starts.size(); ++i)
        if (!std::isnan(starts[i]))
            draw_text_placed(ImGui::GetWindowDrawList(), ui.fonts.small,
                             {cells.min.x - ui.px(6), cells.min.y + static_cast<float>(starts[i])},
                             Placed::end, Placed::start, ui.colors.text, labels.texts[i]);
}

void draw_column_labels(const Ui& ui, const BlockLabels& labels, const Bounds& cells) {
    const std::vector<double> starts =
        place_side_by_side(labels.centers, labels.extents, cells.max.x - cells.min.x, ui.px(4));
    for (size_t i = 0; i < starts.size(); ++i)
        if (!std::isnan(starts[i]))
            draw_text_placed(ImGui::GetWindowDrawList(), ui.fonts.small,
                             {cells.min.x + static_cast<float>(starts[i]), cells.min.y - ui.px(3)},
                             Placed::start, Placed::end, ui.colors.text, labels.texts[i]);
}

// Numbers at the middles of cells that are counted.
BlockLabels numbered(const Ui& ui, const std::string& word, int first, int last, float step, bool upright,
                     const std::function<float(int)>& edge, float length) {
    BlockLabels labels;
    const auto wanted = static_cast<int>(static_cast<float>(last - first) * step / step_between(ui, upright));
    for (const Tick& tick : count_ticks(word, first + 1, last, std::clamp(wanted, 1, 10))) {
        const auto index = static_cast<int>(tick.value) - 1;
        labels.add(ui, tick.label, edge(index), edge(index + 1), length, upright);
    }
    return labels;
}

// Points up or down where cells lie beyond that end of the bar.
void draw_arrowhead(const Ui& ui, const Bounds& bar, float base, float tip, ImU32 color) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 a(bar.min.x - ui.px(1), base);
    ImVec2 b(bar.max.x + ui.px(1), base);
    if (tip > base) std::swap(a, b);  // clockwise, as filling with smooth edges wants it
    const ImVec2 point((bar.min.x + bar.max.x) / 2, tip);
    list->AddTriangleFilled(a, point, b, color);
    list->AddTriangle(a, point, b, ui.colors.text, 1.0F);
}

// Cut to what is seen of the matrix, with a seam in the ground's colour so that it shows on any cell.
void outline(const Ui& ui, const HeatmapFrame& frame, ImVec2 a, ImVec2 b, ImU32 color, float thickness) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Bounds& cells = frame.cells();
    const float margin = ui.px(3);
    list->PushClipRect({cells.min.x - margin, cells.min.y - margin},
                       {cells.max.x + margin, cells.max.y + margin}, true);
    list->AddRect(a, b, ui.colors.panel, 0.0F, ImDrawFlags_None, thickness + ui.px(2));
    list->AddRect(a, b, color, 0.0F, ImDrawFlags_None, thickness);
    list->PopClipRect();
}

}  // namespace

std::string cell_text(double value) {
    if (!std::isfinite(value)) return "–";
    const double size = std::abs(value);
    const int digits = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    const std::string text = size < 1e5 ? fmt::format("{:.{}f}", size, digits) : fmt::format("{:.0e}", size);
    const bool zero = text.find_first_not_of("0.") == std::string::npos;
    return fmt::format("{}{}", value < 0.0 && !zero ? "−" : "", text);
}

void draw_blocks(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Bounds& cells = frame.cells();
    const ImU32 border = with_alpha(ui.colors.text, 0.75F);
    BlockLabels rows, columns;
    int row = 0;
    for (const Block& block : spec.row_blocks) {
        const float y0 = frame.y_of(row);
        row += block.size;
        if (y0 > cells.min.y && y0 < cells.max.y)
            list->AddLine({cells.min.x, y0}, {cells.max.x, y0}, border, ui.px(1));
        if (spec.row_word.empty())
            rows.add(ui, block.label, y0 - cells.min.y, frame.y_of(row) - cells.min.y,
                     cells.max.y - cells.min.y, true);
    }
    int column = 0;
    for (const Block& block : spec.column_blocks) {
        const float x0 = frame.x_of(column);
        column += block.size;
        if (x0 > cells.min.x && x0 < cells.max.x)
            list->AddLine({x0, cells.min.y}, {x0, cells.max.y}, border, ui.px(1));
        if (spec.column_word.empty())
            columns.add(ui, block.label, x0 - cells.min.x, frame.x_of(column) - cells.min.x,
                        cells.max.x - cells.min.x, false);
    }
    if (!spec.row_word.empty() && !spec.values.values.empty())
        rows = numbered(
            ui, spec.row_word, frame.first_row(), frame.last_row(),
            (frame.y_of(spec.values.rows) - frame.y_of(0)) / static_cast<float>(spec.values.rows), true,
            [&](int i) { return frame.y_of(i) - cells.min.y; }, cells.max.y - cells.min.y);
    if (!spec.column_word.empty() && !spec.values.values.empty())
        columns = numbered(
            ui, spec.column_word, frame.first_column(), frame.last_column(),
            (frame.x_of(spec.values.columns) - frame.x_of(0)) / static_cast<float>(spec.values.columns),
            false, [&](int i) { return frame.x_of(i) - cells.min.x; }, cells.max.x - cells.min.x);
    draw_row_labels(ui, rows, cells);
    draw_column_labels(ui, columns, cells);
    list->AddRect(cells.min, cells.max, border);
}

void draw_hatching(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Bounds& cells = frame.cells();
    const auto visible = [](float at, float low, float high) {
        return static_cast<double>(std::clamp(at, low, high));
    };
    for (const CellRange& range : hatched_blocks(spec))
        for (const HatchStroke& stroke :
             hatch_strokes(visible(frame.x_of(range.first_column), cells.min.x, cells.max.x),
                           visible(frame.y_of(range.first_row), cells.min.y, cells.max.y),
                           visible(frame.x_of(range.last_column), cells.min.x, cells.max.x),
                           visible(frame.y_of(range.last_row), cells.min.y, cells.max.y),
                           static_cast<double>(ui.px(9))))
            list->AddLine({static_cast<float>(stroke.from.first), static_cast<float>(stroke.from.second)},
                          {static_cast<float>(stroke.to.first), static_cast<float>(stroke.to.second)},
                          with_alpha(ui.colors.muted, 0.5F), ui.px(1));
}

std::optional<ImVec2> number_place(const HeatmapFrame& frame, CellPosition cell, ImVec2 size) {
    const ImVec2 a(frame.x_of(cell.column), frame.y_of(cell.row));
    const ImVec2 b(frame.x_of(cell.column + 1), frame.y_of(cell.row + 1));
    const ImVec2 middle((a.x + b.x) / 2, (a.y + b.y) / 2);
    const Bounds& cells = frame.cells();
    const ImVec2 begin(middle.x - size.x / 2, middle.y - size.y / 2);
    const ImVec2 end(middle.x + size.x / 2, middle.y + size.y / 2);
    if (begin.x < std::max(a.x, cells.min.x) || end.x > std::min(b.x, cells.max.x) ||
        begin.y < std::max(a.y, cells.min.y) || end.y > std::min(b.y, cells.max.y))
        return std::nullopt;
    return middle;
}

void draw_numbers(const Ui& ui, const HeatmapSpec& spec, const ColorRamp& ramp, const HeatmapFrame& frame) {
    const ImFont* font = ui.fonts.small;
    const auto cell = static_cast<float>(frame.cell_size());
    if (spec.values.values.empty() || cell < text_size(font, "−0.00").x + ui.px(4) ||
        cell < font->FontSize + ui.px(2))
        return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect(frame.cells().min, frame.cells().max, true);
    for (int row = frame.first_row(); row < frame.last_row(); ++row)
        for (int column = frame.first_column(); column < frame.last_column(); ++column) {
            const double value = spec.values(row, column);
            const ImU32 ink =
                is_bright(ramp(value / spec.limit)) ? IM_COL32(0, 0, 0, 220) : IM_COL32(255, 255, 255, 230);
            const std::string text = cell_text(value);
            if (const auto middle = number_place(frame, {row, column}, text_size(font, text)))
                draw_text_placed(list, font, *middle, Placed::middle, Placed::middle, ink, text);
        }
    list->PopClipRect();
}

void draw_color_bar(const Ui& ui, const HeatmapSpec& spec, const ColorRamp& ramp, const Bounds& bar) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float height = bar.max.y - bar.min.y;
    const auto at = [&](int step) {
        return std::round(bar.min.y + height * static_cast<float>(step) / kBarSteps);
    };
    const double low = spec.magnitudes ? 0.0 : -1.0;
    for (int i = 0; i < kBarSteps; ++i)
        list->AddRectFilled({bar.min.x, at(i)}, {bar.max.x, at(i + 1)},
                            to_color(ramp(std::lerp(1.0, low, (i + 0.5) / kBarSteps))));
    list->AddRect(bar.min, bar.max, with_alpha(ui.colors.axis, 0.8F));
    const ClippedCells clipped = clipped_cells(spec);
    if (clipped.above > 0) draw_arrowhead(ui, bar, bar.min.y, bar.min.y - ui.px(9), to_color(ramp(1.0)));
    if (clipped.below > 0) draw_arrowhead(ui, bar, bar.max.y, bar.max.y + ui.px(9), to_color(ramp(-1.0)));
    const float x = bar.max.x + ui.px(5);
    const auto number = [&](float y, Placed placed, const std::string& text) {
        draw_text_placed(list, ui.fonts.small, {x, y}, Placed::start, placed, ui.colors.muted, text);
    };
    number(bar.min.y - ui.px(2), Placed::start,
           fmt::format("{}{}", spec.magnitudes ? "" : "+", readout(spec.limit)));
    if (!spec.magnitudes) number(std::round((bar.min.y + bar.max.y) / 2), Placed::middle, "0");
    number(bar.max.y + ui.px(2), Placed::end,
           spec.magnitudes ? std::string("0") : fmt::format("−{}", readout(spec.limit)));
}

void draw_norm_strip(const Ui& ui, const HeatmapSpec& spec, double top, const HeatmapFrame& frame) {
    if (!spec.norm) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Bounds& strip = frame.strip();
    const auto at = [&](double norm) {
        const double share = top > 0.0 ? std::clamp(norm / top, 0.0, 1.0) : 0.0;
        return std::round(strip.max.y - (strip.max.y - strip.min.y) * static_cast<float>(share));
    };
    list->AddRectFilled(strip.min, strip.max, ui.colors.control);
    if (std::isfinite(*spec.norm))
        list->AddRectFilled({strip.min.x, at(*spec.norm)}, strip.max, ui.colors.muted);
    const float mark = at(spec.norm_reference);
    list->AddLine({strip.min.x - ui.px(2), mark}, {strip.max.x + ui.px(2), mark}, ui.colors.text, ui.px(2));
    const Bounds& whole = frame.whole();
    // As much of it as the title leaves room for; the title's help has all.
    const std::string norm = fmt::format("norm {:.3g}", *spec.norm);
    const float room = whole.max.x - whole.min.x - ui.px(14) - text_size(ui.fonts.bold, greek(spec.title)).x;
    for (const std::string& text :
         {fmt::format("{}, at the start {:.2g}", norm, spec.norm_reference), norm}) {
        if (text_size(ui.fonts.small, text).x > room) continue;
        draw_text_placed(list, ui.fonts.small,
                         {whole.max.x - ui.px(2), whole.min.y + ui.fonts.bold->FontSize}, Placed::end,
                         Placed::end, ui.colors.muted, text);
        break;
    }
}

void draw_note(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame) {
    if (spec.note.empty()) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImFont* font = ui.fonts.small;
    const std::string text = greek(spec.note);
    // Below the arrowhead that the colour bar may have.
    const ImVec2 at(frame.whole().min.x, frame.legend().max.y);
    const float end = frame.whole().max.x;
    const float lines = std::floor((frame.whole().max.y - at.y) / font->FontSize);  // whole ones
    list->PushClipRect(at, {end, at.y + std::max(1.0F, lines) * font->FontSize + ui.px(1)}, true);
    list->AddText(font, font->FontSize, at, ui.colors.muted, text.data(), text.data() + text.size(),
                  end - at.x - ui.px(6));
    list->PopClipRect();
}

void frame_cell(const Ui& ui, const HeatmapFrame& frame, CellPosition cell, ImU32 color) {
    outline(ui, frame, {frame.x_of(cell.column), frame.y_of(cell.row)},
            {frame.x_of(cell.column + 1), frame.y_of(cell.row + 1)}, color, ui.px(2));
}

void frame_block(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame, BlockPosition block,
                 ImU32 color) {
    const auto first_of = [](const std::vector<Block>& blocks, int index) {
        int first = 0;
        for (int i = 0; i < index; ++i) first += blocks[static_cast<size_t>(i)].size;
        return first;
    };
    outline(ui, frame,
            {frame.x_of(first_of(spec.column_blocks, block.column_block)),
             frame.y_of(first_of(spec.row_blocks, block.row_block))},
            {frame.x_of(first_of(spec.column_blocks, block.column_block + 1)),
             frame.y_of(first_of(spec.row_blocks, block.row_block + 1))},
            color, ui.px(3));
}

void draw_cell_marks(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame) {
    if (spec.marks.empty()) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const auto sets = static_cast<float>(spec.marks.size());
    list->PushClipRect(frame.cells().min, frame.cells().max, true);
    // One for all cells: where their edges are rounded to pixels some are wider than others.
    const float pitch = (frame.x_of(frame.last_column()) - frame.x_of(frame.first_column())) /
                        static_cast<float>(std::max(1, frame.last_column() - frame.first_column()));
    for (size_t set = 0; set < spec.marks.size(); ++set) {
        const CellMarks& marks = spec.marks[set];
        const ImU32 color = series_color(ui, marks.color);
        for (const CellMarks::Cell& cell : marks.cells) {
            if (cell.column < frame.first_column() || cell.column >= frame.last_column() ||
                cell.row < frame.first_row() || cell.row >= frame.last_row())
                continue;
            // Each set has a lane of its own in the cell, so that none hides another.
            const float left = frame.x_of(cell.column), right = frame.x_of(cell.column + 1);
            const float top = frame.y_of(cell.row), height = (frame.y_of(cell.row + 1) - top) / sets;
            const float from = top + height * static_cast<float>(set);
            if (marks.edge) {
                const float bottom = frame.y_of(cell.row + 1);
                list->AddRectFilled({left, bottom - std::clamp(0.25F * height, 2.0F, ui.px(4))},
                                    {std::max(right, left + 1.0F), bottom}, color);
                continue;
            }
            const float radius = std::min(pitch, height) / 2 - 1.0F;
            if (radius >= 3.0F)
                draw_marker(list, {(left + right) / 2, from + height / 2}, std::min(radius, ui.px(5)),
                            marks.color, color);
            else
                list->AddRectFilled({left, from + 0.15F * height},
                                    {std::max(right, left + 1.0F), from + 0.85F * height}, color);
        }
    }
    list->PopClipRect();
}

void draw_mark_legend(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 corner = frame.legend().min;
    const std::vector<ImVec2> places = mark_legend_places(ui, spec, frame.whole().max.x - corner.x);
    for (size_t i = 0; i < places.size(); ++i) {
        const ImVec2 at(corner.x + places[i].x, corner.y + places[i].y);
        draw_marker(list, {at.x + ui.px(6), std::round(at.y + ui.fonts.small->FontSize * 0.55F)},
                    4.0F * ui.scale, spec.marks[i].color, series_color(ui, spec.marks[i].color));
        draw_text(list, ui.fonts.small, {at.x + ui.px(15), at.y}, ui.colors.text, greek(spec.marks[i].name));
    }
}

}  // namespace emergence
