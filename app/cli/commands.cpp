#include "app/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <ostream>
#include <thread>

#include "app/cli/shown_buffer.h"
#include "app/install/completion.h"
#include "core/base/error.h"
#include "core/base/near_names.h"
#include "core/base/utf8.h"
#include "core/files/system_errors.h"

namespace emergence::cli {
namespace {

struct Dispatch {
    const Environment& environment;

    int operator()(const TextRequest& request) const {
        environment.out << request.text;
        return kDone;
    }
    int operator()(const ListRequest& request) const { return run_list(request, environment); }
    int operator()(const InfoRequest& request) const { return run_info(request, environment); }
    int operator()(const RunRequest& request) const { return run_run(request, environment); }
    int operator()(const ResumeRequest& request) const { return run_resume(request, environment); }
    int operator()(const ValueRequest& request) const { return run_value(request, environment); }
    int operator()(const VerifyRequest& request) const { return run_verify(request, environment); }
    int operator()(const ClaimsRequest& request) const { return run_claims(request, environment); }
    int operator()(const SweepRequest& request) const { return run_sweep_command(request, environment); }
    int operator()(const CompareRequest& request) const { return run_compare(request, environment); }
    int operator()(const ReadRequest& request) const { return run_read(request, environment); }
    int operator()(const StructureRequest& request) const { return run_structure(request, environment); }
    int operator()(const IdentifyRequest& request) const { return run_identify(request, environment); }
    int operator()(const DescribeRequest& request) const { return run_describe(request, environment); }
    int operator()(const ReproduceRequest& request) const { return run_reproduce(request, environment); }
    int operator()(const NetworksRequest& request) const { return run_networks(request, environment); }
    int operator()(const ImportRequest& request) const { return run_import(request, environment); }
    int operator()(const ExportRequest& request) const { return run_export(request, environment); }
    int operator()(const HandbookRequest& request) const { return run_handbook(request, environment); }
    int operator()(const FilmRequest& request) const { return run_film(request, environment); }
    int operator()(const LessonRequest& request) const { return run_lesson(request, environment); }
    int operator()(const ManualRequest& request) const { return run_manual(request, environment); }
    int operator()(const ScriptRequest& request) const {
        environment.out << completion_script(request.shell);
        return kDone;
    }
    int operator()(const CompleteRequest& request) const { return run_complete(request, environment); }
};

// Commands that take long, look at Environment::stop and then end with what they have. Any other is ended by a signal at
// once: it has written whole files or none.
template <class... Requests>
bool is_any_of(const Request& request) {
    return (std::holds_alternative<Requests>(request) || ...);
}
bool ends_in_order(const Request& request) {
    return is_any_of<RunRequest, ResumeRequest, SweepRequest, ReproduceRequest, NetworksRequest,
                     VerifyRequest, ClaimsRequest, FilmRequest, ImportRequest, ExportRequest,
                     DescribeRequest>(request);
}

// ". Step 1200 of 4000 MRPs is saved. Go on with: emergence-cli resume out/x".
std::string what_is_saved(const Saved& saved) {
    if (saved.what.empty()) return "";
    return fmt::format(". {}. Go on with: {}", saved.what, shell_command(saved.arguments));
}

}  // namespace

int default_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

const ExperimentInfo& find_experiment_in(const std::vector<ExperimentInfo>& experiments,
                                         const std::string& name) {
    std::vector<std::string> names;
    for (const ExperimentInfo& info : experiments) {
        if (info.name == name) return info;
        names.push_back(info.name);
    }
    throw InputError(unknown_name("experiment", name, names));
}

void Environment::report_threads(int started, int asked) const {
    if (started < asked) err << "emergence-cli: " << fewer_threads_text(started, asked) << std::endl;
}

int run_command_line(const std::vector<std::string>& arguments, const Environment& given) {
    ShownBuffer out_buffer(given.out, false), err_buffer(given.err, given.err_is_terminal);
    std::ostream out(&out_buffer), err(&err_buffer);
    Environment environment{given.experiments,
                            out,
                            err,
                            given.err_is_terminal,
                            given.stop,
                            given.assets,
                            given.columns,
                            given.reader_left,
                            shell_command(arguments),
                            arguments,
                            given.tickets,
                            given.err_columns,
                            given.catch_signals,
                            given.stop_reason,
                            std::make_shared<Saved>()};
    const Saved& saved = *environment.saved;
    const auto report = [&](const std::string& text, int code) {
        constexpr size_t kLongestMessage = 4000;  // a file may have names of a megabyte
        environment.err << "emergence-cli: " << shortened(text, kLongestMessage) << std::endl;
        return code;
    };
    try {
        const Request request = parse_arguments(arguments);
        if (environment.catch_signals && ends_in_order(request))
            environment.stop = environment.catch_signals();
        const int code = std::visit(Dispatch{environment}, request);
        environment.out.flush();
        // A reader that has seen enough (`| head`) closes the pipe; a full disk is an error.
        const bool reader_left = environment.reader_left && environment.reader_left();
        if (!environment.out && !reader_left)
            throw IoError("standard output: could not be written. Is its disk full, or its size limited?");
        if (environment.stopped() && code != kDone)
            report((environment.stop_reason ? environment.stop_reason() : "stopped") +
                       (saved.what.empty() ? ". Nothing was saved" : what_is_saved(saved)),
                   code);
        return code;
    } catch (const InputError& error) {
        return report(error.what(), kBadInput);
    } catch (const std::exception& error) {
        return report(reason_of(error) + what_is_saved(saved), kFailure);
    }
}

}  // namespace emergence::cli
