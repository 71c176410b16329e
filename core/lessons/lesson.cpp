#include "core/lessons/lesson.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/lab/quantity/quantity.h"
#include "core/settings/toml_reader.h"

namespace emergence {

namespace {

const std::vector<std::string> kLessonMoments = {"before", "other"};
// The clauses that are no comparisons, and their places.
constexpr int kAnswered = 0, kEditedWorld = 1, kFieldChanged = 2;
const ClauseForms kClauses = {{"answered"}, {"edited", "world"}, {"field", std::string(kClauseName), "changed"}};

RunView view_of_facts(const LessonFacts* facts, const char* label) {
    if (facts != nullptr) return {*facts->snapshot, *facts->history, label};
    RunView unknown;
    unknown.label = label;
    return unknown;
}

bool field_changed(const std::string& field, const LessonView& view) {
    if (view.now == nullptr || view.before == nullptr) return false;
    const Settings& now = view.now->snapshot->settings;
    const Settings& before = view.before->snapshot->settings;
    return now.has(field) && before.has(field) && now.value(field) != before.value(field);
}

// The numbers of a drawn world are fields that its handles set by dragging.
bool edited_world(const LessonView& view) {
    if (view.now == nullptr) return false;
    for (const Scene& scene : view.now->snapshot->scenes)
        for (size_t i = 0; scene.moments && i < scene.moments->size(); ++i)
            for (const DrawnHandle& handle : (*scene.moments)[i].handles)
                if (handle.step > 0.0 && field_changed(handle.field, view)) return true;
    return false;
}

bool holds(const QuantityClause& clause, const LessonView& view) {
    if (clause.form == kAnswered) return view.answered;
    if (clause.form == kEditedWorld) return edited_world(view);
    if (clause.form == kFieldChanged) return field_changed(clause.name, view);
    return value_of(clause.compared, view) == 1.0;
}

}  // namespace

LessonFacts facts_of(std::shared_ptr<const Snapshot> snapshot, const MetricHistory& history) {
    check(snapshot != nullptr, "facts are of a snapshot");
    return {std::move(snapshot), std::make_shared<const MetricHistory>(history)};
}

double value_of(const Quantity& quantity, const LessonView& view) {
    return number_of(quantity, {view_of_facts(view.now, ""), view_of_facts(view.before, "before"),
                                view_of_facts(view.other, "other")});
}

bool holds(const Condition& condition, const LessonView& view) {
    return all_of(condition.clauses, [&](const QuantityClause& clause) { return holds(clause, view); });
}

Condition parse_condition(std::string_view text) {
    Condition condition{std::string(text), parse_clauses(text, kClauses, kLessonMoments)};
    for (QuantityClause& clause : condition.clauses) clause.compared = of_whole_run(std::move(clause.compared));
    return condition;
}

Quantity parse_lesson_quantity(std::string_view text) { return of_whole_run(parse_quantity(text, kLessonMoments)); }

void check_lesson_quantity(const Quantity& quantity, const Snapshot& snapshot, const MetricHistory& history) {
    check_quantity(quantity, {{snapshot, history, ""}, {snapshot, history, "before"}, {snapshot, history, "other"}});
}

std::string filled_text(std::string_view text, const LessonView& view) {
    return with_braces_filled(text, [&](std::string_view quantity) {
        const double value = value_of(parse_lesson_quantity(quantity), view);
        return std::isfinite(value) ? fmt::format("{:.3g}", value) : "–";
    });
}

std::vector<Quantity> quantities_in(std::string_view text) {
    std::vector<Quantity> found;
    with_braces_filled(text, [&](std::string_view quantity) {
        found.push_back(parse_lesson_quantity(quantity));
        return std::string();
    });
    return found;
}

namespace {

const std::vector<std::string> kLessonKeys = {"title", "description", "minutes", "step"};
const std::vector<std::string> kStepKeys = {"text",      "opens",    "settings", "stage", "wings",      "covered",
                                            "spotlight", "unlocked", "paused",   "ghost", "fixed_axes", "compare",
                                            "predict",   "until",    "do",       "holds", "reveal",     "paper"};
constexpr int64_t kMostMinutes = 60;
constexpr size_t kFewestAnswers = 2;

class LessonReader : private TomlReader {
  public:
    explicit LessonReader(std::vector<FileFault>& faults) : TomlReader(faults) {}

