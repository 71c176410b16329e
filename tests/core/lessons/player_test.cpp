#include "core/lessons/lesson.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

// Notes what the player asks for; its run is at the step that a test sets.
class NotingHost : public LessonHost {
  public:
    void open(const std::string& opens, const std::vector<SettingsFile::Entry>& settings) override {
        note("open " + opens + texts(settings));
        ready = false;
    }
    void change(const std::vector<SettingsFile::Entry>& settings) override { note("change" + texts(settings)); }
    void compare(const std::optional<LessonComparison>& comparison) override {
        if (comparison) note("compare " + comparison->name);
    }
    void train(bool on) override { trains = on; }
    void show(const LessonStep&, bool is_predicting, const std::vector<std::string>& is_covered) override {
        predicting = is_predicting;
        covered = is_covered;
    }
    std::optional<LessonFacts> facts() override {
        if (!ready) return std::nullopt;
        Snapshot snapshot;
        snapshot.settings = toy_settings();
        snapshot.step = step;
        return LessonFacts{std::make_shared<const Snapshot>(snapshot), {}};
    }
    std::optional<LessonFacts> other_facts() override { return std::nullopt; }
    std::optional<PlotSpec> plot(const std::string& id) override {
        PlotSpec plot;
        plot.id = id;
        plot.series = {{"line", {0.0, 5.0, 10.0}, {{0.0, 0.5, 1.0}, {0.0, 0.7, 1.0}}}};
        return plot;
    }

    std::vector<std::string> asked;
    bool ready = false, trains = false, predicting = false;
    std::vector<std::string> covered;
    int64_t step = 0;

  private:
    static std::string texts(const std::vector<SettingsFile::Entry>& settings) {
        std::string all;
        for (const auto& entry : settings) all += " " + entry.name + "=" + to_text(entry.value);
        return all;
    }
    void note(const std::string& what) { asked.push_back(what); }
};

Lesson lesson_of(const std::string& steps) {
    std::vector<FileFault> faults;
    Lesson lesson = parse_lesson("title = \"T\"\n" + steps, "t.toml", faults);
    for (const FileFault& fault : faults) MESSAGE(fault_text("t.toml", fault));
    REQUIRE(faults.empty());
    return lesson;
}

using Phase = LessonPlayer::Phase;

// A lesson whose first step has its run.
struct Lecture {
    explicit Lecture(const std::string& steps) : player(lesson_of(steps), host) {
        host.ready = true;
        player.turn();
    }
    NotingHost host;
    LessonPlayer player;
};

}  // namespace

TEST_CASE("a prediction comes before the run, the answer after its condition") {
    NotingHost host;
    LessonPlayer player(lesson_of(R"([[step]]
text = "Will it?"
opens = "toy"
covered = ["headline"]
predict = { choose = ["no", "yes"], answer = "yes" }
until = "step >= 20"
reveal = "At {step}, {before step} before."
holds = ["step == 25"]
)"),
                        host);
    CHECK(host.asked == std::vector<std::string>{"open toy"});
    CHECK(player.phase() == Phase::opening);
    CHECK_FALSE(host.trains);
    player.turn();
    CHECK(player.phase() == Phase::opening);
    host.ready = true;
    host.step = 3;
    player.turn();
    CHECK(player.phase() == Phase::predicting);
    CHECK(host.predicting);
    CHECK(host.covered == std::vector<std::string>{"headline"});
    CHECK_FALSE(host.trains);
    CHECK(player.reveal().empty());
    player.answer(1);
    CHECK(player.phase() == Phase::doing);
    CHECK(host.trains);
    CHECK_FALSE(host.predicting);
    CHECK(host.covered.empty());
    CHECK_FALSE(player.right());
    player.answer(0);  // too late
    host.step = 25;
    player.turn();
    CHECK(player.phase() == Phase::revealed);
    CHECK_FALSE(host.trains);
    CHECK(player.right() == true);
    CHECK(player.reveal() == "At 25, 3 before.");
    CHECK(player.false_statements().empty());
    host.step = 30;
    player.turn();
    CHECK(player.false_statements() == std::vector<std::string>{"step == 25"});
}

TEST_CASE("steps go on with the run, and back opens it again as far as it was asked for") {
    Lecture lecture(R"([[step]]
text = "One."
opens = "first"
settings = { probe = 2.0 }
do = { probe = 3.0 }
until = "step >= 10"
[[step]]
text = "Two."
settings = { watched = 1 }
compare = { size = 2 }
[[step]]
text = "Three."
opens = "second"
)");
    auto& [host, player] = lecture;
    CHECK(player.can_do_it());
    player.do_it();
    player.next();
    player.next();
    player.turn();
    CHECK(player.at_last());
    player.next();
    CHECK(player.index() == 2);
    player.back();
    CHECK(host.asked == std::vector<std::string>{"open first probe=2", "change probe=3", "change watched=1",
                                                 "compare size", "open second", "open first probe=2 probe=3 watched=1",
                                                 "compare size"});
    player.back();
    CHECK(player.index() == 0);
    player.back();
    CHECK(player.index() == 0);
}

