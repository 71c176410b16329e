#include "app/gui/dialogs/desktop_file_dialog.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <sstream>
#include <system_error>
#include <utility>

namespace emergence {
namespace {

namespace fs = std::filesystem;

// The words for one path a line; the last one is replaced for folders.
std::vector<std::string> words_for(const fs::path& program) {
    if (program.filename() == "zenity")
        return {program.string(), "--file-selection", "--title=Open", "--multiple", "--separator=\n"};
    return {program.string(), "--title", "Open", "--multiple", "--separate-output"};
}

std::vector<std::string> installed_program(const std::string& path) {
    for (const char* name : {"zenity", "kdialog"}) {
        std::istringstream folders(path);
        for (std::string folder; std::getline(folders, folder, ':');) {
            const fs::path program = fs::path(folder) / name;
            if (!folder.empty() && ::access(program.c_str(), X_OK) == 0) return words_for(program);
        }
    }
    return {};
}

// Starts the program; its standard output comes out of `output`. 0 if that fails.
pid_t start_program(std::vector<std::string> words, int& output) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t process = 0;
    if (::posix_spawn(&process, arguments.front(), &actions, nullptr, arguments.data(), environ) != 0)
        process = 0;
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe[1]);
    output = pipe[0];
    if (process == 0) ::close(pipe[0]);
    return process;
}

std::string all_of(int output) {
    std::string text;
    std::array<char, 4096> part{};
    for (ssize_t count = 0; (count = ::read(output, part.data(), part.size())) > 0;)
        text.append(part.data(), static_cast<size_t>(count));
    ::close(output);
    return text;
}

}  // namespace

DesktopFileDialog::DesktopFileDialog(std::function<void()> on_change, const std::string& path)
    : on_change_(std::move(on_change)), words_(installed_program(path)) {}

DesktopFileDialog::~DesktopFileDialog() { end(); }

void DesktopFileDialog::end() {
    if (const pid_t process = process_; process > 0) ::kill(process, SIGTERM);
    if (thread_.joinable()) thread_.join();
}

void DesktopFileDialog::open(bool folders) {
    if (open_ || words_.empty()) return;
    end();
    std::vector<std::string> words = words_;
    const bool kdialog = fs::path(words.front()).filename() == "kdialog";
    if (kdialog) words.emplace_back(folders ? "--getexistingdirectory" : "--getopenfilename");
    if (folders && !kdialog) words.emplace_back("--directory");
    int output = 0;
    process_ = start_program(std::move(words), output);
    if (process_ == 0) return;
    open_ = true;
    thread_ = std::thread([this, output] {
        std::istringstream lines(all_of(output));
        int status = 0;
        const pid_t process = process_;
        process_ = 0;  // from here on its number may become another program's
        ::waitpid(process, &status, 0);
        {
            const std::lock_guard lock(mutex_);
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
                for (std::string line; std::getline(lines, line);)
                    if (!line.empty()) chosen_.emplace_back(line);
        }
        open_ = false;
        if (on_change_) on_change_();
    });
}

std::vector<fs::path> DesktopFileDialog::take_chosen() {
    const std::lock_guard lock(mutex_);
    return std::exchange(chosen_, {});
}

}  // namespace emergence
