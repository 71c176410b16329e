#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "app/cli/answer.h"
#include "tests/app/cli/told.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::cli;
using namespace emergence::testing;

namespace {

// With the toy and what ships.
Told tell_toy_and_lessons(const std::vector<std::string>& words, const std::atomic<bool>* stop = nullptr) {
    return tell(words, {toy_info()}, source_dir() / "assets", stop);
}

// A run of eight moments; its folder.
std::string toy_to_film(const Scratch& folder) {
    const std::string run = (folder / "run").string();
    REQUIRE(tell_toy_and_lessons({"run", "toy", "--set", "num_steps=50", "--moments", "8", "--out", run}).code ==
            kDone);
    return run;
}

struct ToyLesson {
    explicit ToyLesson(const std::string& until) {
        spit(folder / "toy.toml", "experiment = \"toy\"\n");
        spit(folder / "lesson.toml", "title = \"T\"\n[[step]]\ntext = \"Wait.\"\nopens = \"toy.toml\"\nuntil = \"" +
                                         until + "\"\nreveal = \"At {step}.\"\n");
    }
    Told tell_check(const std::vector<std::string>& more = {}) const {
        return tell_toy_and_lessons(with_words({"lesson", "check", (folder / "lesson.toml").string()}, more));
    }
    Scratch folder;
};

}  // namespace

TEST_CASE("lesson check reports every error with its line") {
    const Told sound = check_done(ToyLesson("step >= 20").tell_check());
    CHECK(holds(sound.out, "every name exists"));
    const ToyLesson wrong("metric lose > 1");
    const Told told = wrong.tell_check();
    CHECK(told.code == kBadInput);
    CHECK(told.err.starts_with((wrong.folder / "lesson.toml").string() + ":5: until: column 1: unknown metric 'lose'"));
    CHECK(holds(tell_toy_and_lessons({"run", (wrong.folder / "lesson.toml").string()}).err,
                "is a lesson. Check it with: emergence-cli lesson check"));
    CHECK(holds(tell_toy_and_lessons({"lesson", "check", "nowhere"}).err,
                "is neither a file nor the name of a shipped lesson"));
}

TEST_CASE("lesson check --play tells what is reached") {
    const Told reached = check_done(ToyLesson("step >= 20").tell_check({"--play", "--threads", "1"}));
    check_holds(reached.out, {"step 1: true", "    At 20."});
    const Told never = ToyLesson("step > 100").tell_check({"--play"});
    CHECK(never.code == kFailure);
    CHECK(holds(never.out, "was not reached by step 100"));
    CHECK(holds(never.err, "1 of 1 steps fail"));
}

TEST_CASE("lesson class counts what was predicted, and says what it cannot read") {
    const Scratch folder;
    spit(folder / "answers.txt", "Ada: 3\nBo: P's cell and Q's two diagonals\nCy: none\n");
    const auto told = [&](const std::string& step) {
        return tell_toy_and_lessons(
            {"lesson", "class", "tour", "--answers", (folder / "answers.txt").string(), "--step", step});
    };
    const Told counted = check_done(told("2"));
    check_holds(counted.out, {"P's cell and Q's two diagonals   (true)", "2 of 3 are right"});
    CHECK(holds(told("1").err, "asks for no prediction"));
    CHECK(holds(told("99").err, "the lesson has the steps 1 to"));
    spit(folder / "answers.txt", "Ada: 5 1, 60 0.3\nBo\n");
    const Told curves = told("5");
    CHECK(curves.code == kBadInput);
    CHECK(holds(curves.out, "median"));
    CHECK(holds(curves.err, "line 2: write an answer as name: answer."));
}

TEST_CASE("a worksheet is written again by its own command, and replaces nothing of others") {
    const ToyLesson toy("step >= 20");
    const auto sheet = [&](const std::string& out, const std::vector<std::string>& more = {}) {
        return tell_toy_and_lessons(
            with_words({"lesson", "worksheet", (toy.folder / "lesson.toml").string(), "--out", out}, more));
    };
    const std::string out = (toy.folder / "sheet.html").string();
    REQUIRE(sheet(out).code == kDone);
    const std::string first = slurp(out);
    CHECK(sheet(out).code == kDone);
    CHECK(slurp(out) == first);
    CHECK(sheet(out, {"--with-answers"}).code == kBadInput);
    CHECK(slurp(out) == first);
    CHECK(sheet(out, {"--with-answers", "--force"}).code == kDone);
    CHECK(slurp(out) != first);
    spit(toy.folder / "mine.html", "<!doctype html>\nof mine");
    CHECK(sheet((toy.folder / "mine.html").string(), {"--force"}).code == kBadInput);
    CHECK(holds(sheet("/usr/share/sheet.html").err, "a system folder"));
    // Told before it trains.
    CHECK(sheet((toy.folder / "none/sheet.html").string(), {"--dry-run"}).code == kDone);
    CHECK(holds(sheet((toy.folder / "none/sheet.html").string()).err, "cannot be written"));
}

