// The grammar of conditions:
//
//     condition = clause { "and" clause }
//     clause    = "answered" | "edited world" | "field" NAME "changed" | a comparison of quantities
#include "core/lessons/condition.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/lab/quantity/parser.h"
#include "core/lab/quantity/reduce.h"

namespace emergence {
namespace {

using ClauseKind = Condition::Clause::Kind;

const std::vector<std::string> kLessonMoments = {"before", "other"};

Condition::Clause parsed_clause(QuantityParser& parser) {
    if (parser.take("answered")) return {};
    if (parser.is("edited") && parser.is("world", 1)) {
        parser.take("edited");
        parser.take("world");
        return {ClauseKind::edited_world, "", {}};
    }
    if (parser.is("field") && parser.is("changed", 2)) {
        parser.take("field");
        Condition::Clause changed{ClauseKind::field_changed, parser.name("field"), {}};
        parser.take("changed");
        return changed;
    }
    return {ClauseKind::compared, "", of_whole_run(parser.comparison(true))};
}

RunView view_of_facts(const LessonFacts* facts, const char* label) {
    RunView view;
    view.label = label;
    if (facts == nullptr) return view;
    view.snapshot = facts->snapshot.get();
    view.history = facts->history.get();
    return view;
}

// The numbers of a drawn world are fields that its handles set by dragging.
bool edited_world(const LessonView& view) {
    if (view.now == nullptr || view.before == nullptr) return false;
    const Snapshot& now = *view.now->snapshot;
    const Settings& before = view.before->snapshot->settings;
    for (const Scene& scene : now.scenes) {
        if (!scene.moments) continue;
        for (const DrawingSpec& drawing : *scene.moments)
            for (const DrawnHandle& handle : drawing.handles)
                if (handle.step > 0.0 && before.has(handle.field) && now.settings.has(handle.field) &&
                    before.value(handle.field) != now.settings.value(handle.field))
                    return true;
    }
    return false;
}

bool field_changed(const std::string& field, const LessonView& view) {
    if (view.now == nullptr || view.before == nullptr) return false;
    const Settings& now = view.now->snapshot->settings;
    const Settings& before = view.before->snapshot->settings;
    return now.has(field) && before.has(field) && now.value(field) != before.value(field);
}

bool holds(const Condition::Clause& clause, const LessonView& view) {
    if (clause.kind == ClauseKind::answered) return view.answered;
    if (clause.kind == ClauseKind::edited_world) return edited_world(view);
    if (clause.kind == ClauseKind::field_changed) return field_changed(clause.field, view);
    return value_of(clause.compared, view) == 1.0;
}

// Calls `text(piece)` and `number(quantity)` in order.
template <class Text, class Number>
void walk_braces(std::string_view text, const Text& plain, const Number& number) {
    for (size_t from = 0; from < text.size();) {
        const size_t open = text.find('{', from);
        if (open == std::string_view::npos) {
            plain(text.substr(from));
            return;
        }
        const size_t close = text.find('}', open);
        if (close == std::string_view::npos) throw InputError("the brace { has no }");
        plain(text.substr(from, open - from));
        number(parse_lesson_quantity(text.substr(open + 1, close - open - 1)));
        from = close + 1;
    }
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
    return std::all_of(condition.clauses.begin(), condition.clauses.end(),
                       [&](const Condition::Clause& clause) { return holds(clause, view); });
}

Condition parse_condition(std::string_view text) {
    try {
        QuantityParser parser(text, kLessonMoments);
        Condition condition{std::string(text), {}};
        do condition.clauses.push_back(parsed_clause(parser));
        while (parser.take("and"));
        parser.expect_end();
        return condition;
    } catch (const InputError& error) {
        throw quoting(text, error);
    }
}

Quantity parse_lesson_quantity(std::string_view text) {
    try {
        return of_whole_run(QuantityParser(text, kLessonMoments).whole());
    } catch (const InputError& error) {
        throw quoting(text, error);
    }
}

void check_lesson_quantity(const Quantity& quantity, const Snapshot& snapshot, const MetricHistory& history) {
    std::vector<RunView> runs;
    for (const char* label : {"", "before", "other"}) runs.emplace_back(snapshot, history, label);
    check_quantity(quantity, runs);
}

std::string filled_text(std::string_view text, const LessonView& view) {
    std::string filled;
    walk_braces(
        text, [&](std::string_view piece) { filled += piece; },
        [&](const Quantity& quantity) {
            const double value = value_of(quantity, view);
            filled += std::isfinite(value) ? fmt::format("{:.3g}", value) : "–";
        });
    return filled;
}

std::vector<Quantity> quantities_in(std::string_view text) {
    std::vector<Quantity> found;
    walk_braces(
        text, [](std::string_view) {}, [&](Quantity quantity) { found.push_back(std::move(quantity)); });
    return found;
}

}  // namespace emergence
