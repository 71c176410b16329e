#include "core/lab/quantity/quantity.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "tests/support/quantity_run.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

std::vector<double> read(const FinishedRun& run, const std::string& text) {
    std::vector<double> found;
    for (const SeedValue& one : values(RunView(run), parse_quantity(text))) found.push_back(one.value);
    return found;
}

std::string reason(const FinishedRun& run, const std::string& text) {
    return message_of<InputError>([&] { (void)values(RunView(run), parse_quantity(text)); });
}

}  // namespace

TEST_CASE("a value has its seed's place and number: runs numbered 5 and 7, or in the order 0, 1, 10, 2") {
    const FinishedRun two = quantity_run({5, 7}, {{0.5}, {0.7}});
    const auto found = values(RunView(two), parse_quantity("metric loss"));
    REQUIRE(found.size() == 2);
    CHECK(found[1].index == 1);
    CHECK(found[1].number == 7);
    CHECK(found[1].value == 0.7);
    CHECK(read(quantity_run({0, 1, 10, 2}, {{0.0}, {0.1}, {1.0}, {0.2}}), "metric loss") ==
          std::vector{0.0, 0.1, 1.0, 0.2});
}

TEST_CASE("a metric at the end, at the start and at a step") {
    // Logged at steps 0, 10 and 20; the second seed has no value at 20, the third has failed.
    FinishedRun run = quantity_run({3, 4, 5}, {{3, 2, 1}, {6, 5, kMissing}, {1, kMissing, kMissing}});
    run.snapshot.seeds[2].failed = true;
    const auto last = values(RunView(run), parse_quantity("metric loss"));
    CHECK(last[0].value == 1);
    CHECK(last[1].value == 5);
    CHECK(last[2].failed);
    CHECK(std::isnan(last[2].value));
    CHECK(read(run, "metric loss first")[1] == 6);
    CHECK(read(run, "metric loss at 0")[0] == 3);
    CHECK(read(run, "metric loss at 1")[0] == 2);
    CHECK(std::isnan(read(run, "metric loss at 11")[1]));
    CHECK(std::isnan(read(run, "metric loss at 21")[0]));
    // What was logged after the moment is not known yet.
    run.snapshot.step = 10;
    CHECK(read(run, "metric loss")[0] == 2);
    CHECK(std::isnan(read(run, "metric loss at 20")[0]));
}

TEST_CASE("a run of zero steps, and one without seeds") {
    FinishedRun begun = quantity_run({0, 1}, {{}, {}});
    CHECK(std::isnan(read(begun, "metric loss")[0]));
    CHECK(read(begun, "step") == std::vector{0.0, 0.0});
    CHECK(read(quantity_run({}, {}), "metric loss").empty());
}

TEST_CASE("norms, traces and entries of matrices, curves, scalars, fields") {
    const FinishedRun run = quantity_run({0, 1}, {{1}, {2}});
    // P of seed k is (1 + k) * [[3, 4, 0], [-1, 2, 5], [0, 1, -2]], rows a (2) and b (1), columns likewise.
    CHECK(read(run, "norm P a a") == std::vector{std::sqrt(30.0), std::sqrt(120.0)});
    CHECK(read(run, "norm P")[0] == doctest::Approx(std::sqrt(60.0)));
    CHECK(read(run, "block P a a") == std::vector{2.5, 5.0});
    CHECK(read(run, "trace P a a") == std::vector{5.0, 10.0});
    CHECK(read(run, "trace P") == std::vector{3.0, 6.0});
    CHECK(read(run, "entry P 0 1") == std::vector{4.0, 8.0});
    CHECK(read(run, "entry P -1 -2") == std::vector{1.0, 2.0});
    CHECK(read(run, "curve 'by length' network at 12") == std::vector{0.5, 1.5});
    CHECK(read(run, "curve 'by length' 'batch TD' at 99") == std::vector{9.0, 9.0});
    CHECK(read(run, "scalar probe + field learning_rate") == std::vector{7.05, 7.05});
    CHECK(read(run, "seeds") == std::vector{2.0, 2.0});
}

TEST_CASE("arithmetic is seed by seed, and NaN stays NaN") {
    const FinishedRun run = quantity_run({0, 1}, {{4}, {kMissing}});
    CHECK(read(run, "(1 + 2) * -3 - 4 / 2")[0] == -11.0);
    CHECK(read(run, "2 - 3 - 4")[0] == -5.0);
    CHECK(read(run, "-metric loss")[0] == -4);
    CHECK(read(run, "abs(1 - metric loss)")[0] == 3);
    CHECK(read(run, "least(metric loss, 3)")[0] == 3);
    for (const char* text : {"abs(metric loss)", "least(metric loss, 3)", "greatest(3, metric loss)"})
        CHECK(std::isnan(read(run, text)[1]));
    CHECK(read(run, "metric loss - mean(metric loss of known)")[0] == 0);
}

