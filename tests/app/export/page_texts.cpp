#include "tests/app/export/page_texts.h"

#include <fmt/format.h>

#include <map>

#include "app/export/canvas.h"
#include "core/pictures/axis.h"
#include "core/pictures/draw_plot.h"
#include "core/pictures/pen.h"
#include "tests/support/scratch.h"

namespace emergence::testing {
namespace {

// The number behind `key` in `text`.
double number_after(const std::string& text, const std::string& key) {
    const size_t at = text.find(key);
    return at == std::string::npos ? 0.0 : std::stod(text.substr(at + key.size()));
}

std::string unescaped(std::string text) {
    const std::map<std::string, std::string> marks = {{"&lt;", "<"},   {"&gt;", ">"},  {"&quot;", "\""},
                                                      {"&apos;", "'"}, {"&#39;", "'"}, {"&amp;", "&"}};
    for (const auto& [from, to] : marks)
        for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
            text.replace(at, from.size(), to);
    return text;
}

PageText page_text(const std::string& element, const std::string& content) {
    const double size = number_after(element, "font-size=\""), length = number_after(element, "textLength=\"");
    const double shift = number_after(element, " x=\""), x = number_after(element, "translate(");
    const double y = number_after(element, fmt::format("translate({:.2f} ", x));
    const double up = 0.7 * size, high = 0.8 * size;
    const bool turned = holds(element, "rotate(");
    return {unescaped(content),
            turned ? Rect{x - up, y - shift - length, high, length} : Rect{x + shift, y - up, length, high}};
}

// All labels that a figure's page must have. A legend is said once, and of numbers beside rows some are left out.
std::vector<std::string> page_labels(const FigureSpec& figure) {
    std::vector<std::string> labels = {figure.title};
    const auto add_blocks = [&](const std::string& word, const std::vector<Block>& blocks) {
        if (word.empty())
            for (const Block& block : blocks)
                if (block.label.find_first_not_of("0123456789.") != std::string::npos) labels.push_back(block.label);
    };
    for (const FigureCell& cell : figure.cells) {
        if (const auto* map = std::get_if<HeatmapSpec>(&cell.content)) {
            labels.push_back(map->title);
            if (map->values.values.empty()) continue;
            add_blocks(map->row_word, map->row_blocks);
            add_blocks(map->column_word, map->column_blocks);
        } else if (const auto* plot = std::get_if<PlotSpec>(&cell.content)) {
            for (const std::string& text : {plot->title, axis_title(plot->x), axis_title(plot->y)})
                labels.push_back(text);
            for (const LegendEntry& entry : legend_entries(*plot))
                if (!entry.faint) labels.push_back(entry.name);
        }
    }
    std::erase(labels, "");
    return labels;
}

}  // namespace

PageTexts texts_of(const std::string& svg) {
    PageTexts page;
    page.width = number_after(svg, "viewBox=\"0 0 ");
    page.height = number_after(svg, fmt::format("viewBox=\"0 0 {} ", page.width));
    for (size_t at = svg.find("<text "); at != std::string::npos; at = svg.find("<text ", at + 1)) {
        const size_t open = svg.find('>', at), close = svg.find("</text>", open);
        page.texts.push_back(page_text(svg.substr(at, open - at), svg.substr(open + 1, close - open - 1)));
    }
    return page;
}

std::vector<std::string> layout_faults(const FigureSpec& figure, const std::string& svg) {
    const PageTexts page = texts_of(svg);
    std::vector<std::string> faults;
    std::string all = " ";
    for (size_t i = 0; i < page.texts.size(); ++i) {
        const auto& [text, box] = page.texts[i];
        all += text + " ";
        if (box.x < -0.5 || box.y < -0.5 || box.right() > page.width + 0.5 || box.bottom() > page.height + 0.5)
            faults.push_back("outside: " + text);
        for (size_t j = 0; j < i; ++j)
            if (box.grown(-0.4).overlaps(page.texts[j].box.grown(-0.4)))
                faults.push_back("over each other: " + page.texts[j].text + " | " + text);
    }
    for (const std::string& label : page_labels(figure))
        if (!holds(all, " " + page::set_text(label) + " ") && !holds(all, " " + page::set_text(greek(label)) + " "))
            faults.push_back("lost or broken: " + label);
    return faults;
}

}  // namespace emergence::testing
