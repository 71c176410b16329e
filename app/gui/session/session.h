#pragma once
// What the window works on: news from the trainers, the shown moment, and the user's requests. Nothing is drawn here.

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

/// The paces of the keys + and -, in steps per second. The last one, 0, is as fast as possible.
const std::vector<double>& pace_ladder();
/// The index of the pace in the ladder that is nearest to this one.
int pace_rung(double steps_per_second);
/// The pace at which an experiment begins: its own, or the usual one.
double first_pace(const ExperimentInfo& info, double usual);

/// True if the run stops at the value of this field, a whole number of steps in the group "run".
bool ends_run(const FieldInfo& field, const Settings& settings, const std::string& step_unit, int64_t target_step);

class Session {
  public:
    /// Starts a trainer for run B, which trains side by side with A's.
    using OpenTrainer = std::function<std::unique_ptr<TrainerLink>(const Restart& first, int threads)>;
    using Moment = FollowedRun::Moment;

    struct Options {
        double steps_per_second = 250.0;  // for experiments without a pace of their own; 0: as fast as possible
        std::optional<double> pace = {};  // the requested pace, which overrides the first experiment's own
        bool running = true;
        int threads = 1;                    // number of training threads
        std::optional<int64_t> go_to = {};  // a paused run first goes to this step
        OpenTrainer open_other = {};        // if empty, runs cannot be compared
    };

    /// `info` and `jobs` must outlive the session. The trainer at the other end of `link` has been started with
    /// `settings`.
    Session(const ExperimentInfo& info, Settings settings, std::unique_ptr<TrainerLink> link, Jobs& jobs,
            Options options);

    /// Call once per frame; the window calls Jobs::drain() only here. Delivers the jobs' results, shows failures as
    /// banners, and takes what the trainers have published. Returns true if anything new must be drawn.
    bool update();

    const ExperimentInfo& info() const { return *setup_.experiment; }
    /// The user's settings, which may be ahead of snapshot()->settings.
    const Settings& settings() const { return setup_.settings; }
    /// The moment that is shown, complete; null before the first. Panels draw the model from it.
    const Moment& snapshot() const { return a_.shown(); }
    /// The newest moment of the run, whatever moment is shown.
    const Moment& live_snapshot() const { return a_.live(); }
    const MetricHistory& history() const { return a_.history(); }
    /// The moments of this run that the user can return to, the newest last. Most are outlines.
    const SnapshotHistory& moments() const { return a_.moments(); }
    const std::shared_ptr<const Study>& study() const { return a_.study(); }  // null before the first
    /// The further marks of run A's map (MetricPlane::marks); null until compute_marks() has computed them on a worker.
    std::shared_ptr<const PlaneMarks> marks() const { return a_.marks(); }
    bool lacks_marks() const { return a_.lacks_marks(); }
    void compute_marks() { a_.compute_marks(); }
    double pace() const { return pace_; }
    /// The pace for experiments without one of their own (ExperimentInfo::pace). Preferences store it.
    double usual_pace() const { return usual_pace_; }
    int threads() const { return options_.threads; }
    bool wants_to_run() const { return running_; }
    /// True if steps are being taken: the run trains, or goes to a step to pause there.
    bool advancing() const { return running_ || going_to(); }
    /// True if the run has finished or failed.
    bool at_end() const { return a_.at_end(); }
    /// The step at which the run will pause; nullopt if it is there already or has got another command.
    std::optional<int64_t> going_to() const;

    /// Runs or pauses. A run at its end starts again.
    void toggle_running();
    /// Runs or pauses, but leaves a run at its end alone. The choice applies to the next start.
    void set_running(bool on);
    /// Takes one step, then pauses. The live moment is shown.
    void step_once();
    void reset();     // restarts with the same seeds
    void new_seed();  // restarts with seeds that this run has not used
    void set_pace(double steps_per_second);
    void change_pace(int rungs);
    void set_threads(int threads);
    /// Training gives one thread to the window, or takes it back.
    void leave_thread(bool leaves);

