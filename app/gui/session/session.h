#pragma once
// What the window works on: the trainers' latest news, the moment that is shown, and what the user has asked
// for. No drawing here.

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/session/followed_run.h"
#include "app/gui/session/past.h"
#include "core/lab/figures/figures.h"

namespace emergence {

/// The paces that + and - step through, in steps a second; the last is "as fast as it goes".
const std::vector<double>& pace_ladder();
/// The rung that is nearest to a pace.
int pace_rung(double steps_per_second);
/// The pace that an experiment begins with: its own, or the usual one.
double first_pace(const ExperimentInfo& info, double usual);

/// Whether this whole number of the group "run", counted in steps, is what a run stops at.
bool ends_run(const FieldInfo& field, const Settings& settings, const std::string& step_unit, int64_t target_step);

class Session {
  public:
    /// Starts a trainer for run B, which advances side by side with A's.
    using OpenTrainer = std::function<std::unique_ptr<TrainerLink>(const Restart& first, int threads)>;
    using Moment = FollowedRun::Moment;

    struct Options {
        double steps_per_second = 250.0;  // of experiments without a pace of their own; 0: as fast as it goes
        std::optional<double> pace = {};  // that was asked for, whatever the first experiment's own is
        bool running = true;
        int threads = 1;                    // that train
        std::optional<int64_t> go_to = {};  // a paused run goes to this step first
        OpenTrainer open_other = {};        // where empty, runs cannot be compared
    };

    /// `info` and `jobs` must outlive the session. The trainer at the other end of `link` has been started with
    /// `settings`.
    Session(const ExperimentInfo& info, Settings settings, std::unique_ptr<TrainerLink> link, Jobs& jobs,
            Options options);

    /// Once a frame, the window's one Jobs::drain(): what jobs have done is handed over, and what has failed becomes a
    /// banner. Then takes what the trainers have published; true where there is something new to be drawn.
    bool update();

    const ExperimentInfo& info() const { return *setup_.experiment; }
    /// As the user has set them: may be ahead of snapshot()->settings.
    const Settings& settings() const { return setup_.settings; }
    /// The moment that is shown, complete; null before the first. Panels that draw the model read this one.
    const Moment& snapshot() const { return a_.shown(); }
    /// The newest moment, whatever is shown: how the run goes.
    const Moment& live_snapshot() const { return a_.live(); }
    const MetricHistory& history() const { return a_.history(); }
    /// The moments of this run that can be gone back to, the newest last; outlines mostly.
    const SnapshotHistory& moments() const { return a_.moments(); }
    const std::shared_ptr<const Study>& study() const { return a_.study(); }  // null before the first
    /// The further marks of run A's map (MetricPlane::marks); null until compute_marks() has had them made on a worker.
    std::shared_ptr<const PlaneMarks> marks() const { return a_.marks(); }
    bool lacks_marks() const { return a_.lacks_marks(); }
    void compute_marks() { a_.compute_marks(); }
    double pace() const { return pace_; }
    /// The pace of experiments without one of their own (ExperimentInfo::pace): what is kept for next time.
    double usual_pace() const { return usual_pace_; }
    int threads() const { return options_.threads; }
    bool wants_to_run() const { return running_; }
    /// Steps are being taken: it runs, or goes to a step to pause there.
    bool advancing() const { return running_ || going_to(); }
    double longest_wait() const;
    /// Finished or failed.
    bool at_end() const { return a_.at_end(); }
    /// The step that the run goes to, to pause there; nothing where it is there, or was told otherwise.
    std::optional<int64_t> going_to() const;

    /// Runs or pauses; starts again where the run has come to its end.
    void toggle_running();
    /// The same, but a run at its end stays there; whatever starts again afterwards runs, or rests.
    void set_running(bool on);
    /// One step, then pause; the live moment is shown.
    void step_once();
    void reset();     // the same seeds from the start
    void new_seed();  // seeds that this run has not used
    void set_pace(double steps_per_second);
    void change_pace(int rungs);
    void set_threads(int threads);
    /// Training leaves one of its threads to the window, or takes it back.
    void leave_thread(bool leaves);