TEST_CASE("what was answered is there when one comes back") {
    Lecture lecture(R"([[step]]
text = "Which?"
opens = "toy"
predict = { block = "A", answer = ["a", "b"] }
reveal = "There."
[[step]]
text = "Two."
)");
    auto& [host, player] = lecture;
    player.answer(BlockAnswer{"a", "a"});
    CHECK(player.phase() == Phase::revealed);
    CHECK(player.right() == false);
    player.next();
    player.turn();
    CHECK(player.phase() == Phase::revealed);
    player.back();
    host.ready = true;
    player.turn();
    CHECK(player.phase() == Phase::revealed);
    CHECK(player.right() == false);
    CHECK(player.reveal() == "There.");
}

TEST_CASE("a prediction is made again until its answer is there, and the run rests meanwhile") {
    Lecture lecture(R"([[step]]
text = "Will it?"
opens = "toy"
predict = { choose = ["no", "yes"], answer = 1 }
until = "step >= 20"
reveal = "From {before step} to {step}."
[[step]]
text = "Two."
)");
    auto& [host, player] = lecture;
    CHECK_FALSE(player.can_answer_again());
    player.answer(0);
    CHECK(player.can_answer_again());
    host.step = 10;
    player.turn();
    player.answer_again();
    CHECK(player.phase() == Phase::predicting);
    CHECK_FALSE(player.answered());
    CHECK(host.predicting);
    CHECK_FALSE(host.trains);
    player.answer(0);
    CHECK_FALSE(player.changed_answer());
    player.answer_again();
    player.answer(1);
    CHECK(player.changed_answer());
    host.step = 20;
    player.turn();
    REQUIRE(player.phase() == Phase::revealed);
    CHECK(player.right() == true);
    CHECK(player.reveal() == "From 0 to 20.");  // since the first prediction
    CHECK_FALSE(player.can_answer_again());
    player.answer_again();
    CHECK(player.answered() == Answer(1));
    // Back at the step, the run begins again: the answer is shown once it is true again, and stays locked.
    player.next();
    player.turn();
    player.back();
    host.ready = true;
    host.step = 0;
    player.turn();
    CHECK(player.phase() == Phase::doing);
    CHECK(player.reveal().empty());
    CHECK(host.trains);
    CHECK_FALSE(player.can_answer_again());
    host.step = 20;
    player.turn();
    CHECK(player.reveal() == "From 0 to 20.");
}

TEST_CASE("what the next step asks about is covered before it, as long as the run is the same") {
    NotingHost host;
    LessonPlayer player(lesson_of(R"([[step]]
text = "Train."
opens = "toy"
until = "step >= 20"
[[step]]
text = "How many?"
covered = ["headline"]
predict = { choose = ["no", "yes"], answer = "yes" }
until = "emerged >= 1"
reveal = "Yes."
[[step]]
text = "Draw."
predict = { sketch = "p", curve = "line", x = [0, 10], y = [0, 2] }
reveal = "So."
[[step]]
text = "And in another run?"
opens = "toy"
covered = ["loss"]
predict = { choose = ["no", "yes"], answer = "yes" }
reveal = "Yes."
)"),
                        host);
    host.ready = true;
    host.step = 25;
    CHECK(player.awaited_step() == 20);
    player.turn();
    CHECK(player.phase() == Phase::revealed);
    CHECK(host.covered == std::vector<std::string>{"headline"});
    player.next();
    player.turn();
    CHECK_FALSE(player.awaited_step());
    CHECK(host.covered == std::vector<std::string>{"headline", "p"});
    player.answer(1);
    CHECK(host.covered == std::vector<std::string>{"p"});
    player.next();
    player.turn();
    CHECK(host.covered == std::vector<std::string>{"p"});
    player.answer(Sketch{{0.0, 0.2}, {10.0, 1.2}});
    CHECK(host.covered.empty());
}

TEST_CASE("a sketch is compared with the live curve") {
    Lecture lecture(R"([[step]]
text = "Draw."
opens = "toy"
predict = { sketch = "p", curve = "line", x = [0, 10], y = [0, 2] }
reveal = "So."
)");
    auto& [host, player] = lecture;
    CHECK(host.covered == std::vector<std::string>{"p"});
    CHECK(player.live_curve().empty());
    player.answer(Sketch{{0.0, 0.2}, {10.0, 1.2}});
    CHECK(player.phase() == Phase::revealed);
    CHECK(host.covered.empty());
    REQUIRE(player.live_curve().size() == 3);
    CHECK(player.live_curve()[1].second == doctest::Approx(0.6));
    // Off by 0.2, 0.1 and 0.2 on an axis of length 2.
    CHECK(*player.sketch_error() == doctest::Approx(0.5 / 3 / 2));
    CHECK_FALSE(player.right());
}
