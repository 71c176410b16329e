#include "core/lab/guessing/game.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace emergence {
namespace {

// Three answers, two judges, of which the second is always wrong; `each` networks of each answer.
std::shared_ptr<const Riddles> riddles_of(int each, const std::string& origin = "small") {
    auto riddles = std::make_shared<Riddles>();
    riddles->origin = origin;
    riddles->answers = {{"a", ""}, {"b", ""}, {"c, or none", ""}};
    riddles->judges = {{"good", "good", "", 0.5, "confusion_good"}, {"bad", "bad", "", 0.5, "confusion_bad"}};
    for (int number = 0; number < 3 * each; ++number) {
        const auto truth = static_cast<size_t>(number % 3), wrong = (truth + 1) % 3;
        riddles->networks.push_back({7, number, truth, "", "", {{truth, true, "x", 0.8}, {wrong, false, "y", 0.2}}});
    }
    return riddles;
}

std::vector<int64_t> numbers_of_round(GuessingGame& game) {
    std::vector<int64_t> numbers;
    for (const size_t size = game.round_size(); numbers.size() < size; game.next()) {
        numbers.push_back(game.riddles()->networks[*game.shown()].number);
        CHECK(game.guess(0));
    }
    return numbers;
}

TEST_CASE("a round has each answer equally often, no network twice, and the same order every time") {
    GuessingGame game, again;
    game.follow(riddles_of(5));
    again.follow(riddles_of(5));
    CHECK(game.round_size() == 6);
    const std::vector<int64_t> first = numbers_of_round(game);
    CHECK(first == numbers_of_round(again));
    CHECK(std::set<int64_t>(first.begin(), first.end()).size() == 6);
    std::map<int64_t, int> of_answer;
    for (const int64_t number : first) ++of_answer[number % 3];
    CHECK(of_answer == std::map<int64_t, int>{{0, 2}, {1, 2}, {2, 2}});
    // Others come in the second round, and there is one left of each for the third, with one that was seen.
    CHECK(game.round() == 2);
    const std::vector<int64_t> second = numbers_of_round(game);
    for (const int64_t number : second) CHECK(std::count(first.begin(), first.end(), number) == 0);
    CHECK(numbers_of_round(game).size() == 6);
    CHECK(game.guesses().size() == 18);
}

TEST_CASE("a round begins once every answer has a network, and goes on while the run adds some") {
    auto two = std::make_shared<Riddles>(*riddles_of(1));
    two->networks.pop_back();
    GuessingGame game;
    game.follow(nullptr);
    CHECK_FALSE(game.shown());
    CHECK_FALSE(game.guess(0));
    game.follow(two);
    CHECK_FALSE(game.shown());
    game.follow(riddles_of(1));
    CHECK(game.round_size() == 3);
    const int64_t shown = game.riddles()->networks[*game.shown()].number;
    game.follow(riddles_of(5));
    CHECK(game.riddles()->networks[*game.shown()].number == shown);
    CHECK(game.round_size() == 3);
}

TEST_CASE("a network is guessed once, and its label stays covered until then") {
    GuessingGame game;
    game.follow(riddles_of(2));
    const size_t shown = *game.shown();
    CHECK(game.is_covered(shown));
    CHECK_FALSE(game.next());
    CHECK_FALSE(game.guess(3));
    CHECK(game.guess(game.riddles()->networks[shown].truth));
    CHECK_FALSE(game.guess(0));
    CHECK(game.guessed()->right());
    CHECK_FALSE(game.is_covered(shown));
    CHECK(game.next());
    CHECK(game.guessed() == nullptr);
    CHECK(game.is_covered(*game.shown()));
}

TEST_CASE("guesses are scored beside the judges, and survive another run") {
    GuessingGame game;
    game.follow(riddles_of(2));
    numbers_of_round(game);  // always a
    const Fraction right = right_guesses(game.guesses());
    CHECK(right.count == 2);
    CHECK(right.total == 6);
    CHECK(right.low < 1.0 / 3);
    CHECK(right_verdicts(game.guesses(), 0).count == 6);
    CHECK(right_verdicts(game.guesses(), 1).count == 0);
    const Table confusion = confusion_of_guesses(game.guesses(), 3);
    for (int truth = 0; truth < 3; ++truth) CHECK(confusion(truth, 0) == 1);
    CHECK(std::isnan(confusion_of_guesses({}, 3)(0, 0)));

    game.follow(riddles_of(1, "other"));
    CHECK(game.round_size() == 3);
    CHECK(game.guessed() == nullptr);
    CHECK(game.guesses().size() == 6);
    const std::string csv = guesses_csv(game.guesses(), *game.riddles());
    CHECK(csv.starts_with("round,seed,network,truth,made_as,disguise,you,right,good,bad,networks_of\n1,7,"));
    CHECK(csv.find("\"c, or none\"") != std::string::npos);
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 7);
    game.start_over();
    CHECK(game.guesses().empty());
    CHECK(game.round() == 1);
}

TEST_CASE("a cell of a judge's table names its networks, whichever shares it shows") {
    const auto riddles = riddles_of(2);
    CHECK(networks_in_cell(*riddles, "confusion_good", 1, 1) == std::vector<size_t>{1, 4});
    CHECK(networks_in_cell(*riddles, "inversion_bad", 0, 1) == std::vector<size_t>{0, 3});
    CHECK(networks_in_cell(*riddles, "inversion_bad", 0, 0).empty());
    CHECK(networks_in_cell(*riddles, "P0", 0, 0).empty());
}

}  // namespace
}  // namespace emergence
