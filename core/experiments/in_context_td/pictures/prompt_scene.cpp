#include "core/experiments/in_context_td/pictures/prompt_scene.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

namespace emergence {
namespace {

// Of the drawing, in widths of a column.
constexpr int kColumns = 7;  // that stand for n
constexpr double kQuery = 8.2;
constexpr double kInset = 0.05;

struct Row {
    const char* label;
    double lower, upper;
    int color;
};
constexpr Row kPromptRows[] = {{"φ", 2.6, 4.4, 0}, {"γφ'", 0.8, 2.6, 2}, {"R", 0.0, 0.8, 1}};

DrawnShape cell(double left, const Row& row, int color) {
    return drawn_box({left + kInset, row.lower + kInset}, {left + 1.0 - kInset, row.upper - kInset}, color);
}

DrawingSpec prompt_drawing(const InContextTdConfig& config) {
    DrawingSpec drawing;
    drawing.id = "prompt";
    drawing.title = "The prompt Z";
    drawing.left = -1.3;
    drawing.right = 11.4;
    drawing.bottom = -1.1;
    drawing.top = 5.3;
    for (const Row& row : kPromptRows) {
        const double middle = (row.lower + row.upper) / 2;
        drawing.shapes.push_back(drawn_label({-0.6, middle}, row.label));
        for (int column = 0; column < kColumns; ++column)
            if (column == kColumns - 2)
                drawing.shapes.push_back(drawn_label({column + 0.5, middle}, "…"));
            else
                drawing.shapes.push_back(cell(column, row, row.color));
        drawing.shapes.push_back(cell(kQuery, row, row.lower > 1.0 ? row.color : kFaintColor));
    }
    drawing.shapes.push_back(drawn_label({kColumns / 2.0, 4.9}, "context"));
    drawing.shapes.push_back(
        drawn_label({kColumns / 2.0, -0.6}, fmt::format("n = {} transitions", config.context_length)));
    drawing.shapes.push_back(drawn_label({kQuery + 0.5, 4.9}, "query"));
    drawing.shapes.push_back(drawn_arrow({10.6, -0.3}, {kQuery + 1.05, 0.35}, kInkColor));
    drawing.shapes.push_back(drawn_label({10.3, -0.7}, "value"));
    drawing.readout = fmt::format("{0} rows: {1} φ, {1} γφ′, 1 R", 2 * config.tasks.d + 1, config.tasks.d);
    return drawing;
}

}  // namespace

Scene prompt_scene(const InContextTdConfig& config) {
    Scene scene;
    scene.id = "prompt";
    scene.title = "The prompt Z";
    scene.note =
        "What the network sees: one column per transition, with the features of a state, the discounted features of "
        "the next one, and the reward. The last column is the query, the state whose value is asked for. Each layer "
        "adds to Z; the value is minus the last entry of the last column.";
    scene.moments = std::make_shared<const std::vector<DrawingSpec>>(1, prompt_drawing(config));
    return scene;
}

}  // namespace emergence
