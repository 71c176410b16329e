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

#include "app/cli/arguments.h"
#include "core/base/shell_words.h"
#include "core/lab/figures/claim_files.h"
#include "core/lab/study.h"

namespace emergence::cli {

inline constexpr int kDone = 0;
inline constexpr int kFailure = 1;   // the machine refused, a claim fails, or it was stopped
inline constexpr int kBadInput = 2;  // one line says what is wrong and what is allowed
inline constexpr int kDiverged = 3;  // a seed has; the files are written nevertheless
/// No exit code: other processes compute what is missing.
inline constexpr int kElsewhere = -1;

/// What of a command's work is saved by now, and the command that goes on from it.
struct Saved {
    std::string what;  // "step 1200 of 4000 MRPs"; "" as long as there is nothing
    std::vector<std::string> arguments;
};

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
    std::function<JobTickets*()> tickets = {};  // of the engine that has started this process; may be null
    std::function<int()> err_columns = {};      // of the terminal on standard error, which may change
    // Called by commands that end in order: from then on signals set the flag that is returned.
    std::function<const std::atomic<bool>*()> catch_signals = {};
    std::function<std::string()> stop_reason = {};  // "stopped", or the limit that stopped it
    std::shared_ptr<Saved> saved = {};              // said when the command is stopped or fails

    std::filesystem::path own_figure = {};  // the user's figure file, if one is drawn

    /// The claims that ship, and those of the user's figure. Throws InputError if one of their files is wrong.
    std::vector<Claim> claims() const;
    bool stopped() const { return stop != nullptr && *stop; }
    void has_saved(const std::string& what, std::vector<std::string> go_on) const {
        if (saved) *saved = {what, std::move(go_on)};
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
    /// A line on standard error if a pool of `asked` threads has only `started`.
    void report_threads(int started, int asked) const;
};

/// Does what `arguments` (without the program's name) ask and returns the exit code. Never throws.
int run_command_line(const std::vector<std::string>& arguments, const Environment& environment);

/// One a core.
int default_threads();

/// The experiment of that name. Throws InputError, listing the names.
const ExperimentInfo& find_experiment_in(const std::vector<ExperimentInfo>& experiments,
                                         const std::string& name);

// One function a command; each returns an exit code and throws InputError or IoError.
int run_list(const ListRequest& request, const Environment& environment);
int run_info(const InfoRequest& request, const Environment& environment);
int run_run(const RunRequest& request, const Environment& environment);
int run_resume(const ResumeRequest& request, const Environment& environment);
int run_value(const ValueRequest& request, const Environment& environment);
int run_verify(const VerifyRequest& request, const Environment& environment);
int run_claims(const ClaimsRequest& request, const Environment& environment);
int run_sweep_command(const SweepRequest& request, const Environment& environment);
int run_compare(const CompareRequest& request, const Environment& environment);
int run_read(const ReadRequest& request, const Environment& environment);
int run_structure(const StructureRequest& request, const Environment& environment);
int run_identify(const IdentifyRequest& request, const Environment& environment);
int run_describe(const DescribeRequest& request, const Environment& environment);
int run_reproduce(const ReproduceRequest& request, const Environment& environment);
int run_networks(const NetworksRequest& request, const Environment& environment);
int run_import(const ImportRequest& request, const Environment& environment);
int run_export(const ExportRequest& request, const Environment& environment);
int run_handbook(const HandbookRequest& request, const Environment& environment);
int run_film(const FilmRequest& request, const Environment& environment);
int run_lesson(const LessonRequest& request, const Environment& environment);
int run_manual(const ManualRequest& request, const Environment& environment);
int run_complete(const CompleteRequest& request, const Environment& environment);

}  // namespace emergence::cli
