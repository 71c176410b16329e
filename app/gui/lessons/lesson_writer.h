#pragma once
// A lesson that is being written (Ctrl + L): the words of its steps. What a step shows is what the window showed.

#include <array>
#include <string>
#include <vector>

#include "app/gui/commands/sheet.h"
#include "core/lessons/lesson.h"

namespace emergence {

class LessonWriter : public Sheet {
  public:
    LessonWriter() : Sheet("lesson writer", Keys::own) {}

    /// A further step, which shows `draft`: `shows` says so in a sentence. Words that were not added stay.
    void begin(LessonDraft draft, std::string shows);
    /// Of the lesson that is being written, without the step that is not yet added.
    const std::string& title() const { return title_; }
    const std::vector<LessonDraft>& steps() const { return steps_; }

    /// Asks for ask::WriteLesson once a step was added or changed. Logged: "writer text", "writer answer 0".
    void draw(const Context& context) override;

  private:
    // As it is typed: lines are broken to fit, answers have empty rows.
    struct Sheetful {
        std::string text, reveal;
        std::array<std::string, kMostAnswers> answers;
        int right = -1;  // none is marked
    };
    static Sheetful sheetful_of(const LessonWords& words);
    static LessonWords words_of(const Sheetful& typed);
    bool is_new() const { return at_ >= steps_.size(); }
    Sheetful& typed() { return is_new() ? typed_ : changed_; }
    void turn_to(size_t step);
    void draw_steps(const Ui& ui);
    template <class Field>
    bool keeping_words(std::string& text, const Field& field);
    bool draw_paragraph(const Ui& ui, const char* id, const std::string& heading, std::string& text);
    bool draw_words(const Ui& ui);
    void draw_answers(const Ui& ui);
    void draw_controls(const Context& context);
    void draw_buttons(const Context& context, const std::string& lacks, bool entered);
    void add(Asks& asks, bool begin);

    // Tab goes from field to field: Dear ImGui's own tabbing needs keys that the window's commands have.
    class FieldOrder {
      public:
        void begin() { count_ = 0; }
        /// Before and after a field.
        void before();
        void after();
        void end();
        /// Where typing begins.
        void start(int field) { wanted_ = field; }

      private:
        int count_ = 0, active_ = -1, wanted_ = -1;
    };

    std::string title_, shows_;
    std::vector<LessonDraft> steps_;
    LessonDraft next_;  // without words
    size_t at_ = 0;     // the step on the sheet; beyond the last: the new one
    Sheetful typed_, changed_;
    bool unlocks_ = false;  // the class may change the settings of the step
    FieldOrder order_;
};

}  // namespace emergence
