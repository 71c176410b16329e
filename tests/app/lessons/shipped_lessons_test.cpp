// Every shipped lesson, played as its texts ask: each condition is reached, each answer true.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "app/lessons/rehearsal.h"
#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

using namespace emergence;

TEST_SUITE_BEGIN("release");

namespace {

namespace fs = std::filesystem;

fs::path assets() { return testing::source_dir() / "assets"; }

// The saved run of the opening's setting, whose moments are those that training the lessons' runs would reach.
const RunToOpen& saved_opening() {
    static const RunToOpen run = run_in(assets() / "lessons" / "runs" / "opening", find_experiment);
    return run;
}

// The place of the run's first seed among the saved ones, if it is the same training; -1 otherwise. What is only logged
// or looked at, and how many seeds there are, makes no other training.
int place_in_saved(const Settings& settings) {
    const Settings& saved = saved_opening().settings;
    if (settings.fields().size() != saved.fields().size()) return -1;
    for (const FieldInfo& field : saved.fields()) {
        const bool of_seeds = field.name == "seed" || field.name == "seeds" || field.name == "log_interval";
        if (of_seeds || field.applies == Applies::live) continue;
        if (!settings.has(field.name) || settings.value(field.name) != saved.value(field.name)) return -1;
    }
    const int64_t place = settings.integer("seed") - saved.integer("seed");
    const bool inside = place >= 0 && place + settings.integer("seeds") <= saved.integer("seeds");
    return inside ? static_cast<int>(place) : -1;
}

// Trains nothing that the saved run has trained already.
class ShippedHost : public HeadlessHost {
  public:
    ShippedHost() : HeadlessHost(assets() / "lessons", find_experiment, 2) {}

  private:
    void advance(Follower& follower, int64_t step) override {
        const int place = step == 0 ? -1 : place_in_saved(follower.settings);
        const Checkpoint& saved = *saved_opening().checkpoint;
        const auto next = std::find_if(saved.moments.begin(), saved.moments.end(),
                                       [&](const SavedMoment& one) { return one.step >= step; });
        if (place < 0 || next == saved.moments.end()) {
            HeadlessHost::advance(follower, step);
            return;
        }
        const int64_t from = follower.run->step();
        const auto first = next->seeds.begin() + place;
        const int seeds = follower.run->num_seeds();
        follower.run->load({first, first + seeds});
        for (MetricRow row : rows_of(saved, follower.run->study().metrics())) {
            if (row.step <= from || row.step > next->step || row.seed_index < place || row.seed_index >= place + seeds)
                continue;
            row.seed_index -= place;
            follower.history.append(row);
        }
        follower.snapshot.reset();
    }
};

}  // namespace

TEST_CASE("every shipped lesson is sound and listed, the tour first") {
    size_t files = 0;
    for (const auto& entry : fs::directory_iterator(assets() / "lessons")) {
        if (entry.path().extension() != ".toml") continue;
        ++files;
        const std::string name = entry.path().filename().string();
        for (const FileFault& fault :
             check_lesson(testing::slurp(entry.path()), name, assets() / "lessons", find_experiment))
            FAIL_CHECK(fault_text(name, fault));
    }
    const std::vector<LessonInfo> listed = lessons_in(assets() / "lessons");
    REQUIRE(listed.size() == files);
    CHECK(listed.front().name == kTourLesson);
    for (const LessonInfo& one : listed) {
        CHECK_FALSE(one.description.empty());
        CHECK(one.minutes >= 3);
        CHECK(one.minutes <= 5);
    }
}

TEST_CASE("on paper no question of a shipped lesson asks for what only a screen has") {
    for (const LessonInfo& one : lessons_in(assets() / "lessons"))
        for (const LessonStep& step : read_lesson(one.path).steps) {
            std::string printed = (step.paper.empty() ? step.text : step.paper) + " " + step.reveal;
            std::transform(printed.begin(), printed.end(), printed.begin(),
                           [](unsigned char c) { return std::tolower(c); });
            for (const char* word : {"click", "press", "drag", "slider", "button", "show me", "screen", "mouse"})
                CHECK_MESSAGE(!testing::holds(printed, word), one.name << ": " << printed);
        }
}

TEST_CASE("saved runs of lessons are small") {
    uintmax_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(assets() / "lessons"))
        if (entry.is_regular_file()) bytes += entry.file_size();
    CHECK(bytes < 3'000'000);
}

TEST_CASE("the saved opening is what its setting trains today, to the bit") {
    const RunToOpen& saved = saved_opening();
    REQUIRE(saved.checkpoint->moments.size() > 4);
    ThreadPool pool(2);
    Run run(saved.experiment->make(saved.settings), pool);
    run.advance_to(saved.checkpoint->moments[1].step);
    const std::vector<ArrayMap> trained = run.save();
    REQUIRE(trained.size() == saved.checkpoint->moments[1].seeds.size());
    for (size_t k = 0; k < trained.size(); ++k) CHECK((trained[k] == saved.checkpoint->moments[1].seeds[k]));
}

TEST_CASE("every shipped lesson keeps its promises") {
    for (const LessonInfo& one : lessons_in(assets() / "lessons")) {
        const Lesson lesson = read_lesson(one.path);
        size_t number = 0;
        ShippedHost host;
        for (const RehearsedStep& step : rehearse(lesson, host)) {
            ++number;
            INFO(one.name << ", step " << number << ", " << step.opening + step.answering << " s");
            CHECK(step.failure == "");
        }
    }
}

TEST_SUITE_END();
