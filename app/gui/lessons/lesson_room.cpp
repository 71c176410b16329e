#include "app/gui/lessons/lesson_room.h"

#include "app/gui/widgets/setting_control.h"
#include "app/lessons/lesson_files.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/experiments/registry.h"

namespace emergence {
namespace {

// The label of the block that holds a row or column; "" beyond the last block.
std::string block_at(const std::vector<Block>& blocks, int index) {
    for (const Block& block : blocks) {
        if (index < block.size) return block.label;
        index -= block.size;
    }
    return "";
}

bool is_training(const Session& session) {
    return session.live_snapshot() && session.live_snapshot()->status.state == RunState::running;
}

}  // namespace

std::shared_ptr<const Checkpoint> checkpoint_of(const SetAside& aside) {
    return aside.run ? checkpoint_of(*aside.run, aside.history) : nullptr;
}

LessonRoom::LessonRoom(Jobs& jobs, Asks& asks) : jobs_(jobs), asks_(asks), find_(find_experiment) {}

LessonRoom::~LessonRoom() { opening_.cancel(); }

// A banner reports a wrong name in the lesson.
template <class Action>
void LessonRoom::with(Session& session, const Action& action) {
    session_ = &session;
    try {
        action();
    } catch (const std::runtime_error& error) {
        session.report(player_ ? player_->lesson().source + ": " + error.what() : error.what());
    }
}

void LessonRoom::begin(Lesson lesson, std::filesystem::path folder, SetAside aside, Session& session, size_t first) {
    if (!aside_) aside_ = std::make_unique<SetAside>(std::move(aside));
    folder_ = std::move(folder);
    openings_ = session.openings();
    player_.reset();
    class_answers_.clear();
    with(session, [&] { player_ = std::make_unique<LessonPlayer>(std::move(lesson), *this, first); });
}

std::unique_ptr<SetAside> LessonRoom::leave(Session& session) {
    opening_.cancel();
    player_.reset();
    comparison_.reset();
    covered_.clear();
    session.unlock_all();
    before_.reset();
    session.set_ghost(nullptr);
    session.hold_axes(false);
    return std::move(aside_);
}

bool LessonRoom::turn(Session& session) {
    if (!player_) return false;
    if (session.openings() != openings_) return true;
    // While the user drags, the value is not final.
    if (!session.in_gesture() || player_->phase() != LessonPlayer::Phase::doing)
        with(session, [&] { player_->turn(); });
    follow_before(session);
    return false;
}

// Stores the run before the change as long as its history is the session's. The reader can change nothing until then.
void LessonRoom::follow_before(Session& session) {
    const std::shared_ptr<const Snapshot> before = player_->step().ghost ? player_->before() : nullptr;
    if (before != (before_ ? before_->snapshot : nullptr)) {
        before_.reset();
        if (before && session.study())
            before_ = std::make_shared<const OverlaidRun>(
                OverlaidRun{{}, "before", session.study(), session.history(), before});
        session.set_ghost(before_);
    }
    session.hold_axes(player_->step().fixed_axes && player_->phase() != LessonPlayer::Phase::opening && !explores_);
}

void LessonRoom::next(Session& session) {
    if (player_ && !opening_.active()) with(session, [&] { player_->next(); });
}
void LessonRoom::back(Session& session) {
    if (player_ && !opening_.active()) with(session, [&] { player_->back(); });
}
void LessonRoom::answer(Answer answer, Session& session) {
    if (!player_) return;
    with(session, [&] {
        player_->answer_again();
        player_->answer(std::move(answer));
    });
}
void LessonRoom::answer_again(Session& session) {
    if (player_) with(session, [&] { player_->answer_again(); });
}

bool LessonRoom::at_end() const {
    return player_ && player_->at_last() && player_->phase() == LessonPlayer::Phase::revealed;
}

void LessonRoom::explore(Session& session) {
    if (!at_end()) return;
    explores_ = true;
    locked_ = false;
    session.unlock_all();
}

void LessonRoom::do_it(Session& session) {
    if (player_) with(session, [&] { player_->do_it(); });
}

bool LessonRoom::take_class(const std::string& text, Session& session) {
    if (!player_ || !player_->step().predict) return false;
    ClassAnswers answers;
    try {
        answers = read_class(text, *player_->step().predict);
    } catch (const std::runtime_error& error) {
        session.report(error.what(), Session::kAnswerStays);
    }
    if (!answers.unread.empty())
        session.report(answers.unread.size() == 1 ? "Answers of the class, " + answers.unread.front()
                                                  : "Answers of the class, " + answers.unread.front() + " So are " +
                                                        std::to_string(answers.unread.size() - 1) + " more lines.",
                       Session::kAnswerStays);
    if (!answers.given.empty()) class_answers_[player_->index()] = std::move(answers);
    return true;
}

const ClassAnswers* LessonRoom::class_answers() const {
    if (!player_) return nullptr;
    const auto found = class_answers_.find(player_->index());
    return found == class_answers_.end() ? nullptr : &found->second;
}

bool LessonRoom::click_cell(const std::string& matrix, int row, int column, Session& session) {
    if (!player_ || player_->phase() != LessonPlayer::Phase::predicting || !session.snapshot()) return false;
    const auto* block = std::get_if<BlockPrediction>(&*player_->step().predict);
    const NamedMatrix* named = find_matrix(*session.snapshot(), matrix);
    if (block == nullptr || block->matrix != matrix || named == nullptr) return false;
    answer(BlockAnswer{block_at(named->row_blocks, row), block_at(named->column_blocks, column)}, session);
    return true;
}

std::vector<std::string> LessonRoom::spotlight() const {
    return player_ && !explores_ && !at_end() ? player_->step().spotlight : std::vector<std::string>();
}

bool LessonRoom::covers_headline() const { return player_ && contains(covered_, kHeadline); }

bool LessonRoom::weights_rest(const Session& session) const {
    if (!player_ || explores_ || unlocked_.empty() || !session.live_snapshot() || is_training(session)) return false;
    const Settings& settings = session.settings();
    return session.live_snapshot()->step > 0 && all_of(unlocked_, [&](const std::string& name) {
               return settings.has(name) && settings.info(name).applies == Applies::live;
           });
}

// ---- what the player asks for

// Reading a saved run takes a moment, and the window does not wait.
void LessonRoom::open(const std::string& opens, const std::vector<SettingsFile::Entry>& settings) {
    opening_.cancel();
    Session& session = *session_;
    run_before_ = session.live_snapshot() ? session.live_snapshot()->run_number : 0;
    comparison_.reset();
    session.set_running(false);
    opening_ = jobs_.post(
        Lane::runs,
        [opens, settings, folder = folder_, find = find_](const Jobs::Task&) {
            return lesson_start(opens, settings, folder, find);
        },
        [this, &session](LessonStart start) {
            session.unlock_all();
            session.resume(*start.experiment, start.settings, start.checkpoint, false);
            openings_ = session.openings();
            home_ = staging_in(start.view);
            with(session, [&] {
                if (comparison_) session.compare(comparison_->name, comparison_->value);
                const LessonPlayer::Phase phase = player_->phase();
                const bool predicts = phase == LessonPlayer::Phase::opening || phase == LessonPlayer::Phase::predicting;
                show(player_->step(), predicts, std::vector<std::string>(covered_));
            });
        });
}

void LessonRoom::change(const std::vector<SettingsFile::Entry>& settings) {
    Settings changed = session_->settings();
    change_settings(settings, session_->info(), changed);
    session_->unlock_all();
    for (const SettingsFile::Entry& entry : settings) session_->set_field(entry.name, changed.value(entry.name));
    if (locked_) session_->unlock_only(unlocked_, goals_);
}

void LessonRoom::compare(const std::optional<LessonComparison>& comparison) {
    comparison_ = comparison;
    if (opening_.active()) return;  // compare once the run is there
    if (comparison)
        session_->compare(comparison->name, comparison->value);
    else if (session_->difference())
        session_->toggle_compare();
}

void LessonRoom::train(bool on) {
    if (!opening_.active()) session_->set_running(on);
}

void LessonRoom::show(const LessonStep& step, bool predicting, const std::vector<std::string>& covered) {
    unlocked_ = step.unlocked;
    covered_ = covered;
    locked_ = true;
    explores_ = false;
    ++changes_;
    goals_.clear();
    for (const SettingsFile::Entry& one : step.does)
        if (contains(unlocked_, one.name) && is_numeric(one.value))
            goals_.push_back({one.name, "asked for by the lesson", as_number(one.value), as_number(one.value)});
    if (predicting)
        session_->unlock_only({});
    else
        session_->unlock_only(unlocked_, goals_);
    Staging staging = lesson_staging(home_, step, covered);
    // An empty list would mean "all other pictures".
    if (staging.wings.empty() && !staging.stage.empty()) staging.wings = {""};
    staging.controls.clear();
    for (const std::string& name : unlocked_)
        if (session_->settings().has(name) && !std::holds_alternative<std::string>(session_->settings().value(name)))
            staging.controls.push_back(name);
    asks_(ask::Arrange{std::move(staging)});
}

std::optional<LessonFacts> LessonRoom::facts() {
    const auto& live = session_->live_snapshot();
    if (opening_.active() || !live || live->run_number == run_before_) return std::nullopt;
    if (live->experiment != session_->info().name || live->settings != session_->settings()) return std::nullopt;
    return facts_of(live, session_->history());
}

std::optional<LessonFacts> LessonRoom::other_facts() {
    const FollowedRun* other = session_->other();
    if (other == nullptr || !other->live()) return std::nullopt;
    return facts_of(other->live(), other->history());
}

std::optional<PlotSpec> LessonRoom::plot(const std::string& id) {
    if (!session_->study() || !session_->live_snapshot()) return std::nullopt;
    const Snapshot& live = *session_->live_snapshot();
    for (const MetricPlot& one : session_->study()->metric_plots())
        if (one.id == id) return session_->history().plot(one, AxisSpec{}, live.step);
    for (const PlotSpec& one : live.plots)
        if (one.id == id) return one;
    return std::nullopt;
}

}  // namespace emergence
