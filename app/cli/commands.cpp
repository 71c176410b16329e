#include "app/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <ostream>
#include <thread>

#include "app/cli/command.h"
#include "app/cli/json.h"
#include "app/cli/shown_buffer.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/atomic_write.h"

namespace emergence::cli {

int default_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

const ExperimentInfo& find_experiment_in(const std::vector<ExperimentInfo>& experiments, const std::string& name) {
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

void Environment::wrote(const std::filesystem::path& file) const {
    out << shown_text(file.string()) << std::endl;
    if (files) files->push_back(file.string());
    if (saved) saved->sign();
}

void Environment::would(const std::string& text) const {
    if (dry_run && planned) planned->push_back(text);
}

int run_words(const std::vector<std::string>& words, const Environment& environment) {
    return parse_line(words).action(environment);
}

int run_command_line(const std::vector<std::string>& arguments, const Environment& given) {
    constexpr int kNarrow = 100;  // columns: wider lines are read as they are
    const auto narrow = [](bool terminal, int columns) { return terminal && columns < kNarrow ? columns : 0; };
    ShownBuffer out_buffer(given.out, false, {given.utf8, narrow(given.out_is_terminal, given.columns)});
    ShownBuffer err_buffer(given.err, given.err_is_terminal,
                           {given.utf8, given.err_columns ? narrow(given.err_is_terminal, given.err_columns()) : 0});
    std::ostream out(&out_buffer), err(&err_buffer), unsaid(nullptr);
    const auto report = [&](const std::string& text, int code) {
        constexpr size_t kLongestMessage = 4000;  // a file may have names of a megabyte
        err << "emergence-cli: " << shortened(text, kLongestMessage) << std::endl;
        return code;
    };
    const auto saved = std::make_shared<SavedWork>();
    const auto stopped_text = [&](const std::string& text) {
        return (given.stop_reason ? given.stop_reason() : "stopped") + (text.empty() ? ". Nothing was saved" : text);
    };
    try {
        const ParsedLine line = parse_line(arguments);
        Environment environment{given.experiments,
                                out,
                                line.asked.quiet ? unsaid : err,
                                given.err_is_terminal,
                                given.stop,
                                given.assets,
                                given.columns,
                                given.reader_left,
                                shell_command(arguments),
                                arguments,
                                given.err_columns,
                                given.catch_signals,
                                given.stop_reason,
                                saved,
                                std::make_shared<std::vector<std::string>>(),
                                line.asked.dry_run,
                                std::make_shared<std::vector<std::string>>()};
        environment.out_is_terminal = given.out_is_terminal;
        environment.utf8 = given.utf8;
        std::optional<LateEnd> late;
        if (environment.catch_signals && line.ends_in_order) {
            environment.stop = environment.catch_signals();
            late.emplace(
                *saved, [&] { return environment.stopped(); },
                [&](const std::string& text) {
                    given.err << (given.err_is_terminal ? "\n" : "")
                              << shown_lines("emergence-cli: " + stopped_text(text)) << std::endl;
                    given.end_now();
                });
        }
        int code = kDone;
        try {
            code = line.action(environment);
        } catch (const DryRunEnds&) {
            if (line.asked.json) print_json({{"exit_code", code}, {"would", *environment.planned}}, out);
            for (const std::string& what : *environment.planned)
                if (!line.asked.json) out << "would " << what << '\n';
        }
        if (line.asked.files_as_json && !line.asked.dry_run)
            print_json({{"exit_code", code}, {"files", *environment.files}}, environment.out);
        environment.out.flush();
        // A reader that has seen enough (`| head`) closes the pipe; a full disk is an error.
        const bool reader_left = environment.reader_left && environment.reader_left();
        if (!environment.out && !reader_left)
            throw IoError("standard output: could not be written. Is its disk full, or its size limited?");
        if (environment.stopped() && code != kDone) report(stopped_text(saved->text()), code);
        return code;
    } catch (const InputError& error) {
        return report(error.what(), kBadInput);
    } catch (const std::exception& error) {
        return report(reason_of(error) + saved->text(), kFailure);
    }
}

}  // namespace emergence::cli