    void read(const toml::table& root, Lesson& lesson) {
        check_keys(root, kLessonKeys, "a lesson");
        text(root, "title", lesson.title);
        lesson.title = shown_text(lesson.title);
        text(root, "description", lesson.description);
        if (lesson.title.empty()) fault(0, "title: is missing, e.g. title = \"One layer\"");
        if (const toml::node* minutes = root.get("minutes")) {
            lesson.minutes = minutes->value_exact<int64_t>().value_or(0);
            if (lesson.minutes < 1 || lesson.minutes > kMostMinutes)
                fault(line_of(*minutes), fmt::format("minutes: a whole number from 1 to {} is needed", kMostMinutes));
        }
        const toml::node* steps = root.get("step");
        if (steps == nullptr || !steps->is_array_of_tables())
            return fault(steps == nullptr ? 0 : line_of(*steps), "step: at least one table [[step]] is needed");
        for (const toml::node& node : *steps->as_array()) lesson.steps.push_back(step(*node.as_table()));
        if (!lesson.steps.empty() && lesson.steps.front().opens.empty())
            fault(lesson.steps.front().lines[""],
                  "opens: is missing in the first step. Name a preset or a saved run, e.g. opens = \"td\"");
    }

  private:
    // Text that a reader sees: few words, and numbers of the run in braces.
    void prose(uint32_t line, const char* key, const std::string& text) {
        if (const size_t words = count_words(text); words > kMostLessonWords)
            fault(line, fmt::format("{}: has {} words, but at most {} fit", key, words, kMostLessonWords));
        try {
            (void)quantities_in(text);
        } catch (const InputError& error) {
            fault(line, fmt::format("{}: {}", key, error.what()));
        }
    }
    std::vector<SettingsFile::Entry> entries(const toml::table& table, const char* key) {
        const toml::node* node = table.get(key);
        std::vector<SettingsFile::Entry> found;
        if (node == nullptr) return found;
        if (!node->is_table()) {
            fault(line_of(*node), fmt::format("{}: a table is needed, e.g. {{ gamma = 0.5 }}", key));
            return found;
        }
        for (const auto& [name, one] : *node->as_table())
            if (auto value = scalar_in(one))
                found.push_back(
                    {std::string(name.str()), *std::move(value), name.source().begin.line, name.source().begin.column});
            else
                fault(line_of(one),
                      fmt::format("{}: a number, true or false, or a text in quotes is needed", name.str()));
        return found;
    }
    std::optional<Condition> condition(const toml::node& node, const char* key) {
        const auto words = node.value_exact<std::string>();
        try {
            if (words) return parse_condition(*words);
            fault(line_of(node), fmt::format("{}: a text in quotes is needed, e.g. \"answered\"", key));
        } catch (const InputError& error) {
            fault(line_of(node), fmt::format("{}: {}", key, error.what()));
        }
        return std::nullopt;
    }

    LessonStep step(const toml::table& table) {
        LessonStep step;
        step.lines[""] = line_of(table);
        for (const auto& [key, node] : table) step.lines[std::string(key.str())] = key.source().begin.line;
        check_keys(table, kStepKeys, "a step");
        if (table.get("text") == nullptr) fault(step.lines[""], "text: is missing");
        for (const auto& [key, into] :
             {std::pair("text", &step.text), {"paper", &step.paper}, {"reveal", &step.reveal}})
            if (text(table, key, *into)) prose(step.lines[key], key, *into);
        text(table, "opens", step.opens);
        step.settings = entries(table, "settings");
        step.does = entries(table, "do");
        step.stage = texts(table, "stage");
        step.wings = texts(table, "wings");
        step.covered = texts(table, "covered");
        step.spotlight = texts(table, "spotlight");
        step.unlocked = texts(table, "unlocked");
        flag(table, "paused", step.paused);
        flag(table, "ghost", step.ghost);
        flag(table, "fixed_axes", step.fixed_axes);
        if (const auto compared = entries(table, "compare"); compared.size() == 1)
            step.compare = compared.front();
        else if (table.get("compare") != nullptr)
            fault(step.lines["compare"], "compare: one setting is needed, e.g. { num_layers = 1 }");
        if (const toml::node* until = table.get("until")) step.until = condition(*until, "until");
        read_holds(table, step);
        if (const toml::node* predict = table.get("predict")) step.predict = prediction(*predict);
        if (step.predict && step.reveal.empty())
            fault(step.lines["predict"], "reveal: is missing. Answer the prediction here");
        if (!step.predict && !step.covered.empty())
            fault(step.lines["covered"], "covered: the step has no prediction that would uncover it");
        return step;
    }
    void read_holds(const toml::table& table, LessonStep& step) {
        const toml::node* node = table.get("holds");
        if (node == nullptr) return;
        const toml::array* list = node->as_array();
        if (list == nullptr)
            return fault(line_of(*node), "holds: a list of conditions is needed, e.g. [\"emerged >= 1\"]");
        for (const toml::node& one : *list)
            if (auto found = condition(one, "holds")) step.holds.push_back(*std::move(found));
    }

