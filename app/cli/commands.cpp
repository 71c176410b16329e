#include "app/cli/commands.h"

#include <fmt/format.h>
#include <algorithm>
#include <condition_variable>
#include <exception>
#include <optional>
#include <ostream>
#include <stop_token>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "app/cli/answer.h"
#include "app/cli/command.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/experiments/registry.h"
#include "core/files/atomic_write.h"

namespace emergence::cli {

int Environment::threads() const {
    return asked.threads.value_or(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

void Environment::report_threads(int started) const {
    if (started < threads()) notice(fewer_threads_text(started, threads()));
}

void Environment::notice(const std::string& text) const {
    if (!text.empty()) err << "emergence-cli: " << text << std::endl;
}

FindExperiment Environment::find_experiment() const {
    return [this](const std::string& name) -> const ExperimentInfo& { return named(experiments, name, "experiment"); };
}

void Environment::wrote(const std::filesystem::path& file) const {
    out << shown_text(file.string()) << std::endl;
    if (files) files->push_back(file.string());
    if (saved) saved->sign();
}

void Environment::would(const std::string& text) const {
    if (asked.dry_run && planned) planned->push_back(text);
}

using Clock = std::chrono::steady_clock;

namespace {

// Ends a stopped command that has neither ended nor written anything for kPatience, because a step, a job or a picture
// may take minutes. This is safe: all files are whole or absent at any moment.
std::jthread late_end(const Environment& environment, const std::function<void()>& end) try {
    static constexpr std::chrono::milliseconds kPause{100}, kPatience{5000};
    return std::jthread([&environment, end](const std::stop_token& over) {
        std::mutex mutex;
        std::condition_variable_any ended;
        std::unique_lock lock(mutex);
        std::optional<Clock::time_point> since;
        while (!ended.wait_for(lock, over, kPause, [&over] { return over.stop_requested(); })) {
            if (!since && environment.stopped()) since = Clock::now();
            if (since && Clock::now() - std::max(*since, environment.saved->last_sign()) >= kPatience) return end();
        }
    });
} catch (const std::system_error&) {  // the system has no further thread
    return {};
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments, const Environment& given) {
    ShownBuffer out_buffer(given.out, false), err_buffer(given.err, given.err_is_terminal);
    std::ostream out(&out_buffer), err(&err_buffer), unsaid(nullptr);
    const auto report = [&](const std::string& text, int code) {
        constexpr size_t kLongestMessage = 4000;  // a file may have names of a megabyte
        err << "emergence-cli: " << shortened(text, kLongestMessage) << std::endl;
        return code;
    };
    const auto refuse = [&](const std::string& text, int code) {
        if (contains(arguments, "--json")) print_json({{"exit_code", code}, {"error", text}}, out);
        return report(text, code);
    };
    const auto saved = std::make_shared<SavedWork>();
    const auto stopped_text = [&](const std::string& text) {
        return (given.stop_reason ? given.stop_reason() : "stopped") + (text.empty() ? ". Nothing was saved" : text);
    };
    try {
        const ParsedLine line = parse_line(arguments);
        Environment environment{given, given.experiments, out, line.asked.quiet ? unsaid : err};
        environment.command = shell_command(arguments);
        environment.arguments = arguments;
        environment.saved = saved;
        environment.files = std::make_shared<std::vector<std::string>>();
        environment.planned = std::make_shared<std::vector<std::string>>();
        environment.asked = line.asked;
        std::jthread late;
        if (environment.catch_signals && line.ends_in_order) {
            environment.stop = environment.catch_signals();
            late = late_end(environment, [&] {
                given.err << (given.err_is_terminal ? "\n" : "")
                          << shown_lines("emergence-cli: " + stopped_text(saved->text())) << std::endl;
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
        // A reader that has seen enough (`| head`) closes the pipe, but a full disk is an error.
        const bool reader_left = environment.reader_left && environment.reader_left();
        if (!environment.out && !reader_left)
            throw IoError("standard output: could not be written. Is its disk full, or its size limited?");
        if (environment.stopped() && code != kDone) report(stopped_text(saved->text()), code);
        return code;
    } catch (const InputError& error) {
        return refuse(error.what(), kBadInput);
    } catch (const std::exception& error) {
        return refuse(reason_of(error) + saved->text(), kFailure);
    }
}

void SavedWork::set(const std::string& what, std::vector<std::string> go_on) {
    const std::lock_guard lock(mutex_);
    what_ = what;
    go_on_ = std::move(go_on);
    last_sign_ = Clock::now();
}

void SavedWork::sign() {
    const std::lock_guard lock(mutex_);
    last_sign_ = Clock::now();
}

std::string SavedWork::text() const {
    const std::lock_guard lock(mutex_);
    return what_.empty() ? "" : fmt::format(". {}. Resume with: {}", what_, shell_command(go_on_));
}

Clock::time_point SavedWork::last_sign() const {
    const std::lock_guard lock(mutex_);
    return last_sign_;
}

// Takes the first `size` bytes of what is pending. The caller holds the mutex.
void ShownBuffer::pass(size_t size) {
    to_ << shown_lines(std::string_view(pending_).substr(0, size));
    pending_.erase(0, size);
}

ShownBuffer::int_type ShownBuffer::overflow(int_type character) {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    const char one = traits_type::to_char_type(character);
    return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

std::streamsize ShownBuffer::xsputn(const char* text, std::streamsize size) {
    const std::string_view written(text, static_cast<size_t>(size));
    const std::lock_guard guard(mutex_);
    if (progress_ && (written == "\r" || written == "\x1b[K")) {
        pass(pending_.size());
        to_ << written;
    } else {
        pending_ += written;
        pass(pending_.rfind('\n') + 1);
    }
    return to_ ? size : 0;
}

int ShownBuffer::sync() {
    const std::lock_guard guard(mutex_);
    pass(pending_.size());
    to_.flush();
    return to_ ? 0 : -1;
}

}  // namespace emergence::cli
