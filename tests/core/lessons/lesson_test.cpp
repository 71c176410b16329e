#include "core/lessons/lesson.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"
#include "tests/support/toy_study.h"

using namespace emergence;

namespace {

constexpr const char* kWhole = R"(title = "One"
description = "Short."
minutes = 2

[[step]]
text = "Look at {step}."
opens = "toy"
settings = { probe = 2, size = 4 }
stage = ["A"]
wings = ["loss"]
spotlight = ["A", "probe"]
unlocked = ["probe"]
paused = true
compare = { size = 2 }
predict = { choose = ["no", "yes"], answer = "yes" }
until = "step >= 20"
do = { probe = 3.5 }
holds = ["metric loss < 1", "emerged >= 0"]
reveal = "Yes."

[[step]]
text = "Click."
predict = { block = "A", answer = ["a", "b"] }
reveal = "There."

[[step]]
text = "Draw."
predict = { sketch = "loss", curve = "loss", x = [0, 100], y = [-1, 2.5] }
reveal = "So."
)";

std::vector<FileFault> faults_in(const std::string& text) {
    std::vector<FileFault> faults;
    parse_lesson(text, "x.toml", faults);
    return faults;
}

// A lesson with one step that has these lines, the first of them line 5.
std::string with_step(const std::string& lines) {
    return "title = \"T\"\nminutes = 1\n[[step]]\nopens = \"td\"\n" + lines + "\n";
}

bool says(const std::string& text, uint32_t line, const std::string& reason) {
    const std::vector<FileFault> faults = faults_in(text);
    return std::any_of(faults.begin(), faults.end(), [&](const FileFault& fault) {
        return fault.line == line && testing::holds(fault.reason, reason);
    });
}

}  // namespace

TEST_CASE("a lesson's file is read whole") {
    std::vector<FileFault> faults;
    const Lesson lesson = parse_lesson(kWhole, "one.toml", faults);
    for (const FileFault& fault : faults) MESSAGE(fault_text("one.toml", fault));
    REQUIRE(faults.empty());
    CHECK(lesson.title == "One");
    CHECK(lesson.minutes == 2);
    CHECK(lesson.source == "one.toml");
    REQUIRE(lesson.steps.size() == 3);
    const LessonStep& step = lesson.steps[0];
    CHECK(step.opens == "toy");
    REQUIRE(step.settings.size() == 2);
    CHECK(step.settings[0].value == FieldValue(int64_t{2}));
    CHECK(step.stage == std::vector<std::string>{"A"});
    CHECK(step.spotlight.size() == 2);
    CHECK(step.paused);
    REQUIRE(step.compare);
    CHECK(step.compare->field == "size");
    const auto& choice = std::get<ChoicePrediction>(*step.predict);
    CHECK(choice.choices.size() == 2);
    CHECK(choice.answer == 1);
    CHECK(step.until->text == "step >= 20");
    CHECK(step.does.front().value == FieldValue(3.5));
    CHECK(step.holds.size() == 2);
    CHECK(step.lines.at("until") == 16);
    const auto& block = std::get<BlockPrediction>(*lesson.steps[1].predict);
    CHECK(block.rows + block.columns == "ab");
    const auto& sketch = std::get<SketchPrediction>(*lesson.steps[2].predict);
    CHECK(sketch.curve == "loss");
    CHECK(sketch.right == 100.0);
    CHECK(sketch.bottom == -1.0);
    CHECK(sketch.top == 2.5);
    CHECK(looks_like_lesson(kWhole));
    CHECK_FALSE(looks_like_lesson("experiment = \"td\"\n"));
}

TEST_CASE("every error is reported with its line") {
    CHECK(says("title = \"T\"\n", 0, "step: at least one table [[step]] is needed"));
    CHECK(says("[[step]]\nopens = \"td\"\ntext = \"T\"\n", 0, "title: is missing"));
    CHECK(says("title = \"T\"\nminutes = 0\n[[step]]\ntext = \"T\"\nopens = \"td\"", 2, "minutes: a whole number"));
    CHECK(says("title = \"T\"\nautor = \"me\"\n[[step]]\ntext = \"T\"\nopens = \"td\"", 2, "unknown key 'autor'"));
    CHECK(says("title = \"T\"\n[[step]]\ntext = \"T\"\n", 2, "opens: is missing in the first step"));
    CHECK(says(with_step("reveal = \"R\""), 3, "text: is missing"));
    CHECK(says(with_step("text = \"T\"\nspotlights = []"), 6, "unknown key 'spotlights'"));
    CHECK(says(with_step("text = \"T\"\nuntil = \"steps > 3\""), 6, "until: \"steps > 3\""));
    CHECK(says(with_step("text = \"T\"\nholds = \"emerged > 3\""), 6, "holds: a list of conditions"));
    CHECK(says(with_step("text = \"T\"\nstage = \"P0\""), 6, "stage: a list of texts"));
    CHECK(says(with_step("text = \"T {step\""), 5, "the brace { has no }"));
    CHECK(says(with_step("text = \"T\"\ncovered = [\"A\"]"), 6, "covered: the step has no prediction"));
    CHECK(says(with_step("text = \"T\"\npaused = 1"), 6, "paused: true or false"));
    CHECK(says(with_step("text = \"T\"\ncompare = { a = 1, b = 2 }"), 6, "compare: one setting"));
    CHECK(says(with_step("text = \"T\"\ndo = 3"), 6, "do: a table is needed"));
    CHECK(says(with_step("text = \"T\"\nreveal = \"R\"\npredict = { guess = 1 }"), 7, "one of choose, block, sketch"));
    CHECK(says(with_step("text = \"T\"\nreveal = \"R\"\npredict = { choose = [\"a\"], answer = 0 }"), 7,
               "2 to 5 answers"));
    CHECK(says(with_step("text = \"T\"\nreveal = \"R\"\npredict = { choose = [\"a\", \"b\"], answer = \"c\" }"), 7,
               "answer: is not one of the choices"));
    CHECK(says(
        with_step("text = \"T\"\nreveal = \"R\"\npredict = { sketch = \"p\", curve = \"c\", x = [1, 0], y = [0, 1] }"),
        7, "x: two numbers are needed"));
    CHECK(says(with_step("text = \"T\"\npredict = { choose = [\"a\", \"b\"], answer = 0 }"), 6, "reveal: is missing"));
    CHECK(says("title = \"T\n", 1, ""));
    CHECK(fault_text("x.toml", {3, "no"}) == "x.toml:3: no");
    CHECK(fault_text("x.toml", {0, "no"}) == "x.toml: no");
}