    // ---- settings
    /// Sets a field: live ones at once, others by starting again. Where the settings would not go together
    /// nothing changes and the reason is kept in refusal().
    void set_field(const std::string& name, const FieldValue& value);
    /// Other settings as a whole, of this or another experiment (it must outlive the session): one step to
    /// undo. With a step the run starts again, goes there and pauses. Throws InputError, and changes nothing,
    /// where they do not go together.
    void load(const ExperimentInfo& info, const Settings& settings, std::optional<int64_t> step = {});
    /// Resumes a saved run, whose settings these are; otherwise as load(). `run`: whether it trains at once, by
    /// default if the window's run did.
    void resume(const ExperimentInfo& info, const Settings& settings, std::shared_ptr<const Checkpoint> checkpoint,
                std::optional<bool> run = {});
    /// Whether load() would let the present run go on: only live fields differ.
    bool would_go_on(const ExperimentInfo& info, const Settings& settings, std::optional<int64_t> step = {}) const;
    /// Asks the trainer for run A's whole state; take_saved() has it as soon as it is there, once.
    void ask_for_state() { a_.send(TakeState{}); }
    std::shared_ptr<const SavedRun> take_saved() { return a_.take_saved(); }
    /// How often load(), resume() or put_back() has put other settings in place of all.
    int openings() const { return openings_; }
    /// Which of them the present settings come from; undo and redo lead back to others.
    int opening() const { return setup_.opening; }
    static constexpr int kPins = 2;
    /// Which moment is shown, and the pins.
    struct Looked {
        std::optional<int64_t> at;  // nothing: the live one
        std::array<Moment, kPins> pins;
        bool minus_pin = false;
        uint64_t run_number = 0;
    };
    /// What another run may take the place of for a while: settings, run B, the list of undo, the pace, and the past.
    struct Kept {
        Setup setup;
        UndoList undo;
        double pace = 0.0, usual_pace = 0.0;
        std::shared_ptr<const SnapshotHistory> moments;
        Looked looked;
    };
    Kept kept() const;
    const Setup& setup() const { return setup_; }
    /// All of it is there again; the run resumes from `checkpoint`, or starts again if that is null.
    void put_back(Kept kept, std::shared_ptr<const Checkpoint> checkpoint, bool run);
    /// Only these settings can be changed by set_field(), and no others by undo, redo or a comparison. goals: the
    /// numbers that are asked of them, to be marked on their sliders.
    void unlock_only(std::vector<std::string> fields, std::vector<FieldRange> goals = {}) {
        unlocked_ = std::move(fields);
        goals_ = std::move(goals);
    }
    void unlock_all() {
        unlocked_.reset();
        goals_.clear();
    }
    const std::vector<FieldRange>& goals() const { return goals_; }
    bool locked() const { return unlocked_.has_value(); }
    bool locked(const std::string& field) const;
    /// No control is held any more: what is changed from now on is another step to undo.
    void end_gesture() {
        undo_.end_gesture(setup_);
        former_of_gesture_ = false;
    }
    /// A control is held that has changed a setting.
    bool in_gesture() const { return undo_.in_gesture(); }
    /// Take back the last change of the settings, or make it again; does nothing if none. A run that had trained for
    /// Trainer::kWorthKeeping is there again as it was left, if it is one of the last kMostLeft.
    void undo();
    void redo();
    static constexpr size_t kMostLeft = 4;
    /// The run of this number, if undo or redo could return to it; null otherwise.
    const PastRun* left_run(uint64_t run_number) const;
    /// What undo() and redo() would do, "learning rate 0.01 → 0.001"; "" where there is nothing to be done.
    std::string undo_text() const;
    std::string redo_text() const;
    /// Why the last change of this field was refused; "" where it was not.
    std::string refusal(const std::string& name) const { return name == refused_field_ ? refusal_ : ""; }
    /// The field whose value is the stop condition.
    std::optional<std::string> stop_field() const;

    // ---- the past
    const TimeCursor& time() const { return time_; }
    void show_step(int64_t step);
    void show_live();
    void move_in_time(int moments);
    void toggle_playing();
    void next_play_speed() { time_.next_speed(); }
    /// Playing goes on by `seconds`.
    void play(double seconds);

    const Moment& pin(int index) const { return pins_[index]; }  // null: not set
    /// Pins the shown moment, or takes the pin away where it is on that moment already.
    void toggle_pin(int index);
    void show_pin(int index);
    /// Matrices are shown less those of the first pin; the second is gone to where there is one.
    void toggle_minus_pin();
    /// Another run's moment becomes the first pin and is subtracted.
    void subtract(Moment of_other_run, std::string name);
    /// The runs that the pictures show besides A: B, the kept ones, and the one that is subtracted.
    std::vector<OtherRun> other_runs() const;
    /// Whether a pin is a moment of the present run, which can be gone to.
    bool pin_is_own(int index) const { return pin(index) && pin(index)->run_number == a_.run_number(); }
    /// The moment whose matrices are to be subtracted; null for none.
    const Moment& baseline() const;