    // ---- settings
    /// Sets a field. Live fields change at once, others restart the run. If the settings would contradict each other
    /// nothing changes, and refusal() has the reason.
    void set_field(const std::string& name, const FieldValue& value);
    /// Replaces all settings, of this or another experiment, which must outlive the session. This is one step to undo.
    /// With a step the run starts again, goes there and pauses. Throws InputError and changes nothing if the settings
    /// contradict each other.
    void load(const ExperimentInfo& info, const Settings& settings, std::optional<int64_t> step = {});
    /// Resumes a saved run with these settings, otherwise as load(). `run` says whether it trains at once; by default
    /// it does if the window's run did.
    void resume(const ExperimentInfo& info, const Settings& settings, std::shared_ptr<const Checkpoint> checkpoint,
                std::optional<bool> run = {});
    /// True if load() would let the present run continue, because only live fields differ.
    bool would_go_on(const ExperimentInfo& info, const Settings& settings, std::optional<int64_t> step = {}) const;
    /// Asks the trainer for run A's whole state. take_saved() returns it once, as soon as it is there.
    void ask_for_state() { a_.send(TakeState{}); }
    std::shared_ptr<const SavedRun> take_saved() { return a_.take_saved(); }
    /// The number of times that load(), resume() or put_back() has replaced all settings.
    int openings() const { return openings_; }
    /// The opening that the present settings come from. Undo and redo return to others.
    int opening() const { return setup_.opening; }
    /// The shown moment and the pin.
    struct Looked {
        std::optional<int64_t> at;  // nullopt: the live moment
        Moment pin;
        bool minus_pin = false;
    };
    /// What the session holds while another run takes its place: settings, run B, undo steps, pace, and past.
    struct Kept {
        Setup setup;
        UndoList undo;
        double pace = 0.0, usual_pace = 0.0;
        std::shared_ptr<const SnapshotHistory> moments;
        Looked looked;
    };
    Kept kept() const;
    const Setup& setup() const { return setup_; }
    /// Restores it. The run resumes from `checkpoint`, or starts again if that is null.
    void put_back(Kept kept, std::shared_ptr<const Checkpoint> checkpoint, bool run);
    /// Lets set_field() change only these settings; undo, redo and comparisons can change none. Sliders mark `goals`,
    /// the values that a lesson asks for.
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
    /// The user has released the control, so the next change is another step to undo.
    void end_gesture() {
        undo_.end_gesture(setup_);
        former_of_gesture_ = false;
    }
    /// True while the user holds a control that has changed a setting.
    bool in_gesture() const { return undo_.in_gesture(); }
    /// Undo the last change of the settings, or repeat it; nothing happens if there is none. A run that had trained for
    /// at least half a second resumes where it was, if it is among the last kMostLeft.
    void undo();
    void redo();
    static constexpr size_t kMostLeft = 4;
    /// The run of this number if undo or redo can return to it; otherwise null.
    const PastRun* left_run(uint64_t run_number) const;
    /// "learning rate 0.01 → 0.001": what undo() and redo() would do; "" if nothing.
    std::string undo_text() const;
    std::string redo_text() const;
    /// The reason why the last change of this field was refused; "" if it was not.
    std::string refusal(const std::string& name) const { return name == refused_field_ ? refusal_ : ""; }
    /// The field whose value stops the run.
    std::optional<std::string> stop_field() const;

    // ---- the past
    const TimeCursor& time() const { return time_; }
    void show_step(int64_t step);
    void show_live();
    void move_in_time(int moments);
    void toggle_playing();
    /// Plays for `seconds`.
    void play(double seconds);

