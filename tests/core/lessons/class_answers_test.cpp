#include "core/lessons/lesson.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/files/text.h"
#include "tests/support/scratch.h"

using namespace emergence;

namespace {

const Prediction kThree = ChoicePrediction{{"neither", "P will", "both will"}, 2};
const Prediction kCell = BlockPrediction{"Q0", "φ", "φ"};
const SketchPrediction kCurve{"loss", "loss", 0.0, 100.0, 0.0, 4.0};

}  // namespace

TEST_CASE("a class answers by numbers or words, one answer a name") {
    const ClassAnswers answers =
        read_class("Ada: 3\n\nBo:  Both will \nCy\tneither\nDi: p\nAda: 1\r\nEd: 4\nFay\n: 1\n", kThree);
    REQUIRE(answers.given.size() == 4);
    CHECK(answers.given[0].name == "Ada");
    CHECK(std::get<int>(answers.given[0].answer) == 0);
    const auto counts = class_counts(answers, kThree);
    REQUIRE(counts.size() == 3);
    CHECK(counts[0].count == 2);
    CHECK(counts[1].count == 1);
    CHECK(counts[2].count == 1);
    CHECK(counts[2].right);
    REQUIRE(answers.unread.size() == 3);
    CHECK(answers.unread[0] == "line 7: '4' is not an answer. Write 1 to 3, or the answer's words.");
    CHECK(answers.unread[1] == "line 8: write an answer as name: answer.");
}

TEST_CASE("the beginning of an answer is enough where it fits only one") {
    const Prediction two = ChoicePrediction{{"it falls", "it stays"}, 0};
    CHECK(read_class("A: it\n", two).given.empty());
    CHECK(read_class("A: it f\n", two).given.size() == 1);
}

TEST_CASE("a class's text may come from any system; other encodings, separators and crowds are named") {
    CHECK(read_class("\xEF\xBB\xBF"
                     "Ada: 3\nAda: 2\n",
                     kThree)
              .given.size() == 1);
    CHECK(read_class("Ada: 3\rBo: 2\r", kThree).given.size() == 2);
    CHECK_THROWS_WITH_AS(read_class("\xFF\xFE"
                                    "A",
                                    kThree),
                         doctest::Contains("is UTF-16"), InputError);
    const ClassAnswers foreign = read_class("Ada: 0 0,5; 100 1,5\n", kCurve);
    REQUIRE(foreign.unread.size() == 1);
    CHECK(testing::holds(foreign.unread[0], "Separate points by ',' and write 0.5, not 0,5."));
    CHECK(read_class("Ada;3\n", kThree).unread.at(0) ==
          "line 1: write an answer as name: answer, with ':' or a tab, not ';'.");
    std::string crowd;
    for (size_t i = 0; i <= kMostClassAnswers; ++i) crowd += std::to_string(i) + ": 1\n";
    CHECK_THROWS_WITH_AS(read_class(crowd, kThree), doctest::Contains("more than 10000 answers"), InputError);
}

TEST_CASE("blocks are counted by their names, the most frequent first") {
    const auto counts = class_counts(read_class("A: R, R\nB: φ, φ\nC: φ , φ\nD: φ\n", kCell), kCell);
    REQUIRE(counts.size() == 2);
    CHECK(counts[0].answer == "φ, φ");
    CHECK(counts[0].count == 2);
    CHECK(counts[0].right);
    CHECK_FALSE(counts[1].right);
}

TEST_CASE("curves are points or heights, and are summed up where they reach") {
    const Prediction curve = kCurve;
    const ClassAnswers answers =
        read_class("A: 0 4, 100 0\nB: 2, 2, 2\nC: 0 1, 50 1\nD: 1\nE: a b, c d\nF: nan, 1\n", curve);
    REQUIRE(answers.given.size() == 3);
    CHECK(answers.unread.size() == 3);
    const auto heights = class_heights(answers, kCurve, 3);
    REQUIRE(heights.size() == 3);
    CHECK(heights[1].x == 50.0);
    CHECK(heights[1].count == 3);
    CHECK(heights[1].lowest == 1.0);
    CHECK(heights[1].median == 2.0);
    CHECK(heights[1].highest == 2.0);
    CHECK(heights[2].count == 2);
    CHECK(class_counts(answers, curve).empty());
}
