#pragma once
// Empty axes, into which a curve is drawn with the mouse: the reader's prediction of a plot.

#include <imgui.h>

#include <array>
#include <optional>
#include <string>

#include "app/gui/shell/theme.h"
#include "core/lessons/player.h"

namespace emergence {

class SketchPad {
  public:
    /// Draws the axes, the curve so far and, if given, the live one. `open`: the mouse draws. Logged as "sketch".
    void draw(const Ui& ui, const SketchPrediction& axes, ImVec2 size, bool open, const Sketch& live);
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
