#pragma once
// What a class predicted at a step: an answer for each name. Nothing of it leaves the machine.

#include "core/lessons/player.h"

namespace emergence {

struct ClassAnswer {
    std::string name;
    Answer answer;
};
struct ClassAnswers {
    /// In the order of the lines; a name that comes again replaces its former answer.
    std::vector<ClassAnswer> given;
    /// The lines that are no answers, a sentence each.
    std::vector<std::string> unread;
};

/// Reads lines of the form "name: answer", also with a tab between them. An answer is
///
///     2                 of a choice: its number counted from 1, or its words, or how they begin
///     φ, γφ'            of a block: its rows and columns
///     0 3, 100 1.5      of a sketch: points x y; or heights alone, evenly apart
///
/// `files`: that the lines come from, one each, named for lines that are no answers; empty if the text is one.
ClassAnswers read_class(std::string_view text, const Prediction& prediction,
                        const std::vector<std::string>& files = {});

/// How many gave an answer.
struct ClassCount {
    std::string answer;
    int count = 0;
    bool right = false;
};
/// Of a choice every answer in its order; of a block those that were given, the most frequent first; of a sketch
/// nothing.
std::vector<ClassCount> class_counts(const ClassAnswers& answers, const Prediction& prediction);

/// How high the class drew a curve at x: those that drew as far.
struct ClassHeights {
    double x = 0.0;
    int count = 0;
    double lowest = 0.0, median = 0.0, highest = 0.0;
};
std::vector<ClassHeights> class_heights(const ClassAnswers& answers, const SketchPrediction& axes, int places);

}  // namespace emergence
