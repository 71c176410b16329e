#include "core/lessons/condition.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

// A toy run, and what is known of it.
struct Watched {
    explicit Watched(const std::vector<std::string>& changes, int64_t step)
        : run(toy_info().make(toy_settings(changes)), pool) {
        history = MetricHistory(run.study().metrics(), run.num_seeds());
        for (const MetricRow& row : run.advance_to(step)) history.append(row);
        facts = facts_of(std::make_shared<const Snapshot>(run.snapshot()), history);
    }
    LessonView view() const { return {&facts}; }
    double value(const std::string& text) const { return value_of(parse_lesson_quantity(text), view()); }

    ThreadPool pool{1};
    Run run;
    MetricHistory history;
    LessonFacts facts;
};

bool is_true(const std::string& text, const LessonView& view) { return holds(parse_condition(text), view); }

}  // namespace

TEST_CASE("numbers of a run by their names") {
    const Watched toy({"scene_moments=1"}, 50);
    CHECK(toy.value("step") == 50);
    CHECK(toy.value("seeds") == 4);
    CHECK(toy.value("failed") == 0);
    CHECK(toy.value("field learning_rate") == 0.05);
    CHECK(toy.value("scalar probe") == toy.facts.snapshot->scalars.front().value);
    double sum = 0.0;
    for (int seed = 0; seed < 4; ++seed) sum += toy.history.column("loss", seed).back();
    CHECK(toy.value("metric loss") == doctest::Approx(sum / 4));
    double size = 0.0;
    for (const Table& matrix : toy.facts.snapshot->matrices.front().seeds)
        for (const double entry : matrix.values) size += std::abs(entry);
    CHECK(toy.value("block A a a") == doctest::Approx(size / 36));
    for (const char* unknown : {"metric gain", "scalar gain", "field gain", "number disc gain", "block A a b",
                                "curve gain gain at 3", "before step", "other step"})
        CHECK(std::isnan(toy.value(unknown)));
}

TEST_CASE("a metric counts finite seeds up to the shown step") {
    const Watched toy({"diverge_seed=1", "diverge_step=20"}, 50);
    double sum = 0.0;
    for (const int seed : {0, 2, 3}) sum += toy.history.column("loss", seed).back();
    CHECK(toy.value("metric loss") == doctest::Approx(sum / 3));
    CHECK(toy.value("failed") == 1);
}

TEST_CASE("formulas of numbers") {
    const LessonView nothing;
    const auto value = [&](const char* text) { return value_of(parse_lesson_quantity(text), nothing); };
    CHECK(value("1 + 2 * 3 - 4 / 2") == 5.0);
    CHECK(value("(1 + 2) * -3") == -9.0);
    CHECK(value("2 - 3 - 4") == -5.0);
    CHECK(is_true("1 < 2 and 2 <= 2 and 3 > 2 and 2 >= 2 and 2 == 2", nothing));
    CHECK_FALSE(is_true("1 < 2 and 2 < 1", nothing));
    CHECK_FALSE(is_true("step >= 0", nothing));
    CHECK_FALSE(is_true("step < 1", nothing));
}

TEST_CASE("before and other look at other moments") {
    const Watched now({}, 60), before({}, 10), other({"num_seeds=2"}, 20);
    const LessonView view{&now.facts, &before.facts, &other.facts};
    CHECK(is_true("before step == 10 and other step == 20 and step == 60", view));
    CHECK(is_true("other seeds < before seeds", view));
    CHECK(is_true("metric loss < 0.9 * before metric loss", view));
    CHECK(is_true("before (step + 1) == 11", view));
}

TEST_CASE("what the reader has done") {
    const Watched before({"scene_moments=1"}, 0);
    const Watched edited({"scene_moments=1", "edits=weight=0.7"}, 0);
    const Watched chosen({"scene_moments=1", "watched=2"}, 0);
    LessonView view{&edited.facts, &before.facts};
    CHECK(is_true("edited world", view));
    CHECK(is_true("field edits changed", view));
    CHECK_FALSE(is_true("field watched changed", view));
    CHECK_FALSE(is_true("answered", view));
    view.answered = true;
    CHECK(is_true("answered and edited world", view));
    // A handle that chooses something does not edit.
    const LessonView clicked{&chosen.facts, &before.facts};
    CHECK_FALSE(is_true("edited world", clicked));
    CHECK(is_true("field watched changed", clicked));
}