TEST_CASE("emerged and failed are known of every seed, emerged_at of those that emerged") {
    FinishedRun run = quantity_run({0, 1, 2}, {{1}, {2}, {3}});
    run.snapshot.seeds[0].emerged = true;
    run.snapshot.seeds[0].emerged_at = 10;
    run.snapshot.seeds[2].failed = true;
    CHECK(read(run, "emerged") == std::vector{1.0, 0.0, 0.0});
    CHECK(read(run, "failed") == std::vector{0.0, 0.0, 1.0});
    CHECK(read(run, "emerged_at")[0] == 10);
    CHECK(std::isnan(read(run, "emerged_at")[1]));
    run.snapshot.emergence_rule = "";
    CHECK(holds(reason(run, "emerged"), "experiment toy has no rule of emergence"));
}

TEST_CASE("what a run does not have is named with its column and near names") {
    const FinishedRun run = quantity_run({0, 1}, {{1}, {2}});
    CHECK(reason(run, "1 + metric los")
              .starts_with("\"1 + metric los\": column 5: unknown metric 'los'. Known: loss, twice"));
    CHECK(reason(run, "norm Q").starts_with("\"norm Q\": column 1: unknown matrix 'Q'. Known: P"));
    CHECK(holds(reason(run, "norm P a c"), "unknown block of columns 'c'. Known: a, b"));
    CHECK(holds(reason(run, "entry P 3 0"), "row 3: matrix P has 3 rows. Use 0 to 2, or -1 for the last"));
    CHECK(holds(reason(run, "curve 'by length' nets at 3"), "unknown curve 'nets'"));
    CHECK(holds(reason(run, "number disc x"), "the run has no scene 'disc'"));
    CHECK(holds(reason(run, "field learning_rat"), "did you mean 'learning_rate'"));
    CHECK(holds(reason(run, "field edits"), "is a text, not a number"));
    CHECK(holds(reason(run, "run 1: metric loss"), "run 1: there is 1, counted from 0"));
}

TEST_CASE("names may have spaces, Greek letters and primes; columns count characters") {
    const Quantity quantity = parse_quantity("curve 'a plot' 'batch TD' at -1.5");
    CHECK(quantity.name == "a plot");
    CHECK(quantity.part == "batch TD");
    CHECK(quantity.number == -1.5);
    const Quantity block = parse_quantity("block Q0 φ γφ'");
    CHECK(block.part == "φ");
    CHECK(block.columns == "γφ'");
    CHECK(parse_quantity("metric cross-entropy").name == "cross-entropy");
    CHECK(holds(message_of<InputError>([] { (void)parse_quantity("block Q0 φ γφ' x"); }), "column 16: nothing is"));
    CHECK(quoted_name("γφ'") == "γφ'");
    CHECK(quoted_name("batch TD") == "'batch TD'");
}

TEST_CASE("a text that is no quantity says what is expected where") {
    const auto why = [](const char* text) { return message_of<InputError>([&] { (void)parse_quantity(text); }); };
    CHECK(holds(why("mean(metric loss"), "column 17: ')' is expected where the end stands"));
    CHECK(holds(why("mean(mean(metric loss))"), "a reduction is inside another"));
    CHECK(holds(why("quantile(metric loss, 2)"), "a share from 0 to 1 is expected"));
    CHECK(holds(why("mean(metric loss of all)"), "emerged, not emerged or known is expected where 'all' stands"));
    CHECK(holds(why("metirc loss"), "did you mean 'metric'"));
    CHECK(holds(why("metric loss < 3"), "nothing is expected where '<' stands"));
    CHECK(holds(why("entry P 1.5 0"), "a whole number is expected"));
    CHECK(holds(why("run: metric a"), "the position of a run, from 0, or its name in quotes, is expected"));
}

TEST_CASE("what a run has reads back") {
    const FinishedRun run = quantity_run({0, 1}, {{1}, {2}});
    const auto available = available_quantities(RunView(run));
    CHECK(available.size() == 11);
    for (const AvailableQuantity& one : available) CHECK(read(run, one.text).size() == 2);
}
