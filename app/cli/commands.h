#pragma once
// Holds the commands of emergence-cli as functions, so that tests can call them. They know nothing of the process but
// the Environment. This file also tracks how much of a command's work is saved, and how its output reaches a terminal.

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <thread>
#include <vector>

#include "app/export/page_format.h"
#include "core/base/text.h"
#include "core/lab/figures/claims.h"
#include "core/lab/jobs/job_grid.h"
#include "core/lab/study.h"

namespace emergence::cli {

/// Tracks how much of a command's work is saved, and which command resumes it. Several threads may use it.
class SavedWork {
  public:
    /// `what` says how far it is, as "step 1200 of 4000 MRPs". It is "" as long as nothing is saved.
    void set(const std::string& what, std::vector<std::string> go_on);
    /// Records that something was just written.
    void sign();
    /// Returns ". Step 1200 of 4000 MRPs is saved. Resume with: emergence-cli resume out/x", or "" while nothing is
    /// saved.
    std::string text() const;
    std::chrono::steady_clock::time_point last_sign() const;

  private:
    mutable std::mutex mutex_;
    std::string what_;
    std::vector<std::string> go_on_;
    std::chrono::steady_clock::time_point last_sign_ = std::chrono::steady_clock::now();
};

/// The buffer of a stream that writes lines to another one as shown_lines() shows them.
class ShownBuffer final : public std::streambuf {
  public:
    /// With `progress` a carriage return and "erase the rest of the line" pass if they are written alone, as Progress
    /// writes them.
    ShownBuffer(std::ostream& to, bool progress) : to_(to), progress_(progress) {}
    ~ShownBuffer() override { sync(); }

  private:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;
    void pass(size_t size);

    std::ostream& to_;
    bool progress_;
    std::mutex mutex_;
    /// The line that has not ended.
    std::string pending_;
};

/// Columns of a terminal below which tables are set in another way.
inline constexpr int kFullWidth = 100;

inline constexpr int kDone = 0;
inline constexpr int kFailure = 1;   // the machine refused, a claim fails, or it was stopped
inline constexpr int kBadInput = 2;  // one line says what is wrong and what is allowed
inline constexpr int kDiverged = 3;  // a seed diverged, but the files are written

/// Options that several commands share.
struct Asked {
    bool quiet = false;    // neither progress nor notices
    bool dry_run = false;  // says what would be written, and writes nothing
    bool force = false;    // replaces what lies where it is to write, if Emergence wrote it, even files of the same run
    bool json = false;
    bool files_as_json = false;  // prints which files are the result
    std::optional<int> threads;
    std::optional<int> autosave;  // seconds between checkpoints; with 0 only the last is saved
    std::optional<int> moments;   // the largest number that is saved
    PageFormat page = {};         // for the figures
};

/// Thrown when a dry run has said what it would do.
struct DryRunEnds {};

/// All that a command knows of its process.
struct Surroundings {
    bool err_is_terminal = false;                        // then progress is one line that is written over
    const std::atomic<bool>* stop = nullptr;             // set by the first signal
    std::function<std::filesystem::path()> assets = {};  // returns the folder, or throws
    int columns = 100;                                   // of the terminal, for text that is wrapped
    std::function<bool()> reader_left = {};              // whether nobody reads standard output any more
    std::string command = {};                            // as typed, for provenance
    std::vector<std::string> arguments = {};             // the same, word by word
    std::function<int()> err_columns = {};               // columns of the terminal on standard error, which may change
    // Commands that end in order call this. From then on signals set the flag that is returned.
    std::function<const std::atomic<bool>*()> catch_signals = {};
    std::function<std::string()> stop_reason = {};  // "stopped", or the limit that stopped it
    std::shared_ptr<SavedWork> saved = {};          // printed when the command is stopped or fails

    std::shared_ptr<std::vector<std::string>> files = {};    // the files that were written
    std::shared_ptr<std::vector<std::string>> planned = {};  // what it would do, printed if nothing is refused

    std::filesystem::path own_figure = {};  // the user's figure file, if one is drawn
    std::function<void()> end_now = {};     // ends the process, if a stopped command takes too long
    GridPart* grid_part = nullptr;          // the only part of the command's grid that is done, or null for all of it
    Asked asked = {};
};

struct Environment : Surroundings {
    const std::vector<ExperimentInfo>& experiments;
    std::ostream& out;
    std::ostream& err;

    /// The claims that ship, and those of the user's figure. Throws InputError if one of their files is wrong.
    std::vector<Claim> claims() const;
    /// The number that was asked for, or one per core.
    int threads() const;
    bool stopped() const { return stop != nullptr && *stop; }
    /// Whether this process does jobs for another one, which has checked what it hands out.
    bool does_jobs() const { return grid_part != nullptr && !grid_part->labels.empty(); }
    void has_saved(const std::string& what, std::vector<std::string> go_on) const {
        if (saved) saved->set(what, std::move(go_on));
    }
    /// Does the same for work that its folder alone can resume.
    void has_saved(const std::string& what, const std::filesystem::path& folder) const {
        has_saved(what, {"resume", path_argument(folder.string())});
    }
    /// For the parts of a command that says itself how it goes on.
    Environment without_saved() const {
        Environment part = *this;
        part.saved.reset();
        return part;
    }
    /// Prints the name of a finished file.
    void wrote(const std::filesystem::path& file) const;
    /// With --dry-run, notes for example "train 3 seeds of td", which is printed if nothing is refused.
    void would(const std::string& text) const;
    /// Prints a line on standard error, or nothing for "".
    void notice(const std::string& text) const;
    FindExperiment find_experiment() const;
    /// Prints a line on standard error if a pool of threads() has only `started`.
    void report_threads(int started) const;
};

/// Does what `arguments` (without the program's name) ask and returns the exit code. Never throws.
int run_command_line(const std::vector<std::string>& arguments, const Environment& environment);

}  // namespace emergence::cli
