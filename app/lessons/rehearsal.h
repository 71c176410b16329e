#pragma once
// Checks a lesson's names, and plays it without a window as its texts ask.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson_files.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/lessons/lesson.h"

namespace emergence {

/// Holds runs A and B of a lesson. A call for facts advances them.
class HeadlessHost : public LessonHost {
  public:
    HeadlessHost(std::filesystem::path folder, FindExperiment find, int threads);

    void open(const std::string& opens, const std::vector<SettingsFile::Entry>& settings) override;
    void change(const std::vector<SettingsFile::Entry>& settings) override;
    void compare(const std::optional<LessonComparison>& comparison) override;
    void train(bool on) override { trains_ = on; }
    void show(const LessonStep&, bool, const std::vector<std::string>&) override {}
    /// Trains both runs a little further, if they train.
    std::optional<LessonFacts> facts() override;
    std::optional<LessonFacts> other_facts() override;
    std::optional<PlotSpec> plot(const std::string& id) override;

    /// Run A, with a field's value as `settings` have it.
    const Run& run() const { return *a_.run; }
    const MetricHistory& history() const { return a_.history; }
    /// What the present run was opened from.
    const LessonStart& start() const { return start_; }
    const Settings& settings() const { return a_.settings; }
    const ExperimentInfo& experiment() const { return *start_.experiment; }
    Snapshot snapshot() const;
    /// Nothing more can happen by itself.
    bool rests() const { return !trains_ || a_.run->finished(); }

  protected:
    struct Follower {
        Settings settings;
        std::unique_ptr<Run> run;
        MetricHistory history;
        std::shared_ptr<const Snapshot> snapshot;
    };
    /// Run B, or nullptr.
    const Follower* other() const { return b_.run ? &b_ : nullptr; }
    /// Trains the run to `step`, at most to its end.
    virtual void advance(Follower& follower, int64_t step);

  private:
    Follower begin(const Settings& settings, const Checkpoint* from);

    std::filesystem::path folder_;
    FindExperiment find_;
    ThreadPool pool_;
    LessonStart start_;
    Follower a_, b_;
    bool trains_ = false;
};

/// Returns every error of a lesson's file: first those of its form, then presets, pictures, fields, metrics and blocks
/// that do not exist. It trains nothing.
std::vector<FileFault> check_lesson(std::string_view text, const std::string& source,
                                    const std::filesystem::path& folder, const FindExperiment& find);

/// One step as it was played.
struct RehearsedStep {
    /// Seconds until the run was there, and seconds from the answer until the condition held.
    double opening = 0.0, answering = 0.0;
    /// The step at which the run was left.
    int64_t at = 0;
    std::string reveal;
    /// "" if its condition was reached and all that it states is true.
    std::string failure;
};
/// Plays the lesson: it answers as the file says, does what `do` says, and trains while a condition waits. Calls `news`
/// after each step, and `asked` while each step's question stands. Throws InputError if a name is wrong.
std::vector<RehearsedStep> rehearse(const Lesson& lesson, HeadlessHost& host,
                                    const std::function<void(const RehearsedStep&)>& news = {},
                                    const std::function<void(const LessonPlayer&)>& asked = {});

}  // namespace emergence
