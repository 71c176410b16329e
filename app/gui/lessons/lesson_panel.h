#pragma once
// The panel of a lesson beside the stage: text in large type, the prediction, its answer, and the way on.

#include <imgui.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/gui/lessons/lesson_room.h"
#include "app/gui/lessons/sketch_pad.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// The places of pictures and settings, by their ids and names, as they reported them in this frame. What is not in
/// sight has none.
std::vector<Box> spotlight_boxes(const WidgetLog& log, const std::vector<std::string>& names);

/// Shades `window` except for the boxes, each `margin` pixels larger. Draws nothing without boxes.
void draw_spotlight(const Ui& ui, const Box& window, const std::vector<Box>& boxes, float margin);

class LessonPanel {
  public:
    /// The width that the panel takes of a window, in pixels.
    static float width(const Ui& ui, float window);

    /// The open lesson. `following`: the title of the lesson after it; "" if none. Logged as "panel lesson".
    void draw(const Context& context, const Box& box, const LessonRoom& room, const std::string& following);

  private:
    void follow_clicks(const Ui& ui, const LessonRoom& room);
    bool is_meant(const LessonRoom& room) const;
    void draw_words(const Context& context, const LessonRoom& room);
    void draw_prediction(const Context& context, const LessonRoom& room);
    void draw_choices(const Context& context, const ChoicePrediction& choice, const LessonRoom& room);
    void draw_sketch(const Context& context, const SketchPrediction& axes, const LessonRoom& room);

    SketchPad pad_;
    std::pair<std::string, size_t> pad_of_;  // the lesson and its step
    int clicked_on_ = 0;        // LessonRoom::changes() when the last click began, or the first of a double click
    double clicked_at_ = -1.0;  // seconds
    ImVec2 clicked_place_ = {0.0F, 0.0F};
    bool answered_ = false;                           // the answer was there in the last frame
    int turns_to_answer_ = 0;                         // frames in which it is still scrolled to
    float words_height_ = 0.0F, ways_height_ = 0.0F;  // as last drawn, in pixels
};

}  // namespace emergence
