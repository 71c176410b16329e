#include "app/cli/commands.h"

#include <algorithm>
#include <cctype>
#include <exception>
#include <new>
#include <ostream>
#include <string_view>
#include <thread>

#include "app/cli/shown_buffer.h"
#include "app/install/completion.h"
#include "core/base/error.h"

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
    int operator()(const SweepRequest& request) const { return run_sweep_command(request, environment); }
    int operator()(const CompareRequest& request) const { return run_compare(request, environment); }
    int operator()(const StructureRequest& request) const { return run_structure(request, environment); }
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

// The command as it is typed again: words that a shell would take apart are quoted.
std::string command_text(const std::vector<std::string>& arguments) {
    std::string text = "emergence-cli";
    for (const std::string& word : arguments) {
        const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                   std::string_view("=_-./,:+@%").find(c) != std::string_view::npos;
        });
        std::string quoted;
        for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
        text += plain ? " " + word : " '" + quoted + "'";
    }
    return text;
}

}  // namespace

int default_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

const ExperimentInfo& find_experiment_in(const std::vector<ExperimentInfo>& experiments,
                                         const std::string& name) {
    std::string names;
    for (const ExperimentInfo& info : experiments) {
        if (info.name == name) return info;
        names += (names.empty() ? "" : ", ") + info.name;
    }
    throw InputError("unknown experiment '" + name + "', there are: " + names);
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
                            command_text(arguments),
                            arguments,
                            given.tickets};
    const auto report = [&](const std::string& text, int code) {
        environment.err << "emergence-cli: " << text << std::endl;
        return code;
    };
    try {
        const int code = std::visit(Dispatch{environment}, parse_arguments(arguments));
        environment.out.flush();
        // A reader that has seen enough (`| head`) closes the pipe; a full disk is an error.
        const bool reader_left = environment.reader_left && environment.reader_left();
        if (!environment.out && !reader_left) throw IoError("standard output: could not be written");
        return code;
    } catch (const InputError& error) {
        return report(error.what(), kBadInput);
    } catch (const std::bad_alloc&) {
        return report("out of memory", kFailure);
    } catch (const std::exception& error) {
        return report(error.what(), kFailure);
    }
}

}  // namespace emergence::cli
