// No name of a field, a condition or a file reaches a reader of the window, no index notation, no abbreviation without
// words, and no paper without its authors: every sentence that it may show is read.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "app/gui/commands/command.h"
#include "app/gui/widgets/field_words.h"
#include "app/gui/widgets/text.h"
#include "app/handbook/glossary.h"
#include "app/lessons/lesson_files.h"
#include "app/open/opening.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/lessons/lesson.h"
#include "core/settings/toml.h"
#include "tests/app/gui/pictures/text_scan.h"
#include "tests/support/small_runs.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

// Formats of files and computers' words, which are names; whose readers know them.
const std::set<std::string> kNames = {"CSV", "GIF",  "JSON", "NPY", "NPZ", "PDF", "PNG",
                                      "SVG", "TOML", "GB",   "MB",  "GPT", "BFGS"};

// The first word in capitals that the glossary does not explain, "" if none: a hover has words for all others.
std::string unexplained_abbreviation(const std::string& text) {
    const auto capital = [&](size_t i) { return i < text.size() && text[i] >= 'A' && text[i] <= 'Z'; };
    const auto letter = [&](size_t i) {
        return i < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '\'' || text[i] == '_');
    };
    for (size_t i = 0; i < text.size(); ++i) {
        size_t end = i;
        while (capital(end)) ++end;
        const bool starts = i == 0 || !letter(i - 1);
        const bool plural = end < text.size() && text[end] == 's' && !letter(end + 1);
        if (starts && end - i > 1 && (!letter(end) || plural || text[end] == '\'')) {
            const std::string word = text.substr(i, end - i);
            const std::vector<handbook::TermPlace> terms = handbook::terms_in(text);
            const bool explained = std::any_of(terms.begin(), terms.end(), [&](const handbook::TermPlace& place) {
                return place.begin <= i && end <= place.end;
            });
            if (!explained && !kNames.contains(word)) return word;
        }
        i = std::max(i, end);
    }
    return "";
}

void check_text(const std::string& where, const std::string& text) {
    INFO(where, ", ", text);
    // The arrays of a network's file are listed by their names.
    CHECK((text.starts_with("Weights of the network: ") || !names_internals(text)));
    CHECK(unexplained_abbreviation(text) == "");
    const size_t paper = text.find("the paper");
    CHECK((paper == std::string::npos || text.find("the papers") == paper));
}

void check_words(const std::string& where, const std::vector<std::string>& texts) {
    for (const std::string& text : texts) check_text(where, text);
}

void check_plot_words(const std::string& where, const PlotSpec& plot) {
    check_words(where + " " + plot.id, {plot.title, plot.x.label, plot.y.label, plot.readout, plot.note});
    for (const Series& series : plot.series) check_text(where + " " + plot.id, series.name);
}

void check_matrix_words(const std::string& where, const NamedMatrix& matrix) {
    check_words(where + " " + matrix.name, {matrix.title, matrix.help, matrix.alignment_note, matrix.target_name});
    for (const BlockMeaning& meaning : matrix.meanings)
        check_words(where + " " + matrix.name, {meaning.text, meaning.brief});
}

void check_snapshot_words(const std::string& where, const Snapshot& snapshot) {
    check_words(where, {snapshot.emergence_rule, snapshot.headline});
    for (const NamedMatrix& matrix : snapshot.matrices) check_matrix_words(where, matrix);
    for (const PlotSpec& plot : snapshot.plots) check_plot_words(where, plot);
    for (const Scalar& scalar : snapshot.scalars) check_words(where + " " + scalar.name, {scalar.label, scalar.help});
    for (const Lamp& lamp : snapshot.lamps) check_words(where + " " + lamp.name, {lamp.label, lamp.help});
    for (const Scene& scene : snapshot.scenes) check_words(where + " " + scene.id, {scene.title, scene.note});
}

// The same of what a run logs.
void check_study_words(const std::string& where, const Study& study) {
    for (const MetricInfo& metric : study.metrics())
        check_words(where + " " + metric.name, {metric.label, metric.help});
    for (const MetricPlot& plot : study.metric_plots()) {
        check_words(where + " " + plot.id, {plot.title, plot.y.label, plot.note});
        for (const MetricPlot::Line& line : plot.metrics) check_text(where + " " + plot.id, line.label);
    }
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

TEST_CASE("presets, experiments, settings, figures, lessons and commands speak in words") {
    for (const PresetInfo& preset : presets_in(assets_folder()))
        check_words(preset.name, {preset.title, preset.description, preset.group});
    for (const ExperimentInfo& info : experiments()) {
        check_words(info.name, {info.title, info.summary});
        for (const FieldInfo& field : *info.fields) {
            check_text(info.name + " " + field.name, field.label);
            // A surgery is written so: "zero P[phi,R]".
            if (field.role != FieldRole::surgery) check_text(info.name + " " + field.name, help_in_words(field));
            for (const std::string& choice : field.choices) check_text(field.name, value_in_words(field, choice));
        }
        for (const FigureInfo& figure : info.figures) check_text(figure.name, figure.title);
    }
    for (const LessonInfo& one : shipped_lessons()) {
        check_words(one.name, {one.title, one.description});
        for (const LessonStep& step : read_lesson(one.path).steps) {
            check_words(one.name, {sentences_of(step.text), sentences_of(step.reveal)});
            if (const auto* choice = step.predict ? std::get_if<ChoicePrediction>(&*step.predict) : nullptr)
                check_words(one.name, choice->choices);
        }
    }
    for (const WindowCommand& one : commands()) check_words(one.label, {one.label, one.help});
    for (const handbook::Term& term : handbook::glossary()) check_text(term.word, term.definition);
}

TEST_CASE("matrices, curves, read-outs and their explanations speak in words") {
    for (const SmallRun& small : small_runs()) {
        const RunOf run(small);
        check_study_words(small.experiment, run.study());
        check_snapshot_words(small.experiment, run.snapshot());
    }
}
