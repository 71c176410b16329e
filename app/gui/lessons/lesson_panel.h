#pragma once
// The panel of a lesson beside the stage: text in large type, the prediction, its answer, and the way on.

#include <imgui.h>

#include <optional>
#include <string>
#include <utility>

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

    /// The open lesson. `following`: the title of the lesson after it; "" if none. Returns the command of a button that
    /// was pressed. Logged as "panel lesson".
    std::optional<Action> draw(const Ui& ui, const Box& box, LessonRoom& room, Session& session,
                               const std::string& following);

  private:
    void follow_clicks(const Ui& ui, const LessonRoom& room);
    bool is_meant(const LessonRoom& room) const;
    void draw_words(const Ui& ui, LessonRoom& room, Session& session);
    void draw_prediction(const Ui& ui, LessonRoom& room, Session& session);
    void draw_choices(const Ui& ui, const ChoicePrediction& choice, LessonRoom& room, Session& session);
    void draw_sketch(const Ui& ui, const SketchPrediction& axes, LessonRoom& room, Session& session);

    SketchPad pad_;
    std::pair<std::string, size_t> pad_of_;  // the lesson and its step
    int clicked_on_ = 0;        // LessonRoom::changes() when the last click began, or the first of a double click
    double clicked_at_ = -1.0;  // seconds
    ImVec2 clicked_place_ = {0.0F, 0.0F};
    float words_height_ = 0.0F, ways_height_ = 0.0F;  // as last drawn, in pixels
};

/// The card of the first start. Returns true if the tour is wanted, false if not; nothing while it is undecided.
/// Logged as "panel tour".
std::optional<bool> draw_tour_card(const Ui& ui, const Box& area, int64_t minutes);

}  // namespace emergence