TEST_CASE("texts have at most 40 words") {
    CHECK(count_words("") == 0);
    CHECK(count_words("  one,  two – three: γφ' ") == 5);
    std::string words;
    for (int i = 0; i < 40; ++i) words += "word ";
    CHECK(faults_in(with_step("text = \"" + words + "\"")).empty());
    CHECK(says(with_step("text = \"" + words + "more\""), 5, "has 41 words"));
}

TEST_CASE("a lesson that was written is read back as it was meant") {
    LessonDraft draft;
    draft.text = "Will \"it\" fall?";
    draft.opens = "opening \"2\"";
    draft.settings = {{"seeds", int64_t{4}, 0, 0}, {"rate", 2.0, 0, 0}, {"world_edits", std::string("r2=1"), 0, 0}};
    draft.stage = {"P0", "Q0"};
    draft.wings = {"loss"};
    draft.compare = LessonComparison{"seeds", int64_t{8}};
    draft.step = 1200;
    std::vector<FileFault> faults;
    const Lesson lesson = parse_lesson(
        "title = \"Mine\"\n" + lesson_step_text(draft) + lesson_step_text({.text = "Look."}), "x.toml", faults);
    CHECK(faults.empty());
    REQUIRE(lesson.steps.size() == 2);
    CHECK(lesson.steps[1].text == "Look.");
    CHECK(lesson.steps[1].opens.empty());
    const LessonStep& step = lesson.steps.front();
    CHECK(step.text == draft.text);
    CHECK(step.opens == draft.opens);
    CHECK(step.stage == draft.stage);
    CHECK(step.wings == draft.wings);
    REQUIRE(step.settings.size() == 3);
    for (const SettingsFile::Entry& entry : step.settings)
        for (const SettingsFile::Entry& meant : draft.settings)
            if (meant.name == entry.name) CHECK((meant.value == entry.value));
    REQUIRE(step.compare);
    CHECK((step.compare->value == FieldValue(int64_t{8})));
    REQUIRE(step.until);
    CHECK(step.until->text == "step >= 1200");
}

using namespace emergence::testing;

namespace {

// A toy run, and what is known of it.
struct Watched {
    explicit Watched(const std::vector<std::string>& changes, int64_t step)
        : run(toy_info(), toy_settings(changes), 1),
          history(run.history_to(step)),
          facts(facts_of(std::make_shared<const Snapshot>(run.snapshot()), history)) {}
    LessonView view() const { return {&facts}; }
    double value(const std::string& text) const { return value_of(parse_lesson_quantity(text), view()); }

    RunOf run;
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

TEST_CASE("comparisons of numbers") {
    const LessonView nothing;
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
    double sum = 0.0;
    for (const int seed : {0, 2, 3}) sum += toy.history.column("loss", seed).back();
    CHECK(toy.value("metric loss") == doctest::Approx(sum / 3));
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
        "emerged_at, failed, scalar, number, field, step, seeds, mean, median, share, count, least, "
        "greatest, quantile, deviation, standard_error, t, abs, run, runs, over x, over runs is expected where the end "
        "stands");
    CHECK(holds(reason("steps > 3"), "column 1: 'steps' is not a word of a quantity (did you mean 'step'"));
    CHECK(holds(reason("1 > befor step"), "column 5: 'befor' is not a word of a quantity (did you mean 'before'?)"));
    CHECK(holds(reason("step 3"), "one of <, <=, >, >=, == is expected where a number stands"));
    CHECK(holds(reason("step > 3 or step < 1"), "nothing is expected where 'or' stands"));
    CHECK(holds(reason("metric > 3"), "the name of a metric is expected where '>' stands"));
    CHECK(holds(reason("curve a b 3 > 1"), "'at' is expected"));
    CHECK(holds(reason("(step > 3"), "')' is expected"));
    CHECK(holds(reason("step > 'a"), "a name begins with ' but does not end"));
    CHECK(holds(reason("step ! 3"), "the sign '!' is unknown"));
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
        CHECK(holds(why, "is nested deeper than 32 levels"));
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
                         doctest::Contains("'steps' is not a word of a quantity"), InputError);
}
