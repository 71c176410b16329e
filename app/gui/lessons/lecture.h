#pragma once
// A lecture about the window's run: cues, dropped while one talks, and replayed over the run's moments.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/session/session.h"
#include "app/gui/shell/jobs.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "core/lessons/cues.h"
#include "core/settings/toml.h"

namespace emergence {

class Lecture {
  public:
    explicit Lecture(Jobs& jobs) : jobs_(jobs) {}

    /// The cues of the present run.
    const std::vector<Cue>& cues() const { return cues_; }
    /// Adds a cue at the moment shown; a field for its sentence opens.
    void drop(const Session& session, const std::vector<std::string>& stage, const std::vector<std::string>& wings);
    /// The sentence of the cue that was just dropped is being typed.
    bool is_open() const { return typed_.has_value(); }
    /// The cue keeps the sentence as typed.
    void close();

    /// From the run's first moment on, or no longer.
    void play_or_stop(Session& session);
    bool playing() const { return playing_; }
    /// Where the present run's cues are; empty if nowhere.
    struct Place {
        std::filesystem::path resumed_from;  // they are read there
        std::filesystem::path folder;        // and written here
    };
    /// Once a frame. Returns the pictures of a cue that has come, once.
    std::optional<Staging> turn(Session& session, const Place& place, double seconds);
    /// The sentence of the present cue, or the field for one, at the lower end of `area`. Logged as "panel lecture" and
    /// "panel cue".
    void draw(const Ui& ui, const Box& area);

  private:
    void follow_run(const Session& session, const Place& place);
    void read(const std::filesystem::path& folder);
    void write();
    std::optional<Staging> come_to_cue(Session& session);

    Jobs& jobs_;
    std::vector<Cue> cues_;
    uint64_t run_number_ = 0;
    Place place_;
    std::optional<int64_t> typed_;  // the step of the cue whose sentence is typed
    std::string sentence_;
    bool opened_ = false;  // the field opens in this frame
    bool playing_ = false;
    size_t next_ = 0;     // the cue that has not come yet
    double holds_ = 0.0;  // seconds that the present cue stays
    bool shows_ = false;  // a cue has come
};

}  // namespace emergence