    const Moment& pin() const { return pin_; }  // null: not set
    /// Pins the shown moment, or removes the pin if that moment has it already.
    void toggle_pin();
    /// Shows matrices minus those of the pin, or no longer.
    void toggle_minus_pin() { minus_pin_ = !minus_pin_ && pin_; }
    /// The runs and moments that pictures show besides A: B, the overlaid runs, and the moment that is subtracted.
    std::vector<OtherRun> other_runs() const;
    /// The moment whose matrices are subtracted; null if none.
    const Moment& baseline() const;

    // ---- A and B
    bool can_compare() const { return options_.open_other != nullptr; }
    /// The run that differs from A in one field; null if there is none.
    const FollowedRun* other() const { return b_.get(); }
    const std::optional<Difference>& difference() const { return setup_.difference; }
    /// Opens run B, or changes its difference. If that contradicts the other settings nothing changes, and
    /// compare_refusal() has the reason.
    void compare(const std::string& field, const FieldValue& value);
    /// Does the same with a value near A's.
    void compare_in(const std::string& field);
    /// Opens run B with its last difference, or closes it.
    void toggle_compare();
    const std::string& compare_refusal() const { return compare_refusal_; }

    // ---- saved runs
    using Overlays = std::vector<std::shared_ptr<const OverlaidRun>>;
    /// Saved runs whose curves are drawn beside the present run's.
    const Overlays& overlays() const { return overlays_; }
    void set_overlays(Overlays overlays);
    /// Counts the changes of overlays.
    int overlay_changes() const { return overlay_changes_; }
    /// An earlier state of the run, drawn faintly beside the present one; null if none.
    void set_ghost(std::shared_ptr<const OverlaidRun> ghost);
    const std::shared_ptr<const OverlaidRun>& ghost() const { return ghost_; }
    /// The run before a setting was changed. Its curves stay, faintly, until something else is opened or started; null
    /// if none.
    const std::shared_ptr<const OverlaidRun>& former() const { return former_; }
    /// While this is on, the axes of plots do not shrink.
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
    /// True if a banner's time is over, so another frame is needed.
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
    void catch_up();
    void share_threads();
    void follow_time();
    void level();
    void note_failures();

    Setup setup_;
    UndoList undo_;
    std::deque<PastRun> left_;  // runs to which undo and redo return, the last one first
    Jobs& jobs_;
    Options options_;
    bool leaves_thread_ = false;  // training gives one thread to the window
    double pace_, usual_pace_;
    bool running_;
    std::optional<int64_t> going_to_;
    int openings_ = 0;
    FollowedRun a_;
    std::unique_ptr<FollowedRun> b_;
    std::optional<Difference> last_difference_;
    bool levelling_ = false;  // both runs were paused and may need to be brought to the same step
    TimeCursor time_;
    Moment pin_;
    bool minus_pin_ = false;
    Overlays overlays_;
    int overlay_changes_ = 0;
    std::shared_ptr<const OverlaidRun> ghost_;
    std::shared_ptr<const OverlaidRun> former_;
    double restarted_at_ = 0.0;  // time of the last restart by a setting, in seconds_now()
    uint64_t restarted_from_ = 0;
    bool former_of_gesture_ = false;  // former_ was the run when the user took hold of the control
    bool restart_waits_ = false;      // the dragged setting's next run waits for the picture of the last one
    bool hurries_ = false;            // trains as fast as possible to the step of the run before it
    bool holds_axes_ = false;
    uint64_t run_number_ = 0;                           // of A, as seen last
    std::optional<Looked> looked_;                      // waits for the run that returns
    std::optional<std::vector<std::string>> unlocked_;  // nullopt: all settings are free
    std::vector<FieldRange> goals_;
    std::string refused_field_;
    std::string refusal_;
    std::string compare_refusal_;
    struct Said {
        std::string sentence;
        double until = 0.0;  // in seconds_now(); 0: no end
    };
    std::vector<Said> notices_;
    std::string failures_;  // sentence about the present runs
    bool failures_seen_ = false;
};

}  // namespace emergence
