#pragma once
// Empty axes in which the reader draws a predicted curve with the mouse.

#include <imgui.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/theme.h"
#include "core/lessons/lesson.h"

namespace emergence {

class SketchPad {
  public:
    /// What is drawn beside the reader's curve.
    struct Beside {
        Sketch live;                 // the answer: the mean over the seeds
        std::vector<Sketch> seeds;   // thin lines
        std::vector<Sketch> others;  // a class's curves, thin lines
        std::string axis;            // label of the x axis
    };
    /// Draws axes, curve and `beside`. With `open` the mouse draws. Logged as "sketch".
    void draw(const Ui& ui, const SketchPrediction& axes, ImVec2 size, bool open, const Beside& beside);
    void clear() { heights_.fill(std::nullopt); }
    /// True if the curve covers at least half of the axis.
    bool enough() const;
    Sketch sketch(const SketchPrediction& axes) const;
    /// Restores an earlier curve.
    void restore(const Sketch& sketch, const SketchPrediction& axes);

  private:
    static constexpr int kColumns = 80;
    void follow_mouse(ImVec2 min, ImVec2 size);

    // Heights by column, as shares of the axis from below.
    std::array<std::optional<float>, kColumns> heights_;
    std::optional<ImVec2> last_;  // the mouse in shares of the axes, while it draws
};

}  // namespace emergence
