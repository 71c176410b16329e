#pragma once
// The panel of a lesson beside the stage: text in large type, the prediction, its answer, and the way on.

#include <optional>

#include "app/gui/commands/command.h"
#include "app/gui/lessons/lesson_room.h"
#include "app/gui/lessons/sketch_pad.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

class LessonPanel {
  public:
    /// The width that the panel takes of a window, in pixels.
    static float width(const Ui& ui, float window);

    /// The open lesson. Returns the command of a button that was pressed. Logged as "panel lesson".
    std::optional<Action> draw(const Ui& ui, const Box& box, LessonRoom& room, Session& session);

  private:
    void draw_prediction(const Ui& ui, LessonRoom& room, Session& session);
    void draw_choices(const Ui& ui, const ChoicePrediction& choice, LessonRoom& room, Session& session);
    void draw_sketch(const Ui& ui, const SketchPrediction& axes, LessonRoom& room, Session& session);

    SketchPad pad_;
    const Lesson* pad_of_ = nullptr;  // whose step `pad_step_` it holds
    size_t pad_step_ = 0;
};

/// The card of the first start. Returns true if the tour is wanted, false if not; nothing while it is undecided.
/// Logged as "panel tour".
std::optional<bool> draw_tour_card(const Ui& ui, const Box& area, int64_t minutes);

}  // namespace emergence
