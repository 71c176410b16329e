#pragma once
// The commands of emergence-cli, without a process around them: what they print and return is theirs, what
// they know of the world is in the Environment.

#include <atomic>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/saved_work.h"
#include "core/base/text.h"
#include "core/lab/figures/claim_files.h"
#include "core/lab/jobs/job_grid.h"
#include "core/lab/study.h"

namespace emergence::cli {

inline constexpr int kDone = 0;
inline constexpr int kFailure = 1;   // the machine refused, a claim fails, or it was stopped
inline constexpr int kBadInput = 2;  // one line says what is wrong and what is allowed
inline constexpr int kDiverged = 3;  // a seed has; the files are written nevertheless

/// Builds the program that measures what claims state without runs.
inline constexpr const char* kBuildVerify = "cmake --build build --target emergence-verify";

/// What a command does with files that are already where it is to write.
enum class Existing {
    refuse,   // says what is there
    replace,  // --force: replaces them, if they are ours, also those of the same run
    renew,    // replaces them unless they are of the same run, which is resumed
    ours,     // the caller has just written them
};

/// A command that was only to say what it would do has said it.
struct DryRunEnds {};

struct Environment {
    const std::vector<ExperimentInfo>& experiments;
    std::ostream& out;
    std::ostream& err;
    bool err_is_terminal = false;                   // then progress is one line, written over
    const std::atomic<bool>* stop = nullptr;        // set by the first signal
    std::function<std::filesystem::path()> assets;  // the folder, or throws
    int columns = 100;                              // of the terminal, for what is wrapped
    std::function<bool()> reader_left = {};         // whether nobody reads standard output any more
    std::string command = {};                       // as typed, for provenance
    std::vector<std::string> arguments = {};        // the same, word by word
    std::function<int()> err_columns = {};          // of the terminal on standard error, which may change
    // Called by commands that end in order: from then on signals set the flag that is returned.
    std::function<const std::atomic<bool>*()> catch_signals = {};
    std::function<std::string()> stop_reason = {};  // "stopped", or the limit that stopped it
    std::shared_ptr<SavedWork> saved = {};          // said when the command is stopped or fails

    std::shared_ptr<std::vector<std::string>> files = {};    // that were written
    bool dry_run = false;                                    // says what would be written, and writes nothing
    std::shared_ptr<std::vector<std::string>> planned = {};  // what it would do, said if nothing is refused

    std::filesystem::path own_figure = {};  // the user's figure file, if one is drawn
    std::function<void()> end_now = {};     // ends the process, see LateEnd
    bool out_is_terminal = true;            // else a row of a table stays one line
    bool utf8 = true;                       // what is printed may hold more than ASCII

    /// The claims that ship, and those of the user's figure. Throws InputError if one of their files is wrong.
    std::vector<Claim> claims() const;
    bool stopped() const { return stop != nullptr && *stop; }
    void has_saved(const std::string& what, std::vector<std::string> go_on) const {
        if (saved) saved->set(what, std::move(go_on));
    }
    /// What can be resumed by its folder.
    void has_saved(const std::string& what, const std::filesystem::path& folder) const {
        has_saved(what, {"resume", path_argument(folder.string())});
    }
    /// For the parts of a command that says itself how it goes on.
    Environment without_saved() const {
        Environment part = *this;
        part.saved.reset();
        return part;
    }
    /// A file of the command's is whole: its name is printed.
    void wrote(const std::filesystem::path& file) const;
    /// With --dry-run: "train 3 seeds of td", said if nothing is refused.
    void would(const std::string& text) const;
    /// A line on standard error if a pool of `asked` threads has only `started`.
    void report_threads(int started, int asked) const;
};

/// Does what `arguments` (without the program's name) ask and returns the exit code. Never throws.
int run_command_line(const std::vector<std::string>& arguments, const Environment& environment);

/// One a core.
int default_threads();

/// The experiment of that name. Throws InputError, listing the names.
const ExperimentInfo& find_experiment_in(const std::vector<ExperimentInfo>& experiments, const std::string& name);

/// Does what the words of a line ask, as a part of another command.
int run_words(const std::vector<std::string>& words, const Environment& environment);


}  // namespace emergence::cli
