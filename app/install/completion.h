#pragma once
// What the Tab key offers. A shell's script (completion_script) asks the program itself, `PROGRAM __complete
// WORDS`, so that all shells say the same and nothing is typed twice.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/install/command_words.h"
#include "core/lab/study.h"

namespace emergence {

/// The hidden command that a shell's script calls.
inline constexpr const char* kCompleteCommand = "__complete";

struct Candidate {
    std::string text;
    std::string help;  // "" if its name says all
};

struct Completion {
    std::vector<Candidate> candidates;
    bool files = false;    // names of files and folders as well
    bool folders = false;  // names of folders as well
};

/// What there is to name.
struct Vocabulary {
    const std::vector<ExperimentInfo>& experiments;
    std::function<std::filesystem::path()> assets;  // the folder, or throws
};

/// What may stand at the cursor. `words`: the line's after the program's name; the last one is begun, perhaps
/// "". Candidates begin with it, each stands once; "FIELD=" is offered before its values. Never throws: a line may be nonsense
/// yet.
Completion complete(const CommandWords& program, const std::vector<std::string>& words, const Vocabulary& vocabulary);

/// For the scripts: a line per candidate, its help after a tab; first a line "files", "folders" or "words".
std::string printed(const Completion& completion);

/// The script for both programs. Throws InputError for a shell other than bash, fish and zsh.
std::string completion_script(const std::string& shell);

}  // namespace emergence
