#include "app/lessons/rehearsal.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/lab/figures/figures.h"

namespace emergence {
namespace {

constexpr int64_t kParts = 80;  // parts of a run's steps; after each this looks at a condition

// Returns the answer that the file calls right, or a straight line for a sketch.
Answer right_answer(const Prediction& prediction) {
    if (const auto* choice = std::get_if<ChoicePrediction>(&prediction)) return choice->answer;
    if (const auto* block = std::get_if<BlockPrediction>(&prediction)) return BlockAnswer{block->rows, block->columns};
    const auto& axes = std::get<SketchPrediction>(prediction);
    return Sketch{{axes.left, axes.bottom}, {axes.right, axes.top}};
}

}  // namespace

HeadlessHost::HeadlessHost(std::filesystem::path folder, FindExperiment find, int threads)
    : folder_(std::move(folder)), find_(std::move(find)), pool_(threads) {}

HeadlessHost::Follower HeadlessHost::begin(const Settings& settings, const Checkpoint* from) {
    Follower follower;
    follower.settings = settings;
    follower.run = std::make_unique<Run>(start_.experiment->make(settings), pool_);
    follower.history = MetricHistory(follower.run->study().metrics(), follower.run->num_seeds());
    if (from != nullptr)
        restore(*from, *follower.run, follower.history);
    else
        advance(follower, 0);
    return follower;
}

void HeadlessHost::advance(Follower& follower, int64_t step) {
    for (const MetricRow& row : follower.run->advance_to(step)) follower.history.append(row);
    follower.snapshot.reset();
}

void HeadlessHost::open(const std::string& opens, const std::vector<SettingsFile::Entry>& settings) {
    start_ = lesson_start(opens, settings, folder_, find_);
    trains_ = false;
    b_ = {};
    a_ = begin(start_.settings, start_.checkpoint.get());
}

void HeadlessHost::change(const std::vector<SettingsFile::Entry>& settings) {
    Settings changed = a_.settings;
    change_settings(settings, *start_.experiment, changed);
    if (changed == a_.settings) return;
    if (same_but_for_live_fields(changed, a_.settings)) {
        a_.settings = changed;
        a_.run->study().set_live(changed);
        a_.run->set_live(changed);
        a_.snapshot.reset();
    } else {
        a_ = begin(changed, nullptr);
    }
}

void HeadlessHost::compare(const std::optional<LessonComparison>& comparison) {
    if (!comparison) {
        b_ = {};
        return;
    }
    Settings settings = a_.settings;
    change_settings({*comparison}, *start_.experiment, settings);
    if (b_.run && b_.settings == settings) return;
    b_ = begin(settings, nullptr);
    advance(b_, a_.run->step());
}

Snapshot HeadlessHost::snapshot() const { return a_.run->snapshot(); }

std::optional<LessonFacts> HeadlessHost::facts() {
    if (trains_) {
        const int64_t part = std::max<int64_t>(1, a_.run->study().target_step() / kParts);
        for (Follower* follower : {&a_, &b_})
            if (follower->run && !follower->run->finished()) advance(*follower, follower->run->step() + part);
    }
    if (!a_.snapshot) a_.snapshot = std::make_shared<const Snapshot>(a_.run->snapshot());
    return facts_of(a_.snapshot, a_.history);
}

std::optional<LessonFacts> HeadlessHost::other_facts() {
    if (!b_.run) return std::nullopt;
    if (!b_.snapshot) b_.snapshot = std::make_shared<const Snapshot>(b_.run->snapshot());
    return facts_of(b_.snapshot, b_.history);
}

std::optional<PlotSpec> HeadlessHost::plot(const std::string& id) {
    for (const MetricPlot& one : a_.run->study().metric_plots())
        if (one.id == id) return a_.history.plot(one, AxisSpec{}, a_.run->step());
    for (const PlotSpec& one : a_.run->snapshot().plots)
        if (one.id == id) return one;
    return std::nullopt;
}

std::vector<RehearsedStep> rehearse(const Lesson& lesson, HeadlessHost& host,
                                    const std::function<void(const RehearsedStep&)>& news,
                                    const std::function<void(const LessonPlayer&)>& asked) {
    using Phase = LessonPlayer::Phase;
    std::vector<RehearsedStep> steps;
    Stopwatch watch;
    LessonPlayer player(lesson, host);
    while (true) {
        RehearsedStep result;
        player.turn();
        result.opening = watch.seconds();
        if (asked) asked(player);
        watch = {};
        if (player.phase() == Phase::predicting) player.answer(right_answer(*player.step().predict));
        if (player.can_do_it()) player.do_it();
        player.turn();
        while (player.phase() != Phase::revealed && !host.rests()) player.turn();
        result.answering = watch.seconds();
        result.at = host.run().step();
        result.reveal = player.reveal();
        const std::vector<std::string> wrong = player.false_statements();
        if (player.phase() != Phase::revealed)
            result.failure =
                fmt::format("until: \"{}\" was not reached by step {}", player.step().until->text, host.run().step());
        else if (!wrong.empty())
            result.failure = fmt::format("holds: \"{}\" is false at step {}", wrong.front(), host.run().step());
        steps.push_back(result);
        if (news) news(result);
        if (player.at_last()) return steps;
        watch = {};
        player.next();
    }
}

}  // namespace emergence
