#pragma once
// The panel of a lesson beside the stage: text in large type, the prediction, its answer, and buttons.

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

/// The places of pictures and settings in this frame, by their ids and names. Hidden ones have none.
std::vector<Box> spotlight_boxes(const WidgetLog& log, const std::vector<std::string>& names);

/// Shades `window` except for the boxes, each enlarged by `margin` pixels. Draws nothing without boxes.
void draw_spotlight(const Ui& ui, const Box& window, const std::vector<Box>& boxes, float margin);

class LessonPanel {
  public:
    /// The panel's width in a window of this width, in pixels.
    static float width(const Ui& ui, float window);

    /// Draws the open lesson. `following` is the next lesson's title, or "". Logged as "panel lesson".
    void draw(const Context& context, const Box& box, const LessonRoom& room, const std::string& following);

  private:
    void follow_clicks(const Ui& ui, const LessonRoom& room);
    bool is_meant(const LessonRoom& room) const;
    void draw_words(const Context& context, const LessonRoom& room);
    void draw_prediction(const Context& context, const LessonRoom& room);
    void draw_choices(const Context& context, const ChoicePrediction& choice, const LessonRoom& room);
    void draw_sketch(const Context& context, const SketchPrediction& axes, const LessonRoom& room);

    SketchPad pad_;
    std::pair<std::string, size_t> pad_of_;  // the lesson and step that the sketch belongs to
    int clicked_on_ = 0;                     // LessonRoom::changes() at the beginning of the last click or double click
    double clicked_at_ = -1.0;               // seconds
    ImVec2 clicked_place_ = {0.0F, 0.0F};
    bool answered_ = false;                           // the answer was shown in the last frame
    int turns_to_answer_ = 0;                         // remaining frames that scroll to the answer
    float words_height_ = 0.0F, ways_height_ = 0.0F;  // as drawn last, in pixels
    int small_at_ = -1;                               // LessonRoom::changes() when the words were too high
};

}  // namespace emergence
