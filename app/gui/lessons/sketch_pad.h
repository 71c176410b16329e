#pragma once
// Empty axes, into which a curve is drawn with the mouse: the reader's prediction of a plot.

#include <imgui.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/theme.h"
#include "core/lessons/player.h"

namespace emergence {

class SketchPad {
  public:
    /// What stands beside the reader's curve.
    struct Beside {
        Sketch live;                 // the answer: the mean over seeds
        std::vector<Sketch> seeds;   // each of them, thin
        std::vector<Sketch> others;  // of a class, thin
        std::string axis;            // what stands along it
    };
    /// Draws the axes, the curve so far and what stands beside it. `open`: the mouse draws. Logged as "sketch".
    void draw(const Ui& ui, const SketchPrediction& axes, ImVec2 size, bool open, const Beside& beside);
    void clear() { heights_.fill(std::nullopt); }
    /// It reaches over at least half of the axis.
    bool enough() const;
    Sketch sketch(const SketchPrediction& axes) const;
    /// As it was drawn before.
    void restore(const Sketch& sketch, const SketchPrediction& axes);

  private:
    static constexpr int kColumns = 80;
    void follow_mouse(ImVec2 min, ImVec2 size);

    // Shares of the axis, 0 below, by column.
    std::array<std::optional<float>, kColumns> heights_;
    std::optional<ImVec2> last_;  // the mouse, in shares, while it draws
};

}  // namespace emergence