TEST_CASE("film writes the moments as a GIF, the same bytes each time") {
    const Scratch folder;
    const std::string run = toy_to_film(folder);
    const auto film = [&](const std::string& out, const std::vector<std::string>& more = {}) {
        std::vector<std::string> words = {
            "film", run, "--out", (folder / out).string(), "--size", "320x320", "--fps", "2", "--seconds", "3"};
        words.insert(words.end(), more.begin(), more.end());
        return tell_toy_and_lessons(words);
    };
    const Told told = film("a.gif");
    CHECK(told.err == "");
    REQUIRE(told.code == kDone);
    CHECK(told.out.starts_with("6 frames of 320 x 320"));
    CHECK(slurp(folder / "a.gif").starts_with("GIF89a"));
    REQUIRE(film("b.gif").code == kDone);
    CHECK(slurp(folder / "a.gif") == slurp(folder / "b.gif"));
    CHECK(film("a.gif").code == kDone);  // its own, again
    const Told longer = tell_toy_and_lessons({"film", run, "--out", (folder / "a.gif").string(), "--seconds", "4"});
    CHECK(longer.code == kBadInput);  // nothing else is replaced
    CHECK(film("a.gif", {"--force"}).code == kDone);
    spit(folder / "cat.gif", "GIF89a of a cat");
    CHECK(film("cat.gif", {"--force"}).code == kBadInput);
    CHECK(slurp(folder / "cat.gif") == "GIF89a of a cat");
    CHECK(holds(film("frames").err, "Write --out frames.gif"));
    CHECK(tell_toy_and_lessons({"film", run, "--out", "x.gif", "--size", "10x10"}).code == kBadInput);
    // Told before it draws.
    CHECK(film("none/a.gif", {"--dry-run"}).code == kDone);
    CHECK(holds(film("none/a.gif").err, "cannot be written"));
    CHECK(holds(tell_toy_and_lessons({"film", run, "--out", "/usr/share/a.gif"}).err, "a system folder"));
}

TEST_CASE("a GIF takes as long as it was asked to, at any number of frames a second") {
    const Scratch folder;
    const std::string run = toy_to_film(folder);
    for (const int fps : {1, 7, 24, 30, 45, 50}) {
        CAPTURE(fps);
        const std::string out = (folder / fmt::format("{}.gif", fps)).string();
        REQUIRE(tell_toy_and_lessons(
                    {"film", run, "--out", out, "--size", "320x320", "--fps", std::to_string(fps), "--seconds", "2"})
                    .code == kDone);
        const std::string gif = slurp(out);
        int hundredths = 0;
        for (size_t at = 0; (at = gif.find("!\xF9\x04\x04", at)) != std::string::npos; at += 4) {
            const int delay = static_cast<unsigned char>(gif[at + 4]) + 256 * static_cast<unsigned char>(gif[at + 5]);
            CHECK(delay >= 2);
            hundredths += delay;
        }
        CHECK(std::abs(hundredths - 200) <= 1);
    }
}

TEST_CASE("a film that is stopped leaves no file") {
    const Scratch folder;
    const std::string run = toy_to_film(folder);
    const std::atomic<bool> stop = true;
    CHECK(
        tell_toy_and_lessons({"film", run, "--out", (folder / "film.gif").string(), "--size", "320x320"}, &stop).code ==
        kFailure);
    CHECK_FALSE(std::filesystem::exists(folder / "film.gif"));
}

TEST_CASE("the --json of every command ends in one line of JSON") {
    const Scratch folder;
    const std::string a = (folder / "a").string(), b = (folder / "b").string();
    const auto out = [&folder](const char* name) { return (folder / name).string(); };
    const auto check = [](std::vector<std::string> words, const std::vector<ExperimentInfo>& known) {
        words.emplace_back("--json");
        const Told told = tell(words, known, source_dir() / "assets");
        INFO(words[0], ", ", told.err);
        REQUIRE(told.code == kDone);
        REQUIRE(told.out.ends_with('\n'));
        const std::string text = told.out.substr(0, told.out.size() - 1);
        CHECK_MESSAGE(Json::accept(text.substr(text.rfind('\n') + 1)), told.out);
    };
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"run", "toy", "--out", a},
             {"run", "toy", "--set", "learning_rate=0.1", "--out", b},
             {"run", "toy", "--dry-run", "--out", out("none")},
             {"resume", a},
             {"read", a, b},
             {"read", a, "--quantity", "mean(metric loss)"},
             {"compare", a, b, "--out", out("c")},
             {"describe", a},
             {"film", a, "--size", "320x320", "--seconds", "1", "--out", out("f.gif")}})
        check(words, {toy_info()});
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"list"},
             {"lesson", "list"},
             {"lesson", "check", "tour"},
             {"info"},
             {"verify", "--list"},
             {"verify", "--check"},
             {"handbook"},
             {"handbook", "quantities"},
             {"figure", "wang-2", "--dry-run", "--out", out("none")},
             {"sweep", "td", "--set", "gamma=0.5,0.9", "--dry-run", "--out", out("none")}})
        check(words, experiments());
}

TEST_CASE("a pupil's file that is no answer is named, and two files of a name are one pupil") {
    const Scratch folder;
    std::filesystem::create_directory(folder / "class");
    spit(folder / "class/Ada.txt", "1\n");
    spit(folder / "class/Bo.txt", "what?\n");
    spit(folder / "class/Zo\xC3\xAB.txt", "1\n");
    spit(folder / "class/Zo\xC3\xAB.md", "2\n");
    const auto count = [&] {
        return tell_toy_and_lessons(
            {"lesson", "class", "tour", "--step", "2", "--answers", (folder / "class").string()});
    };
    const Told told = count();
    CAPTURE(told.err);
    CHECK(holds(told.err, "class: Bo.txt: 'what?' is not an answer"));
    CHECK(holds(told.out, "of 2 are right"));
    std::filesystem::create_symlink("gone.txt", folder / "class/Cy.txt");
    CHECK(holds(count().err, "Cy.txt: is a link to gone.txt, which does not exist"));
}
