// No name of a field, a condition or a file reaches a reader of the window: every sentence that it may show is read.
#include <doctest/doctest.h>

#include <string>

#include "app/gui/commands/command.h"
#include "app/gui/widgets/text.h"
#include "app/handbook/glossary.h"
#include "app/lessons/lesson_files.h"
#include "app/open/opening.h"
#include "core/experiments/registry.h"
#include "core/files/assets.h"
#include "core/lessons/lesson.h"
#include "core/settings/toml.h"
#include "tests/app/gui/pictures/text_scan.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

void check_words(const std::string& where, const std::string& text) {
    CAPTURE(where);
    CAPTURE(text);
    CHECK_FALSE(names_internals(text));
}

// Without the numbers of the run that stand in braces.
std::string sentences_of(const std::string& text) {
    std::string words;
    bool inside = false;
    for (const char c : text) {
        inside = (inside || c == '{') && c != '}';
        if (!inside && c != '}') words += c;
    }
    return words;
}

}  // namespace

TEST_CASE("what is meant by a name of internals") {
    CHECK(names_internals("Not so in this run: number world network_seed_x"));
    CHECK(names_internals("play_thompson = false"));
    CHECK(names_internals("step >= 400"));
    CHECK_FALSE(names_internals("E sum_s d(s) (v_TF(s) - v(s))^2"));
    CHECK_FALSE(names_internals("C_l and max_k m_t(k)"));
    CHECK(in_words("td_lambda, monte_carlo and v_TF") == "td lambda, monte carlo and v_TF");
}

TEST_CASE("presets, experiments, settings, figures, lessons and commands speak in words") {
    for (const PresetInfo& preset : presets_in(assets_folder())) {
        check_words(preset.name, preset.title);
        check_words(preset.name, preset.description);
        check_words(preset.name, preset.group);
    }
    for (const ExperimentInfo& info : experiments()) {
        check_words(info.name, info.title);
        check_words(info.name, info.summary);
        for (const FieldInfo& field : *info.fields) {
            check_words(info.name + " " + field.name, field.label);
            check_words(info.name + " " + field.name, in_words(field.help));
            for (const std::string& choice : field.choices) check_words(field.name, in_words(choice));
        }
        for (const FigureInfo& figure : info.figures) check_words(figure.name, figure.title);
    }
    for (const LessonInfo& one : shipped_lessons()) {
        check_words(one.name, one.title);
        check_words(one.name, one.description);
        for (const LessonStep& step : read_lesson(one.path).steps) {
            check_words(one.name, sentences_of(step.text));
            check_words(one.name, sentences_of(step.reveal));
            if (const auto* choice = step.predict ? std::get_if<ChoicePrediction>(&*step.predict) : nullptr)
                for (const std::string& answer : choice->choices) check_words(one.name, answer);
        }
    }
    for (const WindowCommand& one : commands()) {
        check_words(one.label, one.label);
        check_words(one.label, one.help);
    }
    for (const handbook::Term& term : handbook::glossary()) check_words(term.word, term.definition);
}
