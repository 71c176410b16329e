#pragma once
// The commands of emergence-cli, without a process around them: what they print and return is theirs, what
// they know of the world is in the Environment.

#include <atomic>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "app/cli/arguments.h"
#include "core/lab/study.h"

namespace emergence::cli {

inline constexpr int kDone = 0;
inline constexpr int kFailure = 1;   // the machine refused, a claim fails, or the user stopped it
inline constexpr int kBadInput = 2;  // one line says what is wrong and what is allowed
inline constexpr int kDiverged = 3;  // a seed has; the files are written nevertheless
/// No exit code: other processes compute what is missing.
inline constexpr int kElsewhere = -1;

struct Environment {
    const std::vector<ExperimentInfo>& experiments;
    std::ostream& out;
    std::ostream& err;
    bool err_is_terminal = false;                   // then progress is one line, written over
    const std::atomic<bool>* stop = nullptr;        // set by Ctrl-C
    std::function<std::filesystem::path()> assets;  // the folder, or throws
    int columns = 100;                              // of the terminal, for what is wrapped
    std::function<bool()> reader_left = {};         // whether nobody reads standard output any more
    std::string command = {};                       // as typed, for provenance
    std::vector<std::string> arguments = {};        // the same, word by word
    std::function<JobTickets*()> tickets = {};  // of the engine that has started this process; may be null
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
int run_sweep_command(const SweepRequest& request, const Environment& environment);
int run_compare(const CompareRequest& request, const Environment& environment);
int run_structure(const StructureRequest& request, const Environment& environment);
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