TEST_CASE("outside of reductions a number of a seed is a mean, and emerged and failed are counts") {
    const Watched toy({"diverge_seed=1", "diverge_step=20"}, 50);
    CHECK(toy.value("metric loss") == toy.value("mean(metric loss)"));
    CHECK(toy.value("failed") == toy.value("count(failed)"));
    CHECK(toy.value("metric loss / metric loss") == 1.0);
    CHECK(is_true("least(metric loss) < median(metric loss) and share(failed) == 0.25", toy.view()));
    CHECK(is_true("metric loss at 20 < metric loss first", toy.view()));
}

TEST_CASE("wrong conditions say what is expected where") {
    const auto reason = [](const char* text) { return message_of<InputError>([&] { (void)parse_condition(text); }); };
    CHECK(
        reason("") ==
        "\"\": column 1: a number or one of before, other, metric, curve, norm, block, trace, entry, emerged, "
        "emerged_at, emerged_function, failed, scalar, number, field, step, seeds, mean, median, share, count, least, "
        "greatest, quantile, deviation, standard_error, t, abs, run, runs, over x, over runs is expected where the end "
        "stands");
    CHECK(reason("steps > 3").find("column 1: 'steps' is no word of a quantity (did you mean 'step'") !=
          std::string::npos);
    CHECK(reason("1 > befor step").find("column 5: 'befor' is no word of a quantity (did you mean 'before'?)") !=
          std::string::npos);
    CHECK(reason("step 3").find("one of <, <=, >, >=, == is expected where a number stands") != std::string::npos);
    CHECK(reason("step > 3 or step < 1").find("nothing is expected where 'or' stands") != std::string::npos);
    CHECK(reason("metric > 3").find("the name of a metric is expected where '>' stands") != std::string::npos);
    CHECK(reason("curve a b 3 > 1").find("'at' is expected") != std::string::npos);
    CHECK(reason("(step > 3").find("')' is expected") != std::string::npos);
    CHECK(reason("step > 'a").find("a name begins with ' and does not end") != std::string::npos);
    CHECK(reason("step ! 3").find("the sign '!' is unknown") != std::string::npos);
}

TEST_CASE("conditions that would fill the stack are refused before they are parsed") {
    const auto times = [](int count, const std::string& part) {
        std::string text;
        for (int i = 0; i < count; ++i) text += part;
        return text;
    };
    const std::vector<std::string> deep = {times(10'000, "(") + "step" + times(10'000, ")") + " > 1",
                                           times(140'000, "before ") + "step > 1",
                                           "step" + times(450'000, "+1") + " > 1",
                                           "step > 1" + times(100'000, "/2"),
                                           times(33, "other before ") + "step > 1",
                                           times(4, times(20, "(1 * ") + "2" + times(20, ")") + " + ") + "2 > 1"};
    for (const std::string& text : deep) {
        const std::string why = message_of<InputError>([&] { (void)parse_condition(text); });
        CHECK(why.find("is nested deeper than 32 levels") != std::string::npos);
        CHECK(why.size() < 400);
        CHECK_THROWS_AS((void)parse_lesson_quantity(text), InputError);
    }
    CHECK_NOTHROW((void)parse_condition(times(10'000, "step + (1 * before step) > 1 and ") + "answered"));
}

TEST_CASE("texts hold numbers in braces") {
    const Watched toy({}, 20);
    CHECK(filled_text("step {step} of {field num_steps}, {metric gain} none", toy.view()) == "step 20 of 100, – none");
    CHECK(quantities_in("{step} and {2 * metric loss}").size() == 2);
    CHECK_THROWS_WITH_AS((void)filled_text("{step", toy.view()), doctest::Contains("the brace { has no }"), InputError);
    CHECK_THROWS_WITH_AS((void)filled_text("{steps}", toy.view()),
                         doctest::Contains("'steps' is no word of a quantity"), InputError);
}
