// The game on the real bench, at its smallest, with the keys that a user presses.
#include "app/gui/guess/guess_sheet.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "core/files/array_files.h"
#include "tests/app/gui/pictures/picture_bench.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

struct Game {
    explicit Game(int64_t steps) : bench(small(steps)) { frames(4); }

    static Options small(int64_t steps) {
        Options options;
        options.preset = "bench";
        options.seeds = 1;
        options.assignments = {"num_layers=2", "d=2", "num_states=4", "n=8", "log_interval=" + std::to_string(steps)};
        return options;
    }
    void frames(int count = 2) { bench.frames(count); }
    void key(int code) {
        bench.press({code, 0, false, false});
        frames();
    }
    void click(const std::string& widget) {
        bench.gui().click(bench.gui().log().centre(widget), [this] { frames(1); });
    }
    // Networks are made on another thread.
    void until(const std::function<bool()>& there) {
        for (int i = 0; i < 30000 && !there(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            frames(1);
        }
        REQUIRE(there());
    }
    bool drawn(const std::string& widget) { return bench.gui().log().drawn(widget); }
    const GuessSheet& sheet() { return bench.workbench().guess(); }
    const GuessingGame& game() { return sheet().game(); }
    const Riddle& riddle() { return game().riddles()->networks[*game().shown()]; }

    Scratch scratch;
    PictureBench bench;
};

}  // namespace

TEST_CASE("the preset bench opens with the game, which waits for networks and closes with Esc") {
    Game game(6);
    CHECK(game.sheet().is_open());
    CHECK_FALSE(game.game().shown());
    game.key('1');
    CHECK(game.bench.session().pin(0) == nullptr);
    game.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(game.sheet().is_open());
    game.key('G');
    CHECK(game.sheet().is_open());
    game.key('G');
    CHECK_FALSE(game.sheet().is_open());
}

TEST_CASE("a round is played with keys, which are no commands meanwhile; a cell of a table lists its networks") {
    Game game(12);
    const auto made = [&] { return game.drawn("heatmap guess P0"); };
    game.until(made);
    CHECK(game.game().round_size() == 6);
    CHECK(game.drawn("verdict map"));
    const int64_t step = game.bench.session().live_snapshot()->step;
    game.key(GLFW_KEY_SPACE);  // nothing is guessed
    CHECK(game.game().place() == 1);
    game.key(GLFW_KEY_D);
    game.key(GLFW_KEY_N);
    for (int i = 0; i < 6; ++i) {
        const size_t truth = game.riddle().truth;
        game.key('1' + static_cast<int>(i == 0 ? (truth + 1) % 6 : truth));
        REQUIRE(game.game().guessed() != nullptr);
        CHECK(game.game().guessed()->right() == (i > 0));
        if (i < 5) game.key(i % 2 == 0 ? GLFW_KEY_ENTER : GLFW_KEY_KP_ENTER);
    }
    CHECK(right_guesses(game.game().guesses()).count == 5);
    CHECK(game.bench.session().live_snapshot()->step == step);
    CHECK(game.bench.session().pin(0) == nullptr);
    CHECK_FALSE(game.bench.session().wants_to_run());

    // The user's own table: the first network lies off the diagonal.
    const Guess first = game.game().guesses().front();
    const WidgetLog::Place cells = game.bench.gui().log().place("cells guess you");
    const auto across = [&](size_t at) { return (static_cast<float>(at) + 0.5F) / 6.0F; };
    game.bench.gui().click({cells.min.x + across(first.answer) * (cells.max.x - cells.min.x),
                            cells.min.y + across(first.riddle.truth) * (cells.max.y - cells.min.y)},
                           [&] { game.frames(1); });
    REQUIRE(game.sheet().list().is_open());
    REQUIRE(game.sheet().list().networks().size() == 1);
    game.key('2');  // the list has the keys
    game.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(game.sheet().list().is_open());
    CHECK(game.sheet().is_open());

    game.key(GLFW_KEY_SPACE);
    CHECK(game.game().round() == 2);
    CHECK(game.game().guesses().size() == 6);
}

TEST_CASE("a network of the bench opens in the microscope, with its own weights") {
    Game game(12);
    const Scratch& folder = game.scratch;
    game.bench.workbench().files().export_panel().choices().folder = folder.path().string();
    game.until([&] { return game.drawn("heatmap guess P0"); });
    const Riddle riddle = game.riddle();
    const Staging stood = game.bench.workbench().stage().staging();
    const auto network = game.game().riddles()->network(*game.game().shown());
    game.key('1' + static_cast<int>(riddle.truth));
    game.click("guess export");
    game.click("guess microscope");
    game.until([&] { return game.bench.session().info().name == "td"; });
    CHECK_FALSE(game.sheet().is_open());
    CHECK(game.bench.session().settings().text("look_inside") == "microscope");
    std::string written;
    for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
        written += file.path().filename().string() + " ";
        if (file.path().extension() != ".npz") continue;
        CHECK(read_npz(file.path()).at("P") == network.shown.weights.at("P"));
        CHECK(file.path().filename().string().starts_with(riddle.file_name()));
    }
    CHECK(written.find(".csv") != std::string::npos);
    CHECK(written.find(".npz") != std::string::npos);
    game.until([&] { return game.bench.session().snapshot() && game.bench.session().snapshot()->experiment == "td"; });
    CHECK(game.bench.session().banners().empty());
    const Staging microscope = game.bench.workbench().stage().staging();
    game.bench.act(Action::undo);
    game.until([&] { return game.bench.session().snapshot() && game.bench.session().snapshot()->riddles; });
    CHECK(game.bench.workbench().stage().staging() == stood);
    CHECK(stood != microscope);
    // The bench makes its networks again; then the round stands where it was.
    if (!game.bench.session().advancing()) game.bench.act(Action::run_or_pause);
    game.key('G');
    game.until([&] { return game.game().shown().has_value(); });
    CHECK(game.game().round() == 1);
    CHECK(game.game().guessed() != nullptr);
    CHECK(game.riddle().name() == riddle.name());
    game.bench.act(Action::redo);
    game.until([&] { return game.bench.session().info().name == "td"; });
    game.frames();
    CHECK(game.bench.workbench().stage().staging() == microscope);
}