    std::optional<Prediction> prediction(const toml::node& node) {
        const toml::table* table = node.as_table();
        if (table != nullptr && table->contains("choose")) return choice(*table);
        if (table != nullptr && table->contains("block")) return block(*table);
        if (table != nullptr && table->contains("sketch")) return sketch(*table);
        fault(line_of(node), "predict: a table with one of choose, block, sketch is needed");
        return std::nullopt;
    }
    std::optional<Prediction> choice(const toml::table& table) {
        check_keys(table, {"choose", "answer"}, "a prediction");
        ChoicePrediction found;
        found.choices = texts(table, "choose");
        if (found.choices.size() < kFewestAnswers || found.choices.size() > kMostAnswers)
            fault(line_of(table), fmt::format("choose: {} to {} answers are needed", kFewestAnswers, kMostAnswers));
        const toml::node* answer = table.get("answer");
        if (answer == nullptr) {
            fault(line_of(table), "answer: is missing. Write one of the answers, or its number counted from 0");
            return std::nullopt;
        }
        const auto& choices = found.choices;
        const auto named = std::find(choices.begin(), choices.end(), answer->value_exact<std::string>().value_or(""));
        const int64_t index = answer->value_exact<int64_t>().value_or(named - choices.begin());
        if (index < 0 || index >= static_cast<int64_t>(choices.size()))
            fault(line_of(*answer), "answer: is not one of the choices");
        found.answer = static_cast<int>(index);
        return found;
    }
    std::optional<Prediction> block(const toml::table& table) {
        check_keys(table, {"block", "answer"}, "a prediction");
        std::string matrix;
        text(table, "block", matrix);
        const std::vector<std::string> answer = texts(table, "answer");
        if (answer.size() == 2) return BlockPrediction{matrix, answer[0], answer[1]};
        fault(line_of(table), "answer: the names of a block's rows and columns are needed, e.g. [\"R\", \"R\"]");
        return std::nullopt;
    }
    std::optional<Prediction> sketch(const toml::table& table) {
        check_keys(table, {"sketch", "curve", "x", "y"}, "a prediction");
        SketchPrediction found;
        text(table, "sketch", found.plot);
        text(table, "curve", found.curve);
        std::tie(found.left, found.right) = ends(table, "x", {0.0, 1.0});
        std::tie(found.bottom, found.top) = ends(table, "y", {0.0, 1.0});
        return found;
    }
};

// Names of fields need no quotation marks.
std::string table_text(const std::vector<SettingsFile::Entry>& values) {
    return "{ " + listed(values, [](const auto& each) { return each.name + " = " + toml_value(each.value); }) + " }";
}

}  // namespace

std::string lesson_step_text(const LessonDraft& draft) {
    std::string text = "\n[[step]]\n";
    const auto line = [&](const char* key, const std::string& value) { text += fmt::format("{} = {}\n", key, value); };
    line("text", quoted_toml(draft.text));
    if (!draft.opens.empty()) line("opens", quoted_toml(draft.opens));
    if (!draft.settings.empty()) line("settings", table_text(draft.settings));
    if (!draft.stage.empty()) line("stage", toml_value(ViewValue(draft.stage)));
    if (!draft.wings.empty()) line("wings", toml_value(ViewValue(draft.wings)));
    if (draft.compare) line("compare", table_text({*draft.compare}));
    if (draft.step > 0) line("until", fmt::format("\"step >= {}\"", draft.step));
    return text;
}

Lesson parse_lesson(std::string_view text, const std::string& source, std::vector<FileFault>& faults) {
    Lesson lesson;
    lesson.source = source;
    if (const auto table = parse_toml(text, source, faults)) LessonReader(faults).read(*table, lesson);
    std::sort(faults.begin(), faults.end(), [](const FileFault& a, const FileFault& b) { return a.line < b.line; });
    return lesson;
}

bool looks_like_lesson(std::string_view text) {
    constexpr std::string_view kStep = "[[step]]";
    for (size_t at = text.find(kStep); at != std::string_view::npos; at = text.find(kStep, at + 1))
        if (const auto before = trimmed(text.substr(0, at), " \t"); before.empty() || before.back() == '\n')
            return true;
    return false;
}

size_t count_words(std::string_view text) {
    std::istringstream parts{std::string(text)};
    size_t words = 0;
    const auto is_letter = [](unsigned char byte) { return std::isalnum(byte) != 0 || byte > 127; };  // or part of a γ
    for (std::string part; parts >> part;) words += any_of(part, is_letter) ? 1 : 0;
    return words;
}

}  // namespace emergence