    // ---- A and B
    bool can_compare() const { return options_.open_other != nullptr; }
    /// The run that differs from A in one field; null if none.
    const FollowedRun* other() const { return b_.get(); }
    const std::optional<Difference>& difference() const { return setup_.difference; }
    /// Opens run B, or changes in what it differs. Where that does not go together with the other settings
    /// nothing changes and the reason is kept in compare_refusal().
    void compare(const std::string& field, const FieldValue& value);
    /// The same with a value near A's.
    void compare_in(const std::string& field);
    /// Opens run B with the difference it had last, or closes it.
    void toggle_compare();
    const std::string& compare_refusal() const { return compare_refusal_; }

    // ---- saved runs
    using Overlays = std::vector<std::shared_ptr<const OverlaidRun>>;
    /// Those that are drawn beside the present one in the curves.
    const Overlays& overlays() const { return overlays_; }
    void set_overlays(Overlays overlays);
    /// Counts their changes.
    int overlay_changes() const { return overlay_changes_; }
    /// How the run was before, drawn faintly beside how it is now; null: not drawn.
    void set_ghost(std::shared_ptr<const OverlaidRun> ghost);
    const std::shared_ptr<const OverlaidRun>& ghost() const { return ghost_; }
    /// The run before a setting was changed, whose curves stay, faintly, until something else is opened or started;
    /// null: none.
    const std::shared_ptr<const OverlaidRun>& former() const { return former_; }
    /// Axes of plots do not shrink meanwhile.
    void hold_axes(bool on) { holds_axes_ = on; }
    bool holds_axes() const { return holds_axes_; }

    /// Bad news that has not been dismissed, oldest first.
    std::vector<std::string> banners() const;
    /// One more; a sentence that is there already is not said twice. `seconds`: so long it stays by itself,
    /// being the answer to something that was just tried; 0: until it is taken away.
    void report(const std::string& sentence, double seconds = 0.0);
    static constexpr double kAnswerStays = 15.0;  // seconds
    /// Does it; what it throws is reported, and false returned.
    bool attempt(const std::function<void()>& action, double seconds = 0.0);
    /// The first one.
    void dismiss_banner();
    /// A banner has had its time: another frame is needed.
    bool banner_is_stale(double now) const;

  private:
    void send(const Command& command);
    void restart(bool run_now, std::shared_ptr<const Checkpoint> from = {},
                 std::shared_ptr<const SnapshotHistory> past = {});
    void look_as_before();
    void restart_changed();
    void keep_former();
    bool waits_for_picture() const;
    void catch_up_with_former();
    Setup put_in_place(Setup wanted);
    Setup opened(const ExperimentInfo& info, const Settings& settings);
    void change_to(Setup wanted, bool returns = false);
    void keep_left(PastRun left);
    std::optional<PastRun> take_left(const Setup& of);
    void follow_difference(const Setup& before, bool restarted);
    void catch_up(int64_t from);
    void share_threads();
    void follow_time();
    void level();
    void note_failures();

    Setup setup_;
    UndoList undo_;
    std::deque<PastRun> left_;  // runs that undo and redo return to, the last one first
    Jobs& jobs_;
    Options options_;
    bool leaves_thread_ = false;  // to the window
    double pace_, usual_pace_;
    bool running_;
    std::optional<int64_t> going_to_;
    int openings_ = 0;
    FollowedRun a_;
    std::unique_ptr<FollowedRun> b_;
    std::optional<PastRun> closed_b_;  // as the run B that was closed last was then
    std::optional<Difference> last_difference_;
    bool levelling_ = false;  // both were paused, and may have to be brought to the same step
    TimeCursor time_;
    std::array<Moment, kPins> pins_;
    bool minus_pin_ = false;
    std::string subtracted_;  // the name of the other run that was last subtracted
    Overlays overlays_;
    int overlay_changes_ = 0;
    std::shared_ptr<const OverlaidRun> ghost_;
    std::shared_ptr<const OverlaidRun> former_;
    double restarted_at_ = 0.0;  // by a change of a setting, in seconds_now()
    uint64_t restarted_from_ = 0;
    bool former_of_gesture_ = false;  // it was the run when the control was taken hold of
    bool restart_waits_ = false;      // of a setting that is dragged, until the last one's picture is there
    bool hurries_ = false;            // to where the run before it was
    bool holds_axes_ = false;
    uint64_t run_number_ = 0;                           // of A, as last seen
    std::optional<Looked> looked_;                      // of the run that comes back, until it is there
    std::optional<std::vector<std::string>> unlocked_;  // nothing: all
    std::vector<FieldRange> goals_;
    std::string refused_field_;
    std::string refusal_;
    std::string compare_refusal_;
    struct Said {
        std::string sentence;
        double until = 0.0;  // of seconds_now(); 0: for good
    };
    std::vector<Said> notices_;
    std::string failures_;  // of the present runs
    bool failures_seen_ = false;
};

}  // namespace emergence
